import RehearsalBase
import Script

/// The types of the values in a pipe, as far as they are known when it is created. A stage that can
/// never use its input is a mistake. `any` is an unknown type.
@MainActor struct PipeTypes {
  let name: String
  let session: Session

  /// Returns the type of a pipe's values. `value` is the type of `{value}` in the pipe.
  func type(of spec: PipeSpec, value: ValueType = .any) throws(Diagnostic) -> ValueType {
    var type = try type(of: spec.source, value: value)
    for stage in spec.stages { type = try self.type(of: stage, gets: type, value: value) }
    return type
  }

  private func type(
    of source: Located<PipeSpec.Source>,
    value: ValueType
  ) throws(Diagnostic) -> ValueType {
    switch source.value {
    case .member(let name):
      return try session.source(Located(name, at: source.span), of: self.name).valueType
    case .values(let values): return try commonType(of: values, at: source.span, value: value)
    case .never, .fail: return .any
    case .timer: return .int
    case .load(let load), .future(let load):
      var types: [ValueType] = []
      for outcome in load.outcomes {
        switch outcome {
        case .value(let answer):
          types.append(try type(of: answer, at: source.span, value: value))
        case .request: types.append(try session.type(load.type))
        case .fail, .never: break
        }
      }
      return types.dropFirst().reduce(types.first ?? .any) { $0.common($1) }
    case .deferred(let spec): return try type(of: spec, value: value)
    }
  }

  private func type(
    of stage: Located<PipeSpec.Stage>,
    gets type: ValueType,
    value: ValueType
  ) throws(Diagnostic) -> ValueType {
    switch stage.value {
    case .map(.value(let transform)):
      return try self.type(of: transform, gets: type, at: stage.span)
    case .compactMap(let transform):
      return try self.type(of: transform, gets: type, at: stage.span).wrapped
    case .tryMap(let transform, _, let condition):
      if let condition { try check(condition, gets: type, value: value, at: stage.span) }
      let result = try self.type(of: transform, gets: type, at: stage.span)
      return condition == nil ? result.wrapped : result
    case .map(.pipe(let spec)), .flatMap(let spec, _):
      return try self.type(of: spec, value: type)
    case .filter(let condition), .prefixWhile(let condition), .dropWhile(let condition),
      .firstWhere(let condition):
      try check(condition, gets: type, value: value, at: stage.span)
      return type
    case .scan(let accumulation, let first), .reduce(let accumulation, let first):
      var start: ValueType?
      if let first { start = try self.type(of: first, at: stage.span, value: value) }
      return try type.accumulated(
        by: accumulation,
        from: start,
        in: stage.value.word,
        span: stage.span
      )
    case .count: return .int
    case .replaceError(let replacement), .replaceEmpty(let replacement):
      return type.common(try self.type(of: replacement, at: stage.span, value: value))
    case .replaceNil(let replacement):
      return type.wrapped.common(try self.type(of: replacement, at: stage.span, value: value))
    case .catch(let spec), .prepend(let spec), .append(let spec):
      return type.common(try self.type(of: spec, value: value))
    case .prefixUntil(let spec), .dropUntil(let spec):
      _ = try self.type(of: spec, value: value)
      return type
    case .merge(let specs): return try common(type, specs, value: value)
    case .combineLatest(let specs), .zip(let specs):
      return .array(try common(type, specs, value: value))
    case .collect, .collectByCount, .collectByTime: return .array(type)
    case .throttle, .debounce, .delay, .timeout, .removeDuplicates, .switchToLatest, .retry,
      .mapError, .share, .prefix, .dropFirst, .first, .last, .buffer, .receive, .subscribe,
      .handleEvents:
      return type
    }
  }

  private func type(
    of transform: PipeSpec.Transform,
    gets type: ValueType,
    at span: Range<Int>
  ) throws(Diagnostic) -> ValueType {
    switch transform {
    case .field(let path): try type.part(at: path, span: span)
    case .template(let template): try self.type(of: template, at: span, value: type)
    }
  }

  private func common(
    _ type: ValueType,
    _ specs: [PipeSpec],
    value: ValueType
  ) throws(Diagnostic) -> ValueType {
    var type = type
    for spec in specs { type = type.common(try self.type(of: spec, value: value)) }
    return type
  }

  private func check(
    _ condition: PipeSpec.Condition,
    gets type: ValueType,
    value: ValueType,
    at span: Range<Int>
  ) throws(Diagnostic) {
    let part = try type.part(at: condition.path, span: span)
    let operand = try self.type(of: condition.operand, at: span, value: value)
    guard !part.compares(with: operand, isOrder: condition.comparison.isOrder) else { return }
    throw Diagnostic(
      .incomparable(part.text, with: operand.text),
      at: span,
      hint: condition.comparison.isOrder
        ? "only two numbers and two texts have an order" : "they are never the same"
    )
  }

