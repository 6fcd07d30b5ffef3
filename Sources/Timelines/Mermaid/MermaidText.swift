import RehearsalBase

/// Text inside Mermaid diagrams.
enum MermaidText {
  /// The maximum number of characters of a name or a value.
  private static let longest = 80

  /// Returns the text in one line without characters that are special in Mermaid or HTML. Letters
  /// and digits of all scripts stay; other characters become `#35;`.
  static func escape(_ text: String) -> String {
    let printable = text.printable(atMost: longest)
    let escaped = printable.unicodeScalars.reduce(into: "") { escaped, scalar in
      if isPlain(scalar) {
        escaped.unicodeScalars.append(scalar)
      } else {
        escaped += "#\(scalar.value);"
      }
    }
    return escaped.isEmpty ? "-" : escaped
  }

  /// Returns whether a character is special nowhere in Mermaid. All characters beyond ASCII are
  /// plain.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.isASCII else { return true }
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ", ".", "-", "_", "/", "+", "=", "!", "?", "'", "(",
      ")":
      return true
    default: return false
    }
  }
}
