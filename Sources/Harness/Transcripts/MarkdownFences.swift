/// Finds the fences of a Markdown text that are marked `transcript`.
///
/// A second word names the program that replays the fence, `transcript SearchShell`; without it, that is
/// whichever program reads the text.
///
/// Follows CommonMark: a fence may stand in an item of a list, three or more back-ticks or tildes open a fence, at least as many of the
/// same close it, inside a longer fence a shorter one is text, and so is what stands in a comment of HTML; that one
/// goes on until it is closed, also where it began in an item of a list or within other HTML.
struct MarkdownFences {
  private struct Open {
    var mark: UInt8
    var length: Int
    var indentation: Int
    /// Whether it is the first line of an item of a list, with which it ends.
    var isInItem: Bool
    var isTranscript: Bool
    /// Why it is not played, where somebody may think that it is.
    var slip: String?
    var program: String?
    var contentStart: Int
    var firstLine: Int
  }

  private static let tab = UInt8(ascii: "\t")

  private(set) var transcripts: [Transcript] = []
  /// The programs of the fences that are left to others, one for each fence.
  private(set) var others: [String] = []
  /// Why fences are not played that nearly look like transcripts, by the line where they open.
  private(set) var unplayed: [(line: Int, reason: String)] = []
  private let program: String
  private var isInComment = false

  /// The transcripts in a Markdown file, in order.
  static func transcripts(path: String, bytes: [UInt8]) -> [Transcript] {
    MarkdownFences(path: path, bytes: bytes, program: ProgramName.current).transcripts
  }

  /// Reads a Markdown file.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - bytes: its content.
  ///   - program: the name of who replays the fences.
  init(path: String, bytes: [UInt8], program: String) {
    self.program = program
    var open: Open?
    var conflict: (line: Int, length: Int, fences: Int)?
    var number = 1
    bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while start < buffer.count {
        let end = lineFeed(in: buffer, from: start, to: buffer.count)
        let line = buffer[start..<end]
        if let current = open, current.isInItem, Self.isOutside(line, current) {
          add(current, start, path, bytes)
          open = nil
        }
        if let current = open {
          if Self.closes(line, current) {
            add(current, start, path, bytes)
            open = nil
          }
        } else if let length = ConflictMarker.length(of: line, UInt8(ascii: "<")) {
          conflict = (number, length, transcripts.count)
        } else if let begun = conflict,
          ConflictMarker.length(of: line, UInt8(ascii: ">")) == begun.length
        {
          conflict = nil
          // Both sides of it are whole fences, each of which could be played.
          if transcripts.indices.contains(begun.fences) {
            transcripts[begun.fences].strays.append((begun.line, .conflict(lastLine: number)))
          }
        } else if isComment(line) {
          let fence = opening(line, contentStart: end, nextLine: number + 1)
          if fence?.isTranscript == true { unplayed.append((number, NearMiss.comment)) }
        } else {
          open = opening(line, contentStart: min(end + 1, buffer.count), nextLine: number + 1)
          if open == nil, let reason = Self.hiding(line) { unplayed.append((number, reason)) }
        }
        start = end + 1
        number += 1
      }
      if let current = open { add(current, buffer.count, path, bytes) }
    }
  }

  /// Whether a line belongs to a comment of HTML, which goes from a line that begins one to a line that ends one
  /// (CommonMark 0.31, "HTML blocks", second kind).
  private mutating func isComment(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    if !isInComment {
      let indentation = line.prefix { $0 == .space }.count
      guard indentation <= 3, line.dropFirst(indentation).starts(with: "<!--".utf8) else {
        return false
      }
    }
    isInComment = !line.contains("-->".utf8)
    return true
  }

  private mutating func add(_ open: Open, _ end: Int, _ path: String, _ bytes: [UInt8]) {
    if let slip = open.slip { unplayed.append((open.firstLine - 1, slip)) }
    guard open.isTranscript, open.slip == nil else { return }
    if let other = open.program, other != program { return others.append(other) }
    transcripts.append(
      Transcript(
        path: path,
        fence: transcripts.count + 1,
        bytes: bytes,
        part: open.contentStart..<end,
        firstLine: open.firstLine,
        indentation: open.indentation
      )
    )
  }

  private func opening(
    _ line: Slice<UnsafeBufferPointer<UInt8>>,
    contentStart: Int,
    nextLine: Int
  ) -> Open? {
    let indentation = Self.indentation(of: line)
    let front = line.prefix(indentation)
    let text = line.dropFirst(indentation)
    guard let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else {
      return nil
    }
    let length = text.prefix { $0 == mark }.count
    let info = text.dropFirst(length)
    guard length >= 3, mark != UInt8(ascii: "`") || !info.contains(mark) else { return nil }
    let words = info.split(whereSeparator: \.isBlank)
      .map { String(decoding: $0, as: UTF8.self) }
    let isTranscript = words.first == NearMiss.word
    let other = words.dropFirst().first
    return Open(
      mark: mark,
      length: length,
      indentation: indentation,
      isInItem: front.contains { $0 != .space },
      isTranscript: isTranscript,
      slip: isTranscript
        ? front.contains(Self.tab)
          ? NearMiss.tab : other.flatMap { NearMiss.reason(ofProgram: $0, in: program) }
        : NearMiss.reason(ofFence: words),
      program: other,
      contentStart: contentStart,
      firstLine: nextLine
    )
  }

  /// The blanks in front of a line, and what marks it as the first of an item of a list.
  private static func indentation(of line: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var rest = line.drop { $0 == .space }
    while let mark = listMark(rest) { rest = rest.dropFirst(mark).drop(while: \.isBlank) }
    return line.count - rest.count
  }

  /// Whether the item of a list has ended in which a fence was opened.
  private static func isOutside(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ open: Open) -> Bool {
    let blanks = line.prefix(while: \.isBlank)
    return blanks.count < line.count && blanks.count < open.indentation
      && !blanks.contains(tab)
  }

  /// How long the mark of an item is that a line begins with, as `-` and `12.`, where a blank follows.
  private static func listMark(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let digits = line.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let marks: StaticString = digits == 0 ? "-*+" : ".)"
    guard digits < 10, let mark = line.dropFirst(digits).first,
      marks.withUTF8Buffer({ $0.contains(mark) }),
      line.dropFirst(digits + 1).first?.isBlank == true
    else { return nil }
    return digits + 1
  }

  /// Why nobody plays a fence of transcripts that a line would open but for what stands in front of it; nil where it
  /// would not.
  private static func hiding(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
    var text = line[...]
    while let first = text.first {
      let mark = listMark(text) ?? 0
      if mark == 0, !first.isBlank, first != UInt8(ascii: ">") { break }
      text = text.dropFirst(max(1, mark))
    }
    let front = line.prefix(line.count - text.count)
    let isQuoted = front.contains(UInt8(ascii: ">"))
    guard isQuoted || front.contains(tab),
      let mark = text.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~"),
      text.prefix(while: { $0 == mark }).count >= 3,
      text.drop(while: { $0 == mark }).split(whereSeparator: \.isBlank).first?
        .elementsEqual(NearMiss.word.utf8) == true
    else { return nil }
    return isQuoted ? NearMiss.quotation : NearMiss.tab
  }

  private static func closes(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ open: Open) -> Bool {
    let indentation = line.prefix { $0 == .space }.count
    guard indentation <= open.indentation + 3 else { return false }
    let text = line.dropFirst(indentation)
    let length = text.prefix { $0 == open.mark }.count
    return length >= open.length && text.dropFirst(length).allSatisfy(\.isBlank)
  }
}
