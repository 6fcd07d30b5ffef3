import RehearsalBase

/// Reads words and keywords of one command from left to right, skips blanks and comments, and notes the next
/// words that it would accept.
///
/// It can note everything that it would accept at one position. Completion, `?` and the hints of
/// diagnostics use these notes, so they suggest only what the parser accepts.
package struct Parser {
  package let source: String
  package let bytes: [UInt8]
  package private(set) var position: Int
  /// The end of the next word; `position` if there is none. Cached, because every keyword asks for
  /// it.
  private var wordEnd: Int
  /// The end of the last part. Blanks and comments may lie between it and `position`.
  package private(set) var endOfTaken = 0
  package let table: CommandTable
  /// The start of a JSON value that the text does not close.
  var openValue: Int?
  var depth = 0
  var pipePlace = PipePlace()
  /// The end of the alternative answers of the command; nil if it has no answers.
  var endOfAnswers: Int?
  /// The words that begin a clause of the command. They end a list of names.
  var clauseWords: Set<String> = []
  /// The same words of the command that began last, for hints about errors in it.
  var clausesOfMistake: Set<String> = []
  /// The start of the first command that this one contains.
  package internal(set) var startOfContained: Int?
  /// The effects of the commands that this command contains.
  var containedEffects: CommandEffects = []

  /// The first problem of skipped blanks and comments: something in them that was probably meant as a command.
  private var gapProblem: Diagnostic?

  private let watched: Int?
  package private(set) var expectations: [Acceptable] = []
  /// The kinds of the parts that were read, if requested.
  private(set) var marks: [SyntaxMark]?
  /// The blanks and comments between and after the parts, if marks are requested.
  private(set) var gaps: [Range<Int>] = []
  /// The possible continuations at the end of the text as help writes them, if requested.
  var rest: [String] = []
  var collectsRest = false

  /// Creates a parser of `text`. It notes what it would accept at the byte `watched`, if that is
  /// not nil.
  package init(
    _ text: String,
    table: CommandTable,
    watched: Int? = nil,
    marking: Bool = false,
    collectingRest: Bool = false
  ) {
    source = text
    bytes = Array(text.utf8)
    self.table = table
    self.watched = watched
    marks = marking ? [] : nil
    collectsRest = collectingRest
    (position, wordEnd) = Self.nextWord(in: bytes, from: 0)
    noteGap(0..<position)
  }

  // MARK: Position

  package var isAtEnd: Bool { position == bytes.count }

  /// The range for errors at this position: the next word, or the position after the last one.
  package var nextSpan: Range<Int> {
    if isAtEnd { return bytes.count..<bytes.count }
    if let word = wordRange() { return word }
    // An operator such as '==' is one word for the user.
    let sign = bytes[position...].prefix { "=<>!".utf8.contains($0) }
    return position..<(sign.isEmpty ? endOfScalar(at: position) : sign.endIndex)
  }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// Skips blanks and comments. A `#` before a digit is the number of an attempt.
  package mutating func skipBlanks() {
    let start = position
    (position, wordEnd) = Self.nextWord(in: bytes, from: start)
    noteGap(start..<position)
  }

  private mutating func noteGap(_ gap: Range<Int>) {
    guard gapProblem == nil, !gap.isEmpty else { return }
    // The common case is one blank.
    if gap.count == 1, bytes[gap.lowerBound] == UInt8(ascii: " ") { return }
    if let (lookalike, range) = LineEndLookalike.first(in: bytes, within: gap) {
      gapProblem = Diagnostic(.lineEndLookalike(lookalike), at: range, hint: lookalike.hint)
    } else if let range = swiftExpectation(in: gap) {
      let hint = "'help expect' shows how to check"
      gapProblem = Diagnostic(.swiftExpectation, at: range, .general(hint))
    }
  }

  /// Returns the first comment in a gap that would be an expectation in Swift.
  private func swiftExpectation(in gap: Range<Int>) -> Range<Int>? {
    var place = gap.lowerBound
    while let start = bytes[place..<gap.upperBound].firstIndex(of: UInt8(ascii: "#")) {
      let end = bytes[start..<gap.upperBound].firstIndex(of: UInt8(ascii: "\n")) ?? gap.upperBound
      if bytes[start..<end].withUnsafeBytes(\.beginsSwiftExpectation) { return start..<end }
      place = end
    }
    return nil
  }

  /// Throws an error if the skipped text hides a command: after a character that looks like a line end and is none, or as a
  /// comment that would be an expectation in Swift.
  package func refuseGap() throws(Diagnostic) {
    if let gapProblem { throw gapProblem }
  }

  /// Returns the next position after blanks and comments, and the end of the word there.
  private static func nextWord(in bytes: [UInt8], from start: Int) -> (start: Int, end: Int) {
    let start = nextPlace(in: bytes, from: start)
    var end = start
    guard start < bytes.count, bytes[start] != UInt8(ascii: "-"), bytes[start] != UInt8(ascii: ".")
    else { return (start, end) }
    while end < bytes.count, bytes[end].isWordByte { end += 1 }
    return (start, end)
  }

  private static func nextPlace(in bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        place += 1
      case UInt8(ascii: "#"):
        if place + 1 < bytes.count, bytes[place + 1].isDigit { return place }
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      default: return place
      }
    }
    return place
  }

  /// Notes the kind of a part. A later note about the same part overrides an earlier one.
  mutating func mark(_ role: SyntaxMark.Role, _ range: Range<Int>) {
    if marks?.last?.range == range { marks?.removeLast() }
    marks?.append(SyntaxMark(role, range))
  }

  // MARK: Looking ahead

  /// Whether expectations are requested at this position.
  var isWatched: Bool { position == watched }

  /// Notes that this would be accepted here.
  package mutating func expect(_ expectation: @autoclosure () -> Acceptable) {
    guard isWatched else { return }
    let expectation = expectation()
    if !expectations.contains(expectation) { expectations.append(expectation) }
  }

  /// Notes the beginnings of an optional slot, if the text ends before it.
  mutating func expectBeginning(of slot: any AnySlot) {
    guard isAtEnd, isWatched else { return }
    var probe = self
    var arguments = Arguments()
    try? slot.read(from: &probe, into: &arguments)
    for expectation in probe.expectations { expect(expectation) }
  }

  /// Returns the range of the next word, if a word is next.
  package func wordRange() -> Range<Int>? {
    wordEnd > position ? position..<wordEnd : nil
  }

  package func isNext(_ keyword: String) -> Bool {
    guard wordEnd - position == keyword.utf8.count else { return false }
    var place = position
    for byte in keyword.utf8 {
      if bytes[place] != byte { return false }
      place += 1
    }
    return place > position
  }

  package func isNext(byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

  /// Whether a word is next that belongs to no clause of this command.
  package func isNextFreeWord() -> Bool {
    guard let range = wordRange() else { return false }
    return clauseWords.isEmpty || !clauseWords.contains(text(range))
  }

  // MARK: Reading

  package mutating func take(to end: Int) {
    position = end
    endOfTaken = end
    skipBlanks()
    if marks != nil, position > end { gaps.append(end..<position) }
  }

  /// Reads a keyword if it is next.
  package mutating func accept(_ keyword: String) -> Range<Int>? {
    expect(.keyword(keyword))
    guard isNext(keyword) else { return nil }
    let span = position..<position + keyword.utf8.count
    mark(.keyword, span)
    take(to: span.upperBound)
    return span
  }

  package mutating func accept(byte: UInt8) -> Bool {
    expect(.keyword(String(UnicodeScalar(byte))))
    guard isNext(byte: byte) else { return false }
    take(to: position + 1)
    return true
  }

  /// Reads any word.
  package mutating func word(_ what: String) throws(Diagnostic) -> Located<String> {
    guard let range = wordRange() else { throw expected(what) }
    let word = Located(text(range), at: range)
    mark(.name, range)
    take(to: range.upperBound)
    return word
  }

  /// Returns a diagnostic with the expected and the actual text.
  package func expected(_ what: String, hint: String? = nil) -> Diagnostic {
    expected(what, hint.map { .advice($0) })
  }

  package func expected(_ what: String, _ remedy: Hint?) -> Diagnostic {
    let found = isAtEnd ? nil : text(nextSpan).printable(atMost: 30)
    return Diagnostic(.expected(what, found: found), at: nextSpan, remedy)
  }

  private func endOfScalar(at start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}

/// Something that is accepted at a position in a command.
package enum Acceptable: Sendable, Hashable {
  case keyword(String)
  case verb, laterVerb, member, loadable, process, kind, policy, type, file, topic, endpoint, target
  case scene, input
  /// A member that has values for pipes.
  case valueSource
  /// A keyword with its meaning.
  case described(String, String)
  /// Something with a description and an example.
  case sample(String, example: String)
}
