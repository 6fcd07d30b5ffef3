extension JSONValue {
  /// The value as JSON on one line, nothing cut.
  package var text: String {
    var text = ""
    write(to: &text, budget: .max)
    return text
  }

  /// The value as JSON on one line; what would go beyond about `columns` columns is cut and its
  /// size told.
  package func text(within columns: Int) -> String {
    var text = ""
    write(to: &text, budget: columns)
    return text
  }

  private func write(to text: inout String, budget: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): Self.write(string, to: &text, budget: budget)
    case .array(let values):
      let end = text.utf8.count.addingClamped(budget)
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        if text.utf8.count >= end {
          text += "… \(values.count) elements"
          break
        }
        value.write(to: &text, budget: end == .max ? .max : end - text.utf8.count)
      }
      text += "]"
    case .object(let fields):
      let end = text.utf8.count.addingClamped(budget)
      text += "{"
      for (index, field) in fields.enumerated() {
        if index > 0 { text += ", " }
        if text.utf8.count >= end {
          text += "… \(fields.count) fields"
          break
        }
        Self.write(field.name, to: &text, budget: budget)
        text += ": "
        field.value.write(to: &text, budget: end == .max ? .max : max(1, end - text.utf8.count))
      }
      text += "}"
    }
  }

  /// Writes a string with its quotes; control characters are escaped, so that text from outside
  /// cannot steer a terminal.
  package static func write(_ string: String, to text: inout String, budget: Int) {
    text += "\""
    if string.utf8.count <= max(budget, shortestCut), string.utf8.allSatisfy(isPlain) {
      text += string
    } else {
      var left = max(budget, shortestCut)
      for scalar in string.unicodeScalars {
        if left == 0 {
          text += "…\" (\(string.utf8.count) bytes)"
          return
        }
        left -= 1
        append(scalar, to: &text)
      }
    }
    text += "\""
  }

  private static let shortestCut = 8

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    default:
      if scalar.needsEscape {
        // Beyond the first plane it takes a pair of surrogates.
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension String {
  /// The text with its controls escaped, cut to about so many characters: for words quoted from
  /// outside.
  package func printable(atMost limit: Int) -> String {
    let short = unicodeScalars.prefix(limit + 1)
    guard short.count > limit else { return escapingControls }
    return String(String.UnicodeScalarView(short.dropLast())).escapingControls + "…"
  }
}

extension Int {
  func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
