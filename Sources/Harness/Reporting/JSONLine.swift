package import RehearsalBase

/// A line of JSON: an object whose first field, `type`, names its kind. `docs/json.md` lists them.
package struct JSONLine {
  private let type: String
  private var number: Int?
  /// The fields after the type, each preceded by a comma.
  private var fields = JSONText(escaping: .controls)

  package init(_ type: String) { self.type = type }

  /// A line with the encoded fields of a value.
  package init(_ type: String, encoding value: some Encodable) {
    self = JSONLine(type).with(fieldsOf: JSONText(encoding: value).text)
  }

  /// Raised for changes that old readers would misread. New types and new fields do not raise it.
  package static let schemaVersion = 1

  /// The first line of every program's output.
  package static func begin(program: String, version: String) -> JSONLine {
    JSONLine("begin").with("schema", schemaVersion).with("program", program)
      .with("version", version)
  }

  /// A mistake in a text. Line and column count from 1.
  package static func error(
    _ problem: String,
    hint: String? = nil,
    number: Int? = nil,
    line: Int? = nil,
    column: Int? = nil
  ) -> JSONLine {
    JSONLine("error").with("number", number).with("line", line).with("column", column)
      .with("problem", problem).with("hint", hint)
  }

  /// Adds a field, unless the value is nil. A duration is a number of seconds.
  package func with(_ name: String, _ value: (some Encodable)?) -> JSONLine {
    guard let value else { return self }
    var line = self
    line.fields.append(", \(JSONText(encoding: name).text): ")
    line.fields.append(encoding: value)
    return line
  }

  /// Adds a field, unless the value is nil.
  package func with(_ name: String, _ value: JSONValue?) -> JSONLine {
    guard let value else { return self }
    var line = self
    line.fields.append(", \(JSONText(encoding: name).text): \(value.text)")
    return line
  }

  /// Adds the number of the command, after the type.
  package func numbered(_ number: Int) -> JSONLine {
    var line = self
    line.number = number
    return line
  }

  /// Adds the fields of an object that is already JSON text.
  package func with(fieldsOf object: String) -> JSONLine {
    var line = self
    line.fields.append(", " + object.dropFirst().dropLast())
    return line
  }

  /// The object, with its line feed.
  package var text: String {
    let number = number.map { ", \"number\": \($0)" } ?? ""
    return "{\"type\": \(JSONText(encoding: type).text)\(number)\(fields.text)}\n"
  }
}
