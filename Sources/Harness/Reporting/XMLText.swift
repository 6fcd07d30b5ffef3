/// Builds XML, and the parts of HTML that are also XML.
struct XMLText {
  private(set) var text: String

  init(_ text: String = "") { self.text = text }

  /// Adds trusted markup.
  mutating func raw(_ markup: String) { text += markup }

  /// Adds text from any source, escaped.
  mutating func content(_ content: String) { text += Self.escaped(content) }

  /// Adds an attribute, preceded by a space. Control characters are spelled out, not dropped. A tab becomes a character
  /// reference, because XML readers replace a literal tab by a space.
  mutating func attribute(_ name: String, _ value: String) {
    let value = Self.escaped(FailureText.visible(value)).split(
      separator: "\t",
      omittingEmptySubsequences: false
    )
    text += " \(name)=\"\(value.joined(separator: "&#9;"))\""
  }

  /// Escapes markup and removes the characters that XML does not permit.
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
