import Pipelines
import RehearsalBase
import Script

/// Builds the stages of a pipe that depend only on their input and on time.
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

  /// Returns a stage that does not read its values.
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
    case .receive(.main): upstream.receive(on: self).eraseToAnyPublisher()
    case .receive(.background):
      Publishers.ReceiveOn(upstream: upstream, scheduler: self, options: nil).eraseToAnyPublisher()
    case .subscribe: upstream.subscribe(on: self).eraseToAnyPublisher()
    case .share: upstream.sharedInOrder().eraseToAnyPublisher()
    case .prefix(let count): upstream.first(count)
    case .dropFirst(let count): upstream.dropFirst(count).eraseToAnyPublisher()
    case .first: upstream.first(1)
    case .last: upstream.last().eraseToAnyPublisher()
    default: nil
    }
  }

  /// Returns a stage that accepts values only.
  private func applying(_ stage: PipeSpec.Stage, toValues values: ValuePublisher) -> ValuePublisher
  {
    switch stage {
    case .map(.value(.field(let path))): values.map { $0.field(at: path) }.eraseToAnyPublisher()
    case .map(.value(let transform)):
      values.tryMap { try transform.result(for: $0) }.eraseToAnyPublisher()
    case .compactMap(let transform):
      values.tryMap { try transform.result(for: $0) }.filter { $0 != .null }.eraseToAnyPublisher()
    case .tryMap(let transform, let spec, let condition):
      values.tryMap { value in
        let result = try transform.result(for: value)
        if condition.map({ $0.holds(value) }) ?? (result == .null) { throw spec.error }
        return result
      }.eraseToAnyPublisher()
    case .replaceNil(let replacement):
      values.tryMap { $0 == .null ? try replacement.checkedForSize() : $0 }.eraseToAnyPublisher()
    case .replaceEmpty(let replacement): values.replacedIfEmpty(by: replacement)
    case .mapError(let spec):
      values.mapError { $0 is PipeProblem ? $0 : spec.error }.eraseToAnyPublisher()
    case .removeDuplicates:
      values.removeDuplicates { $0.isSame(as: $1) }.eraseToAnyPublisher()
    case .replaceError(let value) where value.isTooLarge:
      values.mapError { _ in PipeProblem.tooLarge }.eraseToAnyPublisher()
    case .replaceError(let value):
      values.replaceError(with: value).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    case .scan(let accumulation, let first):
      values.tryScan(first) { try accumulation.adding($1, to: $0).checkedForSize() }
        .compactMap(\.self).eraseToAnyPublisher()
    case .reduce(let accumulation, let first):
      values.tryReduce(first ?? accumulation.ofNothing) {
        try accumulation.adding($1, to: $0).checkedForSize()
      }.compactMap(\.self).eraseToAnyPublisher()
    case .count: values.count().map { .number("\($0)") }.eraseToAnyPublisher()
    case .dropWhile(let condition): values.drop { condition.holds($0) }.eraseToAnyPublisher()
    case .collect: values.collectedInBounds { $0.collect().eraseToAnyPublisher() }
    case .collectByCount(let count):
      values.collectedInBounds { $0.collect(count).eraseToAnyPublisher() }
    case .collectByTime(let window, let most):
      values.collectedInBounds { values in
        let window = SchedulerTimeType.Stride(window)
        return values.collect(
          most.map { .byTimeOrCount(self, window, $0) } ?? .byTime(self, window)
        ).eraseToAnyPublisher()
      }
    default: preconditionFailure("A pipe that was checked has no '\(stage.word)' here.")
    }
  }
}

extension Publisher where Failure == any Error {
  /// Works like `flatMap`, but an error in an inner publisher also cancels the upstream.
  /// OpenCombine does not cancel it, so here errors are passed as values to the end of `flatMap`.
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
  /// Collects values into lists. Fails if the values of a list together are too large.
  fileprivate func collectedInBounds(
    _ collect: @escaping (ValuePublisher) -> AnyPublisher<[JSONValue], any Error>
  ) -> ValuePublisher {
    Deferred {
      var room = JSONValue.largest
      let bounded = tryMap { value in
        room -= value.size(upTo: room)
        if room < 0 { throw PipeProblem.tooLarge }
        return value
      }
      return collect(bounded.eraseToAnyPublisher())
        .map { values in
          room = JSONValue.largest
          return JSONValue.array(values)
        }
    }.eraseToAnyPublisher()
  }

