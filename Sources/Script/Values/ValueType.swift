package import RehearsalBase

/// The type of a loadable's values, and which value fits it.
package indirect enum ValueType: Sendable, Hashable {
  case any, string, int, double, bool
  /// A whole body: its text, its number of bytes, or its image format. The value is a string.
  case text, data, image
  /// The value as it was written, a string or a number.
  case date(DateFormat)
  case optional(ValueType)
  case array(ValueType)
  case shape(String, [Field])

  package struct Field: Sendable, Hashable {
    package let name: String
    package let type: ValueType

    package init(name: String, type: ValueType) {
      self.name = name
      self.type = type
    }
  }

  /// A date format, as declared in a script.
  package enum DateFormat: Sendable, Hashable {
    case iso8601, seconds, milliseconds
    /// A pattern of fields, such as `yyyy-MM-dd`. It is validated elsewhere.
    case pattern(String)

    /// The format without quotes, for messages.
    package var words: String {
      switch self {
      case .iso8601: "iso8601"
      case .seconds: "seconds"
      case .milliseconds: "milliseconds"
      case .pattern(let pattern): pattern
      }
    }
  }

  package static let basic: [(name: String, type: ValueType)] = [
    ("String", .string), ("Int", .int), ("Double", .double), ("Bool", .bool),
    ("Date", .date(.iso8601)), ("JSON", .any), ("Text", .text), ("Data", .data), ("Image", .image),
  ]

  /// The type as in a command after a colon.
  package var text: String {
    switch self {
    case .any: "JSON"
    case .string: "String"
    case .int: "Int"
    case .double: "Double"
    case .bool: "Bool"
    case .text: "Text"
    case .data: "Data"
    case .image: "Image"
    case .date(.iso8601): "Date"
    case .date(.pattern(let pattern)): "Date " + pattern.inQuotes
    case .date(let format): "Date " + format.words
    case .optional(let type): type.text + "?"
    case .array(let type): "[" + type.text + "]"
    case .shape(let name, _): name
    }
  }

  /// Returns the path of the first part that does not fit; nil if the value fits.
  /// A value of a shape may have additional fields, as JSON from servers often does.
  /// A shape's value may have more fields than the shape names, as JSON from a server often does.
  package func mismatch(with value: JSONValue, path: String = "") -> Problem? {
    switch (self, value) {
    case (.any, _), (.string, .string), (.text, .string), (.data, .string), (.image, .string),
      (.bool, .bool), (.double, .number), (.optional, .null):
      return nil
    case (.date(.seconds), .number), (.date(.milliseconds), .number), (.date(.iso8601), .string),
      (.date(.pattern), .string):
      return nil
    case (.int, .number(let text)) where JSONValue.isWhole(text):
      return nil
    case (.optional(let type), _):
      return type.mismatch(with: value, path: path)
    case (.array(let type), .array(let values)):
      for (index, element) in values.enumerated() {
        if let problem = type.mismatch(with: element, path: "\(path)[\(index)]") { return problem }
      }
      return nil
    case (.shape(_, let fields), .object(let given)):
      for field in fields {
        let path = path.isEmpty ? field.name : path + "." + field.name
        let value = given.first { $0.name == field.name }?.value ?? .null
        if let problem = field.type.mismatch(with: value, path: path) { return problem }
      }
      return nil
    case (.string, _), (.int, _), (.double, _), (.bool, _), (.date, _), (.array, _), (.shape, _),
      (.text, _), (.data, _), (.image, _):
      return .wrongType(path: path, expected: text, found: value.kindInWords)
    }
  }
}

/// A type as written, before its names are resolved.
package indirect enum TypeExpression: Sendable, Hashable {
  case named(String, span: Range<Int>)
  case date(ValueType.DateFormat, span: Range<Int>)
  case optional(TypeExpression)
  case array(TypeExpression)

  /// Maximum nesting of types.
  static let deepest = 100
}
