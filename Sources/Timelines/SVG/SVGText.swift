import RehearsalBase

extension String {
  /// As text or as an attribute of XML and HTML: markup loses its meaning, and what could move, reorder
  /// or hide text is spelt out. Always well-formed.
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

  /// Its beginning, where it is wider than `columns`.
  func cut(toColumns columns: Int) -> String {
    escapingControls.cut(toColumns: columns, ellipsis: "…")
  }

  /// How wide it is in the pictures' fixed-width font of `size` points, a little generously.
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

  /// Whether XML forbids it, or has it only by name.
  fileprivate var isNoncharacter: Bool { value >= 0xFFFE && value & 0xFFFE == 0xFFFE }
}

extension Double {
  /// With one decimal at most, as pictures write their places.
  var inPoints: String {
    let tenths = Int((self * 10).rounded())
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    let text = rest == 0 ? "\(whole)" : "\(whole).\(rest)"
    return tenths < 0 ? "-" + text : text
  }
}
