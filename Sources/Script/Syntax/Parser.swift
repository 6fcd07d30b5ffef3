import RehearsalBase

/// Reads one command from left to right.
///
/// While it reads it can gather what it would have accepted at one place. Completion, `?` and the
/// hints of diagnostics come from there, so they never promise what the parser does not take.
package struct Parser {
  package let source: String
  package let bytes: [UInt8]
  package private(set) var position: Int
  /// Where the word that is next ends; `position` where none is. Kept, since every keyword asks.
  private var wordEnd: Int
  /// Where the last thing that was taken ended; blanks and comments may lie between it and `position`.
  package private(set) var endOfTaken = 0
  package let table: CommandTable
  /// Where a JSON value begins that the text does not close.
  var openValue: Int?
  var depth = 0
  var pipePlace = PipePlace()
  /// Where the answers end among which the command being read chooses; nil where it takes none.
  var endOfAnswers: Int?
  /// Words that begin a clause of the command being read; they end a list of names.
  var clauseWords: Set<String> = []
  /// The same of the command that was begun last, for hints on what went wrong in it.
  var clausesOfMistake: Set<String> = []
  /// Where the first command begins that this one contains.
  package internal(set) var startOfContained: Int?
  /// The effects of the commands that the command being read contains.
  var containedEffects: CommandEffects = []

  /// The first character among the skipped blanks and comments that looks like a line end and is none.
  private var lookalike: (LineEndLookalike, range: Range<Int>)?

  private let watched: Int?
  package private(set) var expectations: [Acceptable] = []
  /// What the parts that were read are, as far as somebody asks.
  private(set) var marks: [SyntaxMark]?
  /// Blanks and comments between and behind the parts that were read, as far as somebody asks for marks.
  private(set) var gaps: [Range<Int>] = []
  /// How help writes what may still follow the end of the text, as far as somebody asks.
  var rest: [String] = []
  var collectsRest = false

  /// Reads `text`; expectations are gathered at the byte `watched`, if there is one.
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
    noteLookalike(in: 0..<position)
  }

  // MARK: Where we are

  package var isAtEnd: Bool { position == bytes.count }

  /// Where a mistake at this place is shown: the next word, or the place after the last one.
  package var nextSpan: Range<Int> {
    if isAtEnd { return bytes.count..<bytes.count }
    if let word = wordRange() { return word }
    return position..<endOfScalar(at: position)
  }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// Skips blanks and comments. A `#` with a digit behind it is an attempt's number.
  package mutating func skipBlanks() {
    let start = position
    (position, wordEnd) = Self.nextWord(in: bytes, from: start)
    noteLookalike(in: start..<position)
  }

  private mutating func noteLookalike(in gap: Range<Int>) {
    guard lookalike == nil, !gap.isEmpty else { return }
    // Mostly it is one blank.
    if gap.count == 1, bytes[gap.lowerBound] == UInt8(ascii: " ") { return }
    lookalike = LineEndLookalike.first(in: bytes, within: gap)
  }

  /// Throws if the text that was skipped so far contains a character that looks like a line end and is none: it would
  /// hide a command after it, or join two.
  package func refuseLookalike() throws(Diagnostic) {
    guard let (lookalike, range) = lookalike else { return }
    throw Diagnostic(.lineEndLookalike(lookalike), at: range, hint: lookalike.hint)
  }

  /// Where something follows blanks and comments, and where that ends if it is a word.
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

  /// Notes what a part of the text was read as; who knows more of the same part speaks last.
  mutating func mark(_ role: SyntaxMark.Role, _ range: Range<Int>) {
    if marks?.last?.range == range { marks?.removeLast() }
    marks?.append(SyntaxMark(role, range))
  }

  // MARK: What comes next

  /// Whether anybody asks what would be accepted here.
  var isWatched: Bool { position == watched }

  /// Notes that this would be accepted here.
  package mutating func expect(_ expectation: @autoclosure () -> Acceptable) {
    guard isWatched else { return }
    let expectation = expectation()
    if !expectations.contains(expectation) { expectations.append(expectation) }
  }

  /// Notes what could begin a slot that may be left out, where the text ends before it.
  mutating func expectBeginning(of slot: any AnySlot) {
    guard isAtEnd, isWatched else { return }
    var probe = self
    var arguments = Arguments()
    try? slot.read(from: &probe, into: &arguments)
    for expectation in probe.expectations { expect(expectation) }
  }

  /// The next word, if a word is next.
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

  // MARK: Taking it

  package mutating func take(to end: Int) {
    position = end
    endOfTaken = end
    skipBlanks()
    if marks != nil, position > end { gaps.append(end..<position) }
  }

  /// Takes a keyword if it is next.
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

  /// Takes one word, whatever it says.
  package mutating func word(_ what: String) throws(Diagnostic) -> Located<String> {
    guard let range = wordRange() else { throw expected(what) }
    let word = Located(text(range), at: range)
    mark(.name, range)
    take(to: range.upperBound)
    return word
  }

  /// A diagnostic that says what was expected here and what is there instead.
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

/// Something that is accepted at a place in a command.
package enum Acceptable: Sendable, Hashable {
  case keyword(String)
  case verb, laterVerb, member, loadable, process, kind, policy, type, file, topic, endpoint, target
  case scene, input
  /// A member that has values for pipes.
  case valueSource
  /// A word that stands for itself, and what it does.
  case described(String, String)
  /// Anything that can only be described, with an example of it.
  case sample(String, example: String)
}
