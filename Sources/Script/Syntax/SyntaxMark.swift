import RehearsalBase

/// The kind of a part of a command, for its colour, and which parts of a text are mistakes.
package struct SyntaxMark: Sendable, Equatable {
  package let role: Role
  /// The range in bytes of the text.
  package let range: Range<Int>

  init(_ role: Role, _ range: Range<Int>) {
    self.role = role
    self.range = range
  }

  package enum Role: Sendable, Hashable {
    case verb, keyword, member, string, number, duration, comment
    /// A word that may be the name of a member or of something else.
    case name
    /// The name of a type or of a policy.
    case type, policy
    /// A JSON value. Its strings and numbers have their own marks.
    case value
    /// A certain mistake.
    case mistake
  }
}

extension Acceptable {
  /// Returns the kind of an expected word.
  var role: SyntaxMark.Role? { isMember ? .member : self == .policy ? .policy : nil }

  /// Whether it is the name of a member that should exist.
  package var isMember: Bool {
    switch self {
    case .member, .loadable, .process, .input: true
    case .keyword, .verb, .laterVerb, .kind, .policy, .type, .file, .topic, .endpoint, .target,
      .scene, .valueSource, .described, .sample:
      false
    }
  }
}

extension Script {
  /// Returns the parts of a text, which may be unfinished or wrong. If ranges overlap, the later
  /// one applies.
  package static func marks(in text: String, table: CommandTable) -> [SyntaxMark] {
    var parser = Parser(text, table: table, marking: true)
    let lexical = Lexer(parser.bytes).marks
    var mistake: SyntaxMark?
    if !parser.isAtEnd {
      do throws(Diagnostic) {
        _ = try parser.command()
      } catch {
        mistake = self.mistake(error, in: parser.bytes)
      }
    }
    let marks = parser.marks ?? []
    let read = marks.last.map(\.range.upperBound) ?? 0
    let values = marks.filter { $0.role == .value }
    // In parsed text, a number is only a number inside a value. In the rest, marks by appearance
    // are the best.
    let likely = lexical.filter { mark in
      switch mark.role {
      case .number, .duration:
        mark.range.lowerBound >= read || values.contains { $0.range.overlaps(mark.range) }
      default: true
      }
    }
    return marks + likely + (mistake.map { [$0] } ?? [])
  }

  /// Returns a mark for the mistake after the word is complete; before, it may still become right.
  private static func mistake(_ diagnostic: Diagnostic, in bytes: [UInt8]) -> SyntaxMark? {
    let span = diagnostic.span.clamped(to: 0..<bytes.count)
    guard !diagnostic.problem.isUnfinished, !span.isEmpty, span.upperBound < bytes.count else {
      return nil
    }
    return SyntaxMark(.mistake, span)
  }

  /// Whether the text ends inside a comment.
  package static func endsInComment(_ text: String) -> Bool {
    let lexer = Lexer(Array(text.utf8))
    guard let last = lexer.marks.last, last.role == .comment else { return false }
    return last.range.upperBound == text.utf8.count
  }
}

/// Finds parts by their appearance: quoted texts, numbers, durations, comments.
private struct Lexer {
  private(set) var marks: [SyntaxMark] = []

  init(_ bytes: [UInt8]) {
    var start = 0
    while start < bytes.count {
      let end = Self.end(ofPartAt: start, in: bytes)
      if let role = Self.role(of: bytes[start..<end]) {
        marks.append(SyntaxMark(role, start..<end))
      }
      start = end
    }
  }

  private static func end(ofPartAt start: Int, in bytes: [UInt8]) -> Int {
    let first = bytes[start]
    var end = start + 1
    if first == UInt8(ascii: "\"") {
      while end < bytes.count, bytes[end] != first {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(end + 1, bytes.count)
    }
    if first == UInt8(ascii: "#"), end == bytes.count || !bytes[end].isDigit {
      return bytes[end...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }
    guard first.isWordByte else { return end }
    while end < bytes.count, bytes[end].isWordByte { end += 1 }
    return end
  }

  private static func role(of part: ArraySlice<UInt8>) -> SyntaxMark.Role? {
    switch part.first {
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "#"): return part.dropFirst().first?.isDigit == true ? nil : .comment
    default: break
    }
    let digits = part.drop { $0 == UInt8(ascii: "-") }
    guard digits.first?.isDigit == true else { return nil }
    let unit = digits.drop { $0.isDigit || $0 == UInt8(ascii: ".") }
    if unit.isEmpty { return .number }
    let units = ["ns", "us", "µs", "ms", "s", "m", "min", "h"]
    return units.contains { $0.utf8.elementsEqual(unit) } ? .duration : nil
  }
}
