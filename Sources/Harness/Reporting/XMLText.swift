/// Text with elements: XML, and HTML as far as it is the same.
struct XMLText {
  private(set) var text: String

  init(_ text: String = "") { self.text = text }

  /// Adds markup of our own.
  mutating func raw(_ markup: String) { text += markup }

  /// Adds text from anywhere.
  mutating func content(_ content: String) { text += Self.escaped(content) }

  /// Adds an attribute with its blank in front. What a terminal would obey is spelt out, and not left
  /// out; a tab is its number, since a reader takes it for a blank.
  mutating func attribute(_ name: String, _ value: String) {
    let value = Self.escaped(FailureText.visible(value)).split(
      separator: "\t",
      omittingEmptySubsequences: false
    )
    text += " \(name)=\"\(value.joined(separator: "&#9;"))\""
  }

  /// The text with what is markup spelt out, and without the characters that XML cannot hold.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{FFFE}", "\u{FFFF}": break
      default:
        if scalar.properties.generalCategory != .control { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