  // MARK: Values

  private func commonType(
    of values: [JSONValue],
    at span: Range<Int>,
    value: ValueType
  ) throws(Diagnostic) -> ValueType {
    guard let first = values.first else { return .any }
    var type = try type(of: first, at: span, value: value)
    for next in values.dropFirst() {
      type = type.common(try self.type(of: next, at: span, value: value))
    }
    return type
  }

  /// Returns the type of a value that may contain `{value}`, which has another type.
  private func type(
    of literal: JSONValue,
    at span: Range<Int>,
    value: ValueType
  ) throws(Diagnostic) -> ValueType {
    switch literal {
    case .null, .object: return .any
    case .bool: return .bool
    case .number(let text): return JSONValue.isWhole(text) ? .int : .double
    case .array(let values):
      return .array(try commonType(of: values, at: span, value: value))
    case .string(let text):
      let pieces = PipeTemplate(text).pieces
      for case .value(let path) in pieces {
        let part = try value.part(at: path, span: span)
        if pieces.count == 1 { return part }
      }
      return .string
    }
  }
}

extension PipeSpec.Comparison {
  /// Whether the comparison needs an order, not only equality.
  var isOrder: Bool { self != .equal && self != .unequal }
}

extension ValueType {
  /// Returns the type that includes both.
  fileprivate func common(_ other: ValueType) -> ValueType {
    if self == other { return self }
    return isNumber && other.isNumber ? .double : .any
  }

  private var isNumber: Bool {
    switch self {
    case .int, .double, .date(.seconds), .date(.milliseconds): true
    default: false
    }
  }

  /// Whether any values of the two types can be compared.
  fileprivate func compares(with other: ValueType, isOrder: Bool) -> Bool {
    let types = (wrapped, other.wrapped)
    if types.0 == .any || types.1 == .any { return true }
    if types.0.isNumber && types.1.isNumber || types.0.isText && types.1.isText { return true }
    if isOrder { return false }
    switch types {
    case (.array, .array), (.bool, .bool), (.shape, .shape): return true
    default: return false
    }
  }

  /// Returns the type of an accumulation of values of this type, which begins with a value of type
  /// `start` if there is one.
  fileprivate func accumulated(
    by accumulation: PipeSpec.Accumulation,
    from start: ValueType?,
    in word: String,
    span: Range<Int>
  ) throws(Diagnostic) -> ValueType {
    let name = "\(word) \(accumulation.rawValue)"
    guard accepts(accumulation) else {
      throw Diagnostic(
        .unsuitableStage(
          name,
          takes: accumulation == .sum ? "numbers" : "numbers or texts",
          gets: "values of type \(text)"
        ),
        at: span,
        hint: "'map FIELD' before it takes a part of each value"
      )
    }
    if let start, let example = start.misfit(with: accumulation) {
      throw Diagnostic(
        .unsuitableStage(
          "\(name) from",
          takes: example.needed,
          gets: "a value of type \(start.text)"
        ),
        at: span,
        hint: "as in '\(name) from \(example.text)'"
      )
    }
    switch accumulation {
    case .count: return .int
    case .join: return .string
    case .list:
      if case .array(let element)? = start?.wrapped { return .array(common(element)) }
      return .array(start == nil ? self : .any)
    case .sum, .min, .max: return start.map(common) ?? self
    }
  }

  /// Whether values of this type can be accumulated.
  private func accepts(_ accumulation: PipeSpec.Accumulation) -> Bool {
    switch accumulation {
    case .count, .join, .list: true
    case .sum: wrapped == .any || wrapped.isNumber
    case .min, .max: wrapped == .any || wrapped.isNumber || wrapped.isText
    }
  }

  /// Returns what an accumulation begins with, if a value of this type is something else.
  private func misfit(
    with accumulation: PipeSpec.Accumulation
  ) -> (needed: String, text: String)? {
    if wrapped == .any { return nil }
    switch accumulation {
    case .sum, .count: return wrapped.isNumber ? nil : ("a number", "0")
    case .join: return wrapped.isText ? nil : ("a text", "\"\"")
    case .list:
      if case .array = wrapped { return nil }
      return ("a list", "[]")
    case .min, .max: return wrapped.isNumber || wrapped.isText ? nil : ("a number or a text", "0")
    }
  }
}