  /// Sends a value before the end if there was none. The `replaceEmpty` of OpenCombine sends values
  /// without demand.
  fileprivate func replacedIfEmpty(by replacement: JSONValue) -> ValuePublisher {
    Deferred {
      var isEmpty = true
      let rest = Deferred {
        (isEmpty ? [replacement] : []).publisher.tryMap { try $0.checkedForSize() }
      }
      return handleEvents(receiveOutput: { _ in isEmpty = false }).append(rest)
    }.eraseToAnyPublisher()
  }
}

extension PipeSpec.Transform {
  /// Returns the result for a value.
  ///
  /// - Throws: an error if the result is too large.
  fileprivate func result(for value: JSONValue) throws -> JSONValue {
    switch self {
    case .field(let path): value.field(at: path)
    case .template(let template): try template.filled(with: value).checkedForSize()
    }
  }
}

extension [ValuePublisher] {
  /// Returns a list of the first values of all publishers, then of the second values, and so on.
  func zippedAsList() -> ValuePublisher {
    guard let first else { return Empty().eraseToAnyPublisher() }
    let lists = first.map { [$0] }.eraseToAnyPublisher()
    // The `zip` of OpenCombine never releases publishers that have ended. `first` does.
    return dropFirst().reduce(lists) { lists, next in
      lists.zip(next) { $0 + [$1] }.first(.max)
    }.map(JSONValue.array).eraseToAnyPublisher()
  }
}

extension PipeSpec.Condition {
  /// Returns why a value cannot be compared; nil if it can.
  func incomparability(of value: JSONValue) -> String? {
    let field = value.field(at: path)
    guard comparison.isOrder, field.isLess(than: operand) == nil else { return nil }
    guard path.isEmpty || field != .null else {
      return "\(value.kindInWords) has no \(path.joined(separator: "."))"
    }
    return "\(field.kindInWords) cannot be compared with \(operand.kindInWords)"
  }

  /// Returns whether a value passes. A value that cannot be compared does not.
  func holds(_ value: JSONValue) -> Bool {
    let field = value.field(at: path)
    return switch comparison {
    case .equal: field.isSame(as: operand)
    case .unequal: !field.isSame(as: operand)
    case .less: field.isLess(than: operand) == true
    case .greater: operand.isLess(than: field) == true
    case .lessOrEqual: operand.isLess(than: field) == false
    case .greaterOrEqual: field.isLess(than: operand) == false
    }
  }
}

extension PipeSpec.Accumulation {
  /// The result for no values; nil if there is none.
  fileprivate var ofNothing: JSONValue? {
    switch self {
    case .sum, .count: .number("0")
    case .join: .string("")
    case .list: .array([])
    case .min, .max: nil
    }
  }

  /// Returns the accumulation of all values so far and one more.
  ///
  /// - Throws: an error for a sum that is too large for a number.
  func adding(_ value: JSONValue, to sum: JSONValue?) throws -> JSONValue {
    switch (self, sum) {
    case (.count, .number(let count)): .number("\((Int(count) ?? 0) + 1)")
    case (.count, _): .number("1")
    case (.list, .array(let list)): .array(list + [value])
    case (.list, _): .array([value])
    case (.join, .string(let text)): .string(text + value.bareText)
    case (.join, _): .string(value.bareText)
    case (.sum, let sum?): try sum.adding(value)
    case (.min, let least?): value.isLess(than: least) == true ? value : least
    case (.max, let most?): most.isLess(than: value) == true ? value : most
    case (.sum, nil), (.min, nil), (.max, nil): value
    }
  }
}

extension JSONValue {
  /// Returns the sum of two values. A value that is not a number counts as 0.
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
