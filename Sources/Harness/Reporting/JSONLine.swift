package import RehearsalBase

/// A line of JSON for programs: an object that says with `type` what it is. `docs/json.md` lists them.
package struct JSONLine {
  private var fields: [JSONValue.Field]
  /// Fields that are text already.
  private var rest = ""

  package init(_ type: String) { fields = [.init(name: "type", value: .string(type))] }

  /// Raised when old readers would misunderstand; new types and new fields alone do not raise it.
  package static let schemaVersion = 1

  /// The line that the output of every program begins with.
  package static func begin(program: String, version: String) -> JSONLine {
    JSONLine("begin").with("schema", schemaVersion).with("program", program)
      .with("version", version)
  }

  /// A mistake. Its place is in the text that it is about, both numbers from 1.
  package static func error(
    _ problem: String,
    hint: String? = nil,
    number: Int? = nil,
    line: Int? = nil,
    column: Int? = nil
  ) -> JSONLine {
    JSONLine("error").with("number", number).with("line", line).with("column", column).with(
      "problem",
      problem
    )
    .with("hint", hint)
  }

  // MARK: Adding fields

  /// Adds a field, unless there is nothing to say.
  package func with(_ name: String, _ value: JSONValue?) -> JSONLine {
    guard let value else { return self }
    var line = self
    line.fields.append(.init(name: name, value: value))
    return line
  }

  package func with(_ name: String, _ text: String?) -> JSONLine {
    with(name, text.map(JSONValue.string))
  }

  package func with(_ name: String, _ number: Int?) -> JSONLine {
    with(name, number.map { JSONValue.number("\($0)") })
  }

  package func with(_ name: String, _ flag: Bool) -> JSONLine { with(name, JSONValue.bool(flag)) }

  /// A time, in seconds, exactly.
  package func with(_ name: String, _ time: Duration) -> JSONLine {
    var digits = time.fixed.dropLast()
    while digits.last == "0" { digits.removeLast() }
    if digits.last == "." { digits.removeLast() }
    return with(name, JSONValue.number(String(digits)))
  }

  package func with(_ name: String, _ texts: [String]) -> JSONLine {
    with(name, JSONValue.array(texts.map(JSONValue.string)))
  }

  /// Adds the number of the command that it is about, behind the type.
  package func numbered(_ number: Int) -> JSONLine {
    var line = self
    line.fields.insert(.init(name: "number", value: .number("\(number)")), at: 1)
    return line
  }

  /// Adds the fields of an object that is text already.
  package func with(fieldsOf object: String) -> JSONLine {
    var line = self
    line.rest += ", " + object.dropFirst().dropLast()
    return line
  }

  /// The object, with its line feed.
  package var text: String {
    JSONValue.object(fields).text.dropLast() + rest + "}\n"
  }
}
