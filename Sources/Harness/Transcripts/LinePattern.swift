/// A pattern in expected output, such as `[..]` or `{{re}}`: reads it, and matches a line.
///
/// `[..]` matches any text within the line, `{{re}}` what a regular expression matches, `{{NAME:re}}` the same and
/// captures it, `{{NAME}}` the text that a line above captured. Everything else is literal.
package struct LinePattern: Equatable {
  enum Segment: Equatable {
    case literal([UInt8])
    case anyText
    case expression(Expression)
    case capture(String, Expression)
    case reference(String)
  }

  private(set) var segments: [Segment] = []

  /// The number of literal bytes.
  var literalCount: Int {
    segments.reduce(0) { count, segment in
      if case .literal(let text) = segment { count + text.count } else { count }
    }
  }

  /// A fast check whether a line may be a pattern; most lines are not.
  static func mayBePattern(_ text: ArraySlice<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in text {
      if byte == UInt8(ascii: "{"), previous == byte { return true }
      if byte == UInt8(ascii: "."), previous == UInt8(ascii: "[") { return true }
      previous = byte
    }
    return false
  }

  /// Parses the pattern in a line; nil if the line is literal text.
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

  /// Returns a line of expected output that matches only a printed line: the line itself, or a pattern if the line looks
  /// like one.
  package static func line(matchingOnly printed: [UInt8]) -> [UInt8] {
    if printed.elementsEqual("...".utf8) { return Array("{{\\.{3}}}".utf8) }
    guard mayBePattern(printed[...]) else { return printed }
    do {
      if try LinePattern(printed) == nil { return printed }
    } catch {
      // A pattern with a mistake matches no other line, but is reported.
    }
    var line: [UInt8] = []
    var rest = printed[...]
    while let first = rest.first {
      if rest.starts(with: "[..]".utf8) {
        line += "{{\\[\\.\\.\\]}}".utf8
        rest = rest.dropFirst(4)
      } else if rest.starts(with: "{{".utf8) {
        // Braces that follow would belong to the end of the expression.
        let closing = rest.dropFirst(2).prefix { $0 == UInt8(ascii: "}") }.count
        line += "{{\\{\\{".utf8
        for _ in 0..<closing { line += "\\}".utf8 }
        line += "}}".utf8
        rest = rest.dropFirst(2 + closing)
      } else {
        line.append(first)
        rest = rest.dropFirst()
      }
    }
    return line
  }

  private mutating func append(literal: inout [UInt8]) {
    if !literal.isEmpty { segments.append(.literal(literal)) }
    literal = []
  }

  /// Returns the position of the `}}` that ends a placeholder: the last of a run, so that `{{\d{4}}}` works.
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

/// The texts that the `{{NAME:re}}` of a transcript have captured so far, by name.
package typealias Captures = [String: [UInt8]]

extension LinePattern {
  /// The names of captures that the pattern refers to.
  var references: [String] {
    segments.compactMap { if case .reference(let name) = $0 { name } else { nil } }
  }

  /// The same pattern, with any text in place of captured ones.
  var withOpenReferences: LinePattern {
    var pattern = self
    pattern.segments = segments.map { if case .reference = $0 { .anyText } else { $0 } }
    return pattern
  }

  /// Whether the pattern matches the whole line. Adds its captures if it does.
  ///
  /// Takes time linear in the line's length, whatever the expressions are.
  package func matches(_ line: [UInt8], _ captures: inout Captures) -> Bool {
    if let literal = literalSegments(captures) { return Self.glob(literal, line[...]) }
    guard let program = program(captures), program.canMatch(line.count) else { return false }
    let scalars = String(decoding: line, as: UTF8.self).unicodeScalars.map(\.value)
    guard let slots = program.match(scalars) else { return false }
    for (index, name) in captureNames.enumerated() {
      let text = scalars[slots[2 * index]..<slots[2 * index + 1]]
      var view = String.UnicodeScalarView()
      view.append(contentsOf: text.compactMap(Unicode.Scalar.init))
      captures[name] = Array(String(view).utf8)
    }
    return true
  }

  /// Whether lines of this length are too long for the pattern's expressions.
  func isTooDear(forLinesOf count: Int, _ captures: Captures) -> Bool {
    guard literalSegments(captures) == nil else { return false }
    let known = captures.merging(captureNames.map { ($0, []) }) { before, _ in before }
    return program(known).map { !$0.canMatch(count) } ?? false
  }

  /// The names that the pattern captures.
  var captureNames: [String] {
    segments.compactMap { if case .capture(let name, _) = $0 { name } else { nil } }
  }

  /// Returns the segments as literal texts, with nil for any text; nil if there is an expression.
  private func literalSegments(_ captures: Captures) -> [[UInt8]?]? {
    var result: [[UInt8]?] = []
    func append(_ text: [UInt8]) {
      if let last = result.last, let before = last {
        result[result.count - 1] = before + text
      } else {
        result.append(text)
      }
    }
    for segment in segments {
      switch segment {
      case .literal(let text): append(text)
      case .anyText: result.append(nil)
      case .reference(let name):
        guard let text = captures[name] else { return nil }
        append(text)
      case .expression, .capture: return nil
      }
    }
    return result
  }

  /// Matches greedily from the left, which finds a match if there is one.
  private static func glob(_ segments: [[UInt8]?], _ line: ArraySlice<UInt8>) -> Bool {
    var rest = line
    var floating = false
    for (index, segment) in segments.enumerated() {
      guard let text = segment else {
        floating = true
        continue
      }
      if !floating {
        guard rest.starts(with: text) else { return false }
        rest = rest.dropFirst(text.count)
      } else if index == segments.count - 1 {
        return rest.count >= text.count && rest.suffix(text.count).elementsEqual(text)
      } else {
        guard let end = find(text, in: rest) else { return false }
        rest = rest[end...]
        floating = false
      }
    }
    return floating || rest.isEmpty
  }

  private static func find(_ text: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
    guard text.count <= line.count else { return nil }
    for start in line.startIndex...(line.endIndex - text.count)
    where line[start...].starts(with: text) {
      return start + text.count
    }
    return nil
  }

  private func program(_ captures: Captures) -> ExpressionProgram? {
    var program = ExpressionProgram()
    var slot = 0
    for segment in segments {
      switch segment {
      case .literal(let text): program.add(literal: text)
      case .anyText: program.addAnyText()
      case .expression(let expression): program.add(expression.root)
      case .capture(_, let expression):
        program.addCapture(expression.root, slot: slot)
        slot += 2
      case .reference(let name):
        guard let text = captures[name] else { return nil }
        program.add(literal: text)
      }
    }
    program.finish(slots: slot)
    return program
  }
}
