import Pipelines
import RehearsalBase
import Script

/// The stages that need nothing but what comes in and time.
extension StageScheduler {
  func applying(_ stage: PipeSpec.Stage, to flow: PipeFlow) -> PipeFlow {
    switch flow {
    case .values(let values):
      .values(timed(stage, values) ?? applying(stage, toValues: values))
    case .publishers(let publishers):
      if let timed = timed(stage, publishers) {
        .publishers(timed)
      } else {
        .values(publishers.switchToLatest().eraseToAnyPublisher())
      }
    }
  }

  /// Those that do not look at what comes in.
  private func timed<Output>(
    _ stage: PipeSpec.Stage,
    _ upstream: AnyPublisher<Output, any Error>
  ) -> AnyPublisher<Output, any Error>? {
    switch stage {
    case .throttle(let window, let latest):
      upstream.throttle(for: .init(window), scheduler: self, latest: latest).eraseToAnyPublisher()
    case .debounce(let silence):
      upstream.debounce(for: .init(silence), scheduler: self).eraseToAnyPublisher()
    case .delay(let delay):
      upstream.delay(for: .init(delay), scheduler: self).eraseToAnyPublisher()
    case .timeout(let time, let spec):
      upstream.timeout(
        .init(time),
        scheduler: self,
        customError: spec.map { spec in { spec.error } }
      )
      .eraseToAnyPublisher()
    case .share: upstream.sharedInOrder().eraseToAnyPublisher()
    case .prefix(let count): upstream.first(count)
    case .dropFirst(let count): upstream.dropFirst(count).eraseToAnyPublisher()
    case .first: upstream.first(1)
    case .last: upstream.last().eraseToAnyPublisher()
    default: nil
    }
  }

  /// Those of values only.
  private func applying(_ stage: PipeSpec.Stage, toValues values: ValuePublisher) -> ValuePublisher
  {
    switch stage {
    case .map(.field(let path)): values.map { $0.field(at: path) }.eraseToAnyPublisher()
    case .map(.template(let template)):
      values.tryMap { try template.filled(with: $0).checkedForSize() }.eraseToAnyPublisher()
    case .removeDuplicates:
      values.removeDuplicates { $0.isSame(as: $1) }.eraseToAnyPublisher()
    case .replaceError(let value) where value.isTooLarge:
      values.mapError { _ in PipeProblem.tooLarge }.eraseToAnyPublisher()
    case .replaceError(let value):
      values.replaceError(with: value).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    case .scan(let accumulation):
      values.tryScan(JSONValue?.none) { try accumulation.adding($1, to: $0).checkedForSize() }
        .compactMap(\.self).eraseToAnyPublisher()
    case .collect: values.boundedInSum().collect().map(JSONValue.array).eraseToAnyPublisher()
    default: preconditionFailure("A pipe that was checked has no '\(stage.word)' here.")
    }
  }
}

extension Publisher where Failure == any Error {
  /// Like `flatMap`, but an error within also cancels what comes in. OpenCombine's leaves that running, with
  /// nobody to listen, so here an error travels as a value as far as the end of `flatMap`.
  func flatMapToEnd<Value>(
    _ most: Subscribers.Demand,
    _ transform: @escaping (Output) -> AnyPublisher<Value, any Error>
  ) -> some Publisher<Value, any Error> {
    flatMap(maxPublishers: most) { value in
      transform(value)
        .map { Result<Value, any Error>.success($0) }
        .catch { Just(.failure($0)).setFailureType(to: (any Error).self) }
    }
    .tryMap { try $0.get() }
  }
}

extension ValuePublisher {
  /// Fails where all values together are too large.
  fileprivate func boundedInSum() -> some Publisher<JSONValue, any Error> {
    Deferred {
      var room = JSONValue.largest
      return tryMap { value in
        room -= value.size(upTo: room)
        if room < 0 { throw PipeProblem.tooLarge }
        return value
      }
    }
  }
}

extension [ValuePublisher] {
  /// The first values of all as a list, then the second ones, and so on.
  func zippedAsList() -> ValuePublisher {
    guard let first else { return Empty().eraseToAnyPublisher() }
    let lists = first.map { [$0] }.eraseToAnyPublisher()
    // OpenCombine's `zip` never lets go of what has ended, and `first` does.
    return dropFirst().reduce(lists) { lists, next in
      lists.zip(next) { $0 + [$1] }.first(.max)
    }.map(JSONValue.array).eraseToAnyPublisher()
  }
}

extension PipeSpec.Condition {
  /// Why a value can neither pass nor fail, in words; nil where it can.
  func incomparability(of value: JSONValue) -> String? {
    let field = value.field(at: path)
    guard comparison.isOrder, field.order(before: operand) == nil else { return nil }
    guard path.isEmpty || field != .null else {
      return "\(value.kindInWords) has no \(path.joined(separator: "."))"
    }
    return "\(field.kindInWords) cannot be compared with \(operand.kindInWords)"
  }

  /// Whether a value passes. What cannot be compared, does not.
  func holds(_ value: JSONValue) -> Bool {
    let field = value.field(at: path)
    return switch comparison {
    case .equal: field.isSame(as: operand)
    case .unequal: !field.isSame(as: operand)
    case .less: field.order(before: operand) == true
    case .greater: operand.order(before: field) == true
    case .lessOrEqual: operand.order(before: field) == false
    case .greaterOrEqual: field.order(before: operand) == false
    }
  }
}

extension JSONValue {
  /// Whether it is less, for two numbers and for two texts; nil for anything else.
  fileprivate func order(before other: JSONValue) -> Bool? {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      guard let left = Double(left), let right = Double(right) else { return nil }
      return left < right
    case (.string(let left), .string(let right)): return left < right
    default: return nil
    }
  }
}

extension PipeSpec.Accumulation {
  /// What all values so far come to, with one more.
  ///
  /// - Throws: an error for a sum that no number can be.
  func adding(_ value: JSONValue, to sum: JSONValue?) throws -> JSONValue {
    switch (self, sum) {
    case (.count, .number(let count)): .number("\((Int(count) ?? 0) + 1)")
    case (.count, _): .number("1")
    case (.list, .array(let list)): .array(list + [value])
    case (.list, _): .array([value])
    case (.join, .string(let text)): .string(text + value.bareText)
    case (.join, _): .string(value.bareText)
    case (.sum, let sum?): try sum.adding(value)
    case (.min, let least?): value.order(before: least) == true ? value : least
    case (.max, let most?): most.order(before: value) == true ? value : most
    case (.sum, nil), (.min, nil), (.max, nil): value
    }
  }
}

extension JSONValue {
  /// The sum of two numbers; what is no number counts for nothing.
  fileprivate func adding(_ other: JSONValue) throws -> JSONValue {
    guard case .number(let right) = other else { return self }
    guard case .number(let left) = self else { return other }
    if let left = Int(left), let right = Int(right) {
      let (sum, overflow) = left.addingReportingOverflow(right)
      if !overflow { return .number("\(sum)") }
    }
    let sum = (Double(left) ?? 0) + (Double(right) ?? 0)
    guard sum.isFinite else { throw ErrorSpec.text("the sum is too large").error }
    return .number("\(sum)")
  }
}
