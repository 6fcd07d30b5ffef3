import RehearsalBase
import Script

extension ValueType {
  /// Throws if no value of the type can match: the part at the path does not exist, or has another type than the expected
  /// value.
  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    let type = try part(at: pattern.value.path, span: pattern.span)
    guard let value = pattern.value.value, let problem = type.mismatch(with: value) else { return }
    throw Diagnostic(problem, at: pattern.span)
  }

  /// Returns the type of the field at a path.
  func part(at path: [String], span: Range<Int>) throws(Diagnostic) -> ValueType {
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
    default: "a value of the type \(text) has no parts; leave out the name"
    }
  }

  var isText: Bool {
    switch self {
    case .string, .text, .data, .image, .date(.iso8601), .date(.pattern): true
    default: false
    }
  }

  /// The type without optionals around it.
  var wrapped: ValueType {
    if case .optional(let type) = self { type.wrapped } else { self }
  }
}
