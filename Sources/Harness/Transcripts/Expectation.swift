/// The expected output of a command: decides whether printed lines match it, and what `...` matches.
package struct Expectation {
  package enum Meaning: Equatable {
    case literal
    case anyLines
    case pattern(LinePattern)
    case mistake(ExpressionProblem)
  }

  package struct Line: Equatable {
    package let text: [UInt8]
    package let meaning: Meaning

    /// Whether the line has the word of a failure, so that its author knows about the failure.
    fileprivate func names(_ failure: String) -> Bool {
      String(decoding: text, as: UTF8.self).contains(Expectation.word(of: failure))
    }

    fileprivate var hasReferences: Bool {
      if case .pattern(let pattern) = meaning { !pattern.references.isEmpty } else { false }
    }
  }

  package let lines: [Line]

  package init(_ texts: [[UInt8]]) {
    lines = texts.map { Line(text: $0, meaning: Self.meaning($0)) }
  }

  /// Creates lines without patterns.
  init(literal texts: [[UInt8]]) {
    lines = texts.map { Line(text: $0, meaning: .literal) }
  }

  /// Whether a line refers to a captured text.
  var hasReferences: Bool {
    lines.contains(where: \.hasReferences)
  }

  private static func meaning(_ text: [UInt8]) -> Meaning {
    if text.elementsEqual("...".utf8) { return .anyLines }
    guard LinePattern.mayBePattern(text[...]) else { return .literal }
    do throws(ExpressionProblem) {
      return try LinePattern(text).map(Meaning.pattern) ?? .literal
    } catch {
      return .mistake(error)
    }
  }

  /// Whether an expected line matches a printed one. Literal equality is tried first.
  func line(_ index: Int, matches text: [UInt8], _ captures: inout Captures) -> Bool {
    let line = lines[index]
    if line.text == text { return true }
    guard case .pattern(let pattern) = line.meaning else { return false }
    return pattern.matches(text, &captures)
  }

  /// Returns the word that a pattern for a failure must have. Most failures have a line with `error`; a run of transcripts
  /// says how many `failed`.
  static func word(of failure: String) -> String { failure.contains("error") ? "error" : "fail" }

  /// The same lines, but a reference to a captured text matches any text.
  var withOpenReferences: Expectation {
    Expectation(
      lines: lines.map { line in
        guard case .pattern(let pattern) = line.meaning else { return line }
        return Line(text: line.text, meaning: .pattern(pattern.withOpenReferences))
      }
    )
  }

  private init(lines: [Line]) { self.lines = lines }

  /// Whether the output is as expected. Keeps the captures if it is.
  func matches(_ output: [[UInt8]], _ captures: inout Captures) -> Bool {
    match(output, &captures) != nil
  }

  /// Returns which expected line matches each printed one, if the output is as expected; otherwise nil. Keeps the captures
  /// if it is.
  ///
  /// `...` matches as few lines as possible. A captured text never changes which lines `...` matches beyond the next
  /// `...`, so the search takes at most one pass per printed line.
  func match(_ output: [[UInt8]], _ captures: inout Captures) -> MatchedOutput? {
    var found = captures
    var matching: [Int?] = Array(repeating: nil, count: output.count)
    var (expected, actual) = (0, 0)
    var retry: (expected: Int, actual: Int, captures: Captures)?
    while actual < output.count || expected < lines.count {
      if expected < lines.count, lines[expected].meaning == .anyLines {
        expected += 1
        retry = (expected, actual, found)
      } else if expected < lines.count, actual < output.count,
        line(expected, matches: output[actual], &found)
      {
        matching[actual] = expected
        expected += 1
        actual += 1
      } else if let again = retry, again.actual < output.count {
        for index in again.actual..<actual { matching[index] = nil }
        retry = (again.expected, again.actual + 1, again.captures)
        (expected, actual, found) = (again.expected, again.actual + 1, again.captures)
      } else {
        return nil
      }
    }
    captures = found
    return MatchedOutput(self, output, matching)
  }

  /// Returns the mistakes in the patterns themselves, with the index of the line.
  ///
  /// - Parameters:
  ///   - captures: the captures of the lines above.
  ///   - longest: the length in bytes of the longest printed line.
  /// - Returns: the mistakes as text.
  func mistakes(_ captures: Captures, longest: Int) -> [(index: Int, sentence: String)] {
    var known = Set(captures.keys)
    var result: [(index: Int, sentence: String)] = []
    for (index, line) in lines.enumerated() {
      switch line.meaning {
      case .literal, .anyLines: break
      case .mistake(let problem): result.append((index, problem.sentence))
      case .pattern(let pattern):
        for name in pattern.references where !known.contains(name) {
          result.append((index, "no line above captures '\(name)'"))
        }
        known.formUnion(pattern.captureNames)
        if pattern.isTooDear(forLinesOf: longest, captures) {
          result.append(
            (index, "an expression cannot match a line of \(longest) bytes: it is too long")
          )
        }
      }
    }
    return result
  }
}

/// An output, and the expected lines that match its lines.
package struct MatchedOutput {
  /// The printed lines, each with the expected line that matches it; nil if none does, or `...`.
  private let lines: [(printed: [UInt8], expected: Expectation.Line?)]

  /// - Parameters:
  ///   - expectation: the expected lines.
  ///   - output: the printed lines.
  ///   - matching: for each printed line the index of the expected line, or nil.
  init(_ expectation: Expectation, _ output: [[UInt8]], _ matching: [Int?]) {
    lines = zip(output, matching).map { ($0, $1.map { expectation.lines[$0] }) }
  }

  func prints(_ line: String) -> Bool { lines.contains { $0.printed.elementsEqual(line.utf8) } }

  /// Returns the expected line that shows a failure: one that is literally the same, or a pattern with the word of the
  /// failure.
  ///
  /// - Parameter failure: the line that reports the failure.
  /// - Returns: the expected line; nil if there is none for one of the printed lines with this text.
  package func lineShowing(_ failure: String) -> String? {
    let text = Array(failure.utf8)
    var showing: Expectation.Line?
    for (printed, expected) in lines where printed == text {
      guard let expected, expected.text == text || expected.names(failure) else { return nil }
      showing = showing ?? expected
    }
    return showing.map { String(decoding: $0.text, as: UTF8.self) }
  }
}
