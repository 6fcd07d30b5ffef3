package import RehearsalBase

/// A state as in `expect`, complete or partial, with `never` or the number of an attempt.
package struct StatePattern: Sendable, Equatable {
  /// The keyword before a state that a member must not have had.
  package static let negation = "never"
  /// The keyword before a state that a member must not have now.
  package static let difference = "not"

  /// The word `value` before a value.
  package let word: String
  package var kind: Located<String>?
  package var error: ErrorSpec?
  /// Any error of a kind, by its first word: `http`, `decoding`.
  package var errorKind: String?
  /// The part of the member's value that `value` is compared with; empty for the whole value.
  package var path: [String] = []
  package var value: JSONValue?
  package var attempt: Int?

  /// The word of a pattern for a value alone, as in pipes and inputs.
  package static let valueWord = "value"

  /// ` map author.name` for a part of the value; empty for the whole value.
  package var pathText: String { path.isEmpty ? "" : " map " + path.joined(separator: ".") }

  /// The state, without the path.
  package var text: String {
    var text = word == Self.valueWord ? "" : word
    if let kind { text += " " + kind.value }
    if let error { text += " " + error.text }
    if let errorKind { text += " " + errorKind }
    if let value { text += (text.isEmpty ? "" : " ") + value.text(within: 60) }
    if let attempt { text += " #\(attempt)" }
    return text
  }
}

extension Parser {
  package mutating func statePattern() throws(Diagnostic) -> Located<StatePattern> {
    let start = position
    let words = StateSpec.words
    guard let word = words.first(where: { isNext($0) }) else {
      for word in words { expect(.keyword(word)) }
      if isNextBareValue {
        let value = try value()
        return Located(
          StatePattern(word: StatePattern.valueWord, value: value.value),
          at: value.span
        )
      }
      throw expected("a state", hintForState())
    }
    _ = accept(word)
    var pattern = StatePattern(word: word)
    switch word {
    case "error": try readError(of: &pattern)
    case "loaded":
      expect(.sample("a JSON value", example: "\"text\""))
      if isNextValue { pattern.value = try value().value }
    case "running", "finished": pattern.kind = try patternKind()
    case "failed":
      if !isNextError { pattern.kind = try patternKind() }
      try readError(of: &pattern)
    default: break
    }
    expect(.sample("an attempt", example: "#1"))
    if isNext(byte: UInt8(ascii: "#")) { pattern.attempt = try attempt().value }
    return Located(pattern, at: start..<endOfTaken)
  }

  private mutating func readError(of pattern: inout StatePattern) throws(Diagnostic) {
    guard isNextError else {
      for word in ErrorSpec.words { expect(.keyword(word)) }
      return
    }
    for kind in ErrorSpec.kinds where isNext(kind) {
      var rest = self
      _ = rest.accept(kind)
      if rest.isNext(byte: UInt8(ascii: "\"")) || rest.isNextFreeWord() { continue }
      _ = accept(kind)
      pattern.errorKind = kind
      return
    }
    pattern.error = try error().value
  }

  /// Reads the number of an attempt: `#2`.
  package mutating func attempt() throws(Diagnostic) -> Located<Int> {
    let start = position
    guard accept(byte: UInt8(ascii: "#")) else { throw expected("an attempt, like #1") }
    let number = try integer("an attempt's number", in: 1...Int.max)
    return Located(number.value, at: start..<number.span.upperBound)
  }

  private mutating func patternKind() throws(Diagnostic) -> Located<String>? {
    expect(.kind)
    guard isNextFreeWord() else { return nil }
    return try word("a kind")
  }

  /// Whether a value is next that cannot be a word.
  var isNextBareValue: Bool {
    if ["true", "false", "null"].contains(where: { isNext($0) }) { return true }
    return position < bytes.count
      && (bytes[position].isDigit || "\"[{-".utf8.contains(bytes[position]))
  }

  private var isNextValue: Bool {
    guard !isAtEnd, !isNext(byte: UInt8(ascii: "#")) else { return false }
    return wordRange() == nil || isNextFreeWord()
  }
}
