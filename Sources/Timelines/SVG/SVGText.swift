import RehearsalBase

/// Escapes and measures text for SVG and HTML, and formats coordinates.
extension String {
  /// The text for XML and HTML, as content or attribute: markup is escaped, and invisible or
  /// reordering characters are spelled out. The result is always well-formed.
  var escapingMarkup: String {
    let text = escapingControls
    guard text.unicodeScalars.contains(where: \.needsEntity) else { return text }
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
      case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
      case _ where scalar.isNoncharacter: escaped.append("\u{FFFD}")
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  /// Returns the beginning, if the text is wider than `columns`.
  func cut(toColumns columns: Int) -> String {
    escapingControls.cut(toColumns: columns, ellipsis: "…")
  }

  /// Returns the width in the fixed-width font of `size` points, rounded up generously.
  func widthInPoints(_ size: Double = 12) -> Double {
    Double(widthInColumns) * size * 0.605
  }
}

extension Unicode.Scalar {
  fileprivate var needsEntity: Bool {
    switch self {
    case "&", "<", ">", "\"", "'": true
    default: isNoncharacter
    }
  }

  /// Whether XML forbids the character or allows it only as a reference.
  fileprivate var isNoncharacter: Bool { value >= 0xFFFE && value & 0xFFFE == 0xFFFE }
}

extension Double {
  /// The number with at most one decimal, for coordinates.
  var inPoints: String {
    let tenths = Int((self * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    let text = rest == 0 ? "\(whole)" : "\(whole).\(rest)"
    return tenths < 0 ? "-" + text : text
  }
}
