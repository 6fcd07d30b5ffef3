import RehearsalBase

/// Text within diagrams of Mermaid.
enum MermaidText {
  /// The most characters of a name or a value.
  private static let longest = 80

  /// The same text in one line, in which nothing has a meaning to Mermaid or to HTML: letters and digits of
  /// all scripts stand for themselves, other signs are written as `#35;`.
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

  /// Signs of ASCII that have no meaning anywhere in Mermaid, and all that is no ASCII.
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
