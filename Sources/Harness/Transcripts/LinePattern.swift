/// A line of expected output that may stand for more than one text.
///
/// `[..]` is any text within the line, `{{re}}` a text that a regular expression matches,
/// `{{NAME:re}}` the same and remembered, `{{NAME}}` the text remembered of a line above. All else is literal.
package struct LinePattern: Equatable {
  enum Segment: Equatable {
    case literal([UInt8])
    case anyText
    case expression(Expression)
    case capture(String, Expression)
    case reference(String)
  }

  private(set) var segments: [Segment] = []

  /// How much of it stands for itself, in bytes.
  var literalCount: Int {
    segments.reduce(0) { count, segment in
      if case .literal(let text) = segment { count + text.count } else { count }
    }
  }

  /// Whether an expected line could be a pattern at all; most lines are not.
  static func mayBePattern(_ text: ArraySlice<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      if byte == UInt8(ascii: "{"), previous == byte { return true }
      if byte == UInt8(ascii: "."), previous == UInt8(ascii: "[") { return true }
      previous = byte
    }
    return false
  }

  /// Reads the pattern in a line, or returns nil when the line is only literal text.
  init?(_ line: [UInt8]) throws(ExpressionProblem) {
    var rest = line[...]
    var literal: [UInt8] = []
    while let first = rest.first {
      if rest.starts(with: "[..]".utf8) {
        append(literal: &literal)
        segments.append(.anyText)
        rest = rest.dropFirst(4)
      } else if rest.starts(with: "{{".utf8), let end = Self.close(rest) {
        append(literal: &literal)
        segments.append(try Self.placeholder(rest[rest.startIndex + 2..<end]))
        rest = rest[(end + 2)...]
      } else {
        literal.append(first)
        rest = rest.dropFirst()
      }
    }
    if segments.isEmpty { return nil }
    append(literal: &literal)
  }

  private mutating func append(literal: inout [UInt8]) {
    if !literal.isEmpty { segments.append(.literal(literal)) }
    literal = []
  }

  /// Where the `}}` stands that ends a placeholder: the last of a run, so that `{{\d{4}}}` works.
  private static func close(_ text: ArraySlice<UInt8>) -> Int? {
    let brace = UInt8(ascii: "}")
    var index = text.startIndex + 2
    while index + 1 < text.endIndex {
      if text[index] == brace, text[index + 1] == brace {
        while index + 2 < text.endIndex, text[index + 2] == brace { index += 1 }
        return index
      }
      index += 1
    }
    return nil
  }

  private static func placeholder(_ text: ArraySlice<UInt8>) throws(ExpressionProblem) -> Segment {
    let name = text.prefix { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard let first = name.first, first >= UInt8(ascii: "A") else {
      return .expression(try Expression(text))
    }
    if name.endIndex == text.endIndex { return .reference(String(decoding: name, as: UTF8.self)) }
    guard text[name.endIndex] == UInt8(ascii: ":") else {
      return .expression(try Expression(text))
    }
    let expression = try Expression(text[(name.endIndex + 1)...])
    return .capture(String(decoding: name, as: UTF8.self), expression)
  }
}
