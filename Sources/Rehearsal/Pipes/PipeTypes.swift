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
    case .map(.field(let path)): return try type.part(at: path, span: stage.span)
    case .map(.template(let template)):
      return try self.type(of: template, at: stage.span, value: type)
    case .map(.pipe(let spec)), .flatMap(let spec, _):
      return try self.type(of: spec, value: type)
    case .filter(let condition):
      try check(condition, gets: type, value: value, at: stage.span)
      return type
    case .scan(let accumulation): return try type.accumulated(by: accumulation, span: stage.span)
    case .replaceError(let replacement):
      return type.common(try self.type(of: replacement, at: stage.span, value: value))
    case .catch(let spec): return type.common(try self.type(of: spec, value: value))
    case .merge(let specs): return try common(type, specs, value: value)
    case .combineLatest(let specs), .zip(let specs):
      return .array(try common(type, specs, value: value))
    case .collect: return .array(type)
    case .throttle, .debounce, .delay, .timeout, .removeDuplicates, .switchToLatest, .retry,
      .share, .prefix, .dropFirst, .first, .last:
      return type
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

  private var isText: Bool {
    switch self {
    case .string, .text, .data, .image, .date(.iso8601), .date(.pattern): true
    default: false
    }
  }

  private var wrapped: ValueType {
    if case .optional(let type) = self { type.wrapped } else { self }
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

  /// Returns the type of the field at a path.
  fileprivate func part(at path: [String], span: Range<Int>) throws(Diagnostic) -> ValueType {
    var type = self
    for name in path { type = try type.part(name, span: span) }
    return type
  }

  private func part(_ name: String, span: Range<Int>) throws(Diagnostic) -> ValueType {
    switch wrapped {
    case .any: return .any
    case .shape(let shape, let fields):
      if let field = fields.first(where: { $0.name == name }) { return field.type }
      let names = fields.map(\.name)
      throw Diagnostic(
        .noSuchField(name.printable(atMost: 30), in: shape),
        at: span,
        hint: Suggestion.hint(for: name, in: names)
          ?? "the fields of \(shape) are " + names.joined(separator: ", ")
      )
    case .array where name == "length": return .int
    case .array(let element) where Int(name) != nil: return .optional(element)
    case let type where type.isText && name == "length": return .int
    case let type:
      throw Diagnostic(
        .noSuchField(name.printable(atMost: 30), in: type.text),
        at: span,
        hint: type.hintForParts
      )
    }
  }

  private var hintForParts: String {
    switch self {
    case .array: "a list has elements by number, and 'length'"
    case _ where isText: "a text has only 'length'"
    default: "remove the name, as in 'filter == 1' and 'map \"number {value}\"'"
    }
  }

  fileprivate func accumulated(
    by accumulation: PipeSpec.Accumulation,
    span: Range<Int>
  ) throws(Diagnostic) -> ValueType {
    switch accumulation {
    case .count: return .int
    case .join: return .string
    case .list: return .array(self)
    case .sum where wrapped == .any || wrapped.isNumber: return self
    case .min where wrapped == .any || wrapped.isNumber || wrapped.isText,
      .max where wrapped == .any || wrapped.isNumber || wrapped.isText:
      return self
    case .sum, .min, .max:
      throw Diagnostic(
        .unsuitableStage(
          "scan \(accumulation.rawValue)",
          takes: accumulation == .sum ? "numbers" : "numbers or texts",
          gets: "values of type \(text)"
        ),
        at: span,
        hint: "'map FIELD' before it takes a part of each value"
      )
    }
  }
}
