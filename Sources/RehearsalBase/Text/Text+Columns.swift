/// Computes the width of a text on a terminal, cuts it to columns, and escapes invisible characters.
extension Character {
  /// The width in columns of a terminal: 0, 1 or 2.
  ///
  /// Sequences that a terminal may draw as one picture (a family, a flag) count as 2, like their first part; terminals
  /// disagree about them.
  package var widthInColumns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII {
      return first.value < 0x20 || first.value == 0x7f ? 0 : 1
    }
    if unicodeScalars.contains(where: { $0.value == 0xfe0f }) {
      return 2
    }
    return first.widthInColumns
  }

  /// Whether it would move the caret, reorder text or be invisible.
  fileprivate var needsEscape: Bool { unicodeScalars.contains(where: \.needsEscape) }
}

extension Unicode.Scalar {
  /// Whether it takes one column next to others like it, as ASCII letters and box-drawing characters do.
  fileprivate var isPlain: Bool {
    switch value {
    case 0x20...0x7E, 0x2500...0x25BF, 0x2713, 0x2717, 0x2026: true
    default: false
    }
  }

  /// Whether it would move the caret, reorder text or be invisible.
  package var needsEscape: Bool {
    if isASCII { return value < 0x20 || value == 0x7f }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format: value != 0x200d && value != 0x200c
    default: false
    }
  }

  fileprivate var widthInColumns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return Self.isWide(value) ? 2 : 1
    }
  }

  /// The blocks with the East Asian Width property wide or full-width.
  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    switch value {
    case 0x1100...0x115f, 0x231a...0x231b, 0x2329...0x232a, 0x23e9...0x23ec, 0x23f0, 0x23f3,
      0x25fd...0x25fe, 0x2614...0x2615, 0x2648...0x2653, 0x267f, 0x2693, 0x26a1, 0x26aa...0x26ab,
      0x26bd...0x26be, 0x26c4...0x26c5, 0x26ce, 0x26d4, 0x26ea, 0x26f2...0x26f3, 0x26f5, 0x26fa,
      0x26fd, 0x2705, 0x270a...0x270b, 0x2728, 0x274c, 0x274e, 0x2753...0x2755, 0x2757,
      0x2795...0x2797, 0x27b0, 0x27bf, 0x2b1b...0x2b1c, 0x2b50, 0x2b55, 0x2e80...0x303e,
      0x3041...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
      0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18cff, 0x1aff0...0x1b2ff,
      0x1f004, 0x1f0cf, 0x1f18e, 0x1f191...0x1f19a, 0x1f1e6...0x1f1ff, 0x1f200...0x1f320,
      0x1f32d...0x1f335, 0x1f337...0x1f37c, 0x1f37e...0x1f393, 0x1f3a0...0x1f3ca,
      0x1f3cf...0x1f3d3, 0x1f3e0...0x1f3f0, 0x1f3f4, 0x1f3f8...0x1f43e, 0x1f440,
      0x1f442...0x1f4fc, 0x1f4ff...0x1f53d, 0x1f54b...0x1f54e, 0x1f550...0x1f567, 0x1f57a,
      0x1f595...0x1f596, 0x1f5a4, 0x1f5fb...0x1f64f, 0x1f680...0x1f6c5, 0x1f6cc, 0x1f6d0...0x1f6d2,
      0x1f6d5...0x1f6d7, 0x1f6dc...0x1f6df, 0x1f6eb...0x1f6ec, 0x1f6f4...0x1f6fc,
      0x1f7e0...0x1f7eb, 0x1f7f0, 0x1f90c...0x1f93a, 0x1f93c...0x1f945, 0x1f947...0x1f9ff,
      0x1fa70...0x1faff, 0x20000...0x3fffd:
      return true
    default:
      return false
    }
  }
}

extension String {
  /// The width in columns of a terminal, if it contains no control character.
  package var widthInColumns: Int {
    var count = 0
    for scalar in unicodeScalars {
      guard scalar.isPlain else { return reduce(0) { $0 + $1.widthInColumns } }
      count += 1
    }
    return count
  }

  /// The text with escapes for characters that move the caret, break the line or reorder text: `\n`, `\u{1B}`.
  package var escapingControls: String {
    guard unicodeScalars.contains(where: { !$0.isPlain && $0.needsEscape }) else { return self }
    return reduce(into: "") { text, character in
      if character.needsEscape {
        text += character.unicodeScalars.map(\.spelt).joined()
      } else {
        text.append(character)
      }
    }
  }

  /// Cuts a text that is wider than `columns`, and appends `ellipsis`.
  package func cut(toColumns columns: Int, ellipsis: String) -> String {
    guard widthInColumns > columns else { return self }
    var room = columns - ellipsis.widthInColumns
    guard room >= 0 else { return String(ellipsis.prefix(max(0, columns))) }
    var text = ""
    for character in self {
      room -= character.widthInColumns
      if room < 0 {
        break
      }
      text.append(character)
    }
    return text + ellipsis
  }
}

extension Unicode.Scalar {
  fileprivate var spelt: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default:
      Character(self).needsEscape
        ? "\\u{\(String(value, radix: 16, uppercase: true))}" : String(self)
    }
  }
}
