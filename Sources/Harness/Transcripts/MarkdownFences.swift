/// Decides which fences of a page are played, those marked `transcript` for this program, and which only look so.
///
/// A second word names the program that replays the fence, as in `transcript SearchShell`. Without it, any program
/// replays it.
///
/// Follows CommonMark, as parsed by `MarkdownBlocks`. Fences that look like transcripts but are not, because they are
/// in code, HTML, a block quote or an unclosed fence, are collected with their lines.
package struct MarkdownFences {
  /// The fence that was opened last.
  private struct Open {
    let fence: MarkdownBlocks.Fence
    /// The line of its opening marker.
    let line: Int
    let contentStart: Int
    let isTranscript: Bool
    /// Why it is not played although its mark is almost right.
    let slip: String?
    let program: String?
    /// The blocks of the page, including this fence.
    let page: MarkdownBlocks
    var nested: NestedFences
  }

  private static let tab = UInt8(ascii: "\t")

  package private(set) var transcripts: [Transcript] = []
  /// The programs of the fences that other programs replay, one for each fence.
  package private(set) var others: [String] = []
  /// Fences that almost look like transcripts, by their opening line, with the reason why they are not played.
  package private(set) var unplayed: [(line: Int, reason: String)] = []
  private let program: String
  private let path: String
  private let bytes: [UInt8]
  private var open: Open?
  private var conflict: (line: Int, length: Int, fences: Int)?

  /// Whether the page has neither a transcript nor a fence that may be meant as one.
  package var isEmpty: Bool { transcripts.isEmpty && others.isEmpty && unplayed.isEmpty }

  /// The transcripts in a Markdown file, in order.
  static func transcripts(path: String, bytes: [UInt8]) -> [Transcript] {
    MarkdownFences(path: path, bytes: bytes, program: ProgramName.current).transcripts
  }

  /// Reads a Markdown file.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - bytes: its content.
  ///   - program: the name of the program that replays the fences.
  package init(path: String, bytes: [UInt8], program: String) {
    (self.path, self.bytes, self.program) = (path, bytes, program)
    bytes.withUnsafeBufferPointer { read($0) }
    unplayed.sort { $0.line < $1.line }
  }

  private mutating func read(_ buffer: UnsafeBufferPointer<UInt8>) {
    var (blocks, ends) = (MarkdownBlocks(), LineSplitter(buffer, endsAtReturns: true))
    var start = buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 1
    while start < buffer.count {
      let (end, next, _) = ends.line(from: start, to: buffer.count)
      let line = blocks.read(buffer, start, end)
      switch line {
      case .content: open?.nested.read(buffer, start, end, line: number)
      case .closes: close(at: start, isClosed: true)
      case .opens, .html, .indentedCode, .other: close(at: start, isClosed: false, endsItem: true)
      }
      let text = buffer[start..<end]
      // Git also writes its conflict markers into HTML.
      let mayBeMarker = if case .html = line { true } else { line == .other }
      if case .opens(let fence) = line {
        let contentStart = min(next, buffer.count)
        open = opening(fence, in: blocks, buffer, start, line: number, contentStart: contentStart)
      } else if mayBeMarker, let length = ConflictMarker.length(of: text, UInt8(ascii: "<")) {
        conflict = (number, length, transcripts.count)
      } else if mayBeMarker, let begun = conflict,
        ConflictMarker.length(of: text, UInt8(ascii: ">")) == begun.length
      {
        conflict = nil
        // Both sides of the conflict are complete fences, which could be played.
        if transcripts.indices.contains(begun.fences) {
          transcripts[begun.fences].strays.append((begun.line, .conflict(lastLine: number)))
        }
      } else if line != .content, line != .closes, let mark = FenceMark(buffer, start, end),
        mark.isTranscript
      {
        unplayed.append((number, mark.reason(in: line)))
      }
      start = next
      number += 1
    }
    close(at: buffer.count, isClosed: false)
  }

  private func opening(
    _ fence: MarkdownBlocks.Fence,
    in page: MarkdownBlocks,
    _ buffer: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    line: Int,
    contentStart: Int
  ) -> Open {
    let words = buffer[fence.info].split(whereSeparator: \.isBlank)
      .map { String(decoding: $0, as: UTF8.self) }
    let isTranscript = words.first == NearMiss.word
    let other = words.dropFirst().first
    let front = buffer[start..<fence.info.lowerBound - fence.length]
    let slip: String? =
      if !isTranscript {
        NearMiss.reason(ofFence: words)
          ?? NearMiss.reason(ofSpelledFence: String(decoding: buffer[fence.info], as: UTF8.self))
      } else if fence.isQuoted {
        NearMiss.quotation
      } else if front.contains(Self.tab) {
        NearMiss.tab
      } else {
        other.flatMap { NearMiss.reason(ofProgram: $0, in: program) }
      }
    return Open(
      fence: fence,
      line: line,
      contentStart: contentStart,
      isTranscript: isTranscript,
      slip: slip,
      program: other,
      page: page,
      nested: NestedFences(in: fence, line: line)
    )
  }

  /// Ends the open fence, if there is one.
  ///
  /// - Parameters:
  ///   - end: the start of the line that ends it.
  ///   - isClosed: whether that line is a closing mark.
  ///   - endsItem: whether that line ends the list item that contains the fence.
  private mutating func close(at end: Int, isClosed: Bool, endsItem: Bool = false) {
    guard let open else { return }
    self.open = nil
    if let slip = open.slip { unplayed.append((open.line, slip)) }
    let isPlayed = open.isTranscript && open.slip == nil && (open.program ?? program) == program
    // In a transcript that is played, such lines are errors already.
    if !isPlayed { unplayed += open.nested.unplayed(isClosed: isClosed) }
    if isPlayed, endsItem { unplayed.append((open.line, NearMiss.endOfItem)) }
    guard open.isTranscript, open.slip == nil else { return }
    if let other = open.program, other != program { return others.append(other) }
    transcripts.append(
      Transcript(
        path: path,
        fence: transcripts.count + 1,
        bytes: bytes,
        part: open.contentStart..<max(end, open.contentStart),
        firstLine: open.line + 1,
        indentation: open.fence.column,
        page: open.page
      )
    )
  }
}

/// A line that looks like a fence marker, after spaces and the markers of lists and block quotes.
private struct FenceMark {
  let mark: UInt8
  let length: Int
  let isTranscript: Bool
  /// Whether nothing follows it, so that it may close a fence.
  let isBare: Bool
  private let hasTab: Bool
  /// Whether a character before it is not printable ASCII, such as a no-break space.
  private let hasForeign: Bool
  private let hasBackTick: Bool

  init?(_ buffer: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
    var place = start
    while place < end {
      let width = Self.isFront(buffer[place]) ? 1 : Self.widthOfInvisible(buffer[place..<end])
      if width == 0 { break }
      place += width
    }
    guard place < end, buffer[place] == UInt8(ascii: "`") || buffer[place] == UInt8(ascii: "~")
    else { return nil }
    mark = buffer[place]
    let info = buffer[place..<end].drop { [mark] in $0 == mark }
    length = end - place - info.count
    guard length >= 3 else { return nil }
    let word = info.split(maxSplits: 1, whereSeparator: \.isBlank).first
    isTranscript = word?.elementsEqual(NearMiss.word.utf8) == true
    isBare = word == nil
    hasTab = buffer[start..<place].contains(UInt8(ascii: "\t"))
    hasForeign = buffer[start..<place].contains { byte in
      byte >= 0x7F || byte < 0x20 && byte != UInt8(ascii: "\t")
    }
    hasBackTick = info.contains(UInt8(ascii: "`"))
  }

  /// Whether a byte may be part of white space, a control character, or part of the markers of lists and block quotes.
  private static func isFront(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), ..<0x20, 0x7F: true
    default: byte.isBlank || ">-+*.)".utf8.contains(byte)
    }
  }

  /// Returns the number of bytes of white space that is not ASCII, or of a character without width; 0 for others.
  private static func widthOfInvisible(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    guard let first = bytes.first, first >= 0x80 else { return 0 }
    let width = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let scalar = String(decoding: bytes.prefix(width), as: UTF8.self).unicodeScalars.first
    let properties = scalar?.properties
    let isInvisible =
      properties?.isWhitespace == true || properties?.generalCategory == .format
    return isInvisible ? width : 0
  }

  /// Returns why it does not open a fence.
  func reason(in line: MarkdownBlocks.Line) -> String {
    switch line {
    case .html(true): NearMiss.comment
    case .html(false): NearMiss.html
    default:
      if hasTab {
        NearMiss.tab
      } else if mark == UInt8(ascii: "`"), hasBackTick {
        NearMiss.backTick
      } else if hasForeign {
        NearMiss.foreign
      } else {
        NearMiss.indented
      }
    }
  }
}

/// Transcript fences within another fence. They are text, for example in an example of Markdown, unless the other
/// fence should have ended before them.
private struct NestedFences {
  private let fence: MarkdownBlocks.Fence
  private let line: Int
  private var lines: [Int] = []
  /// Whether a line would open a fence if the outer one were closed, and cannot be part of an example.
  private var isSuspicious = false
  /// The open fence of an example.
  private var inner: (mark: UInt8, length: Int)?

  init(in fence: MarkdownBlocks.Fence, line: Int) {
    (self.fence, self.line) = (fence, line)
  }

  mutating func read(
    _ buffer: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ end: Int,
    line: Int
  ) {
    guard let mark = FenceMark(buffer, start, end) else { return }
    if mark.isTranscript { lines.append(line) }
    if mark.mark == fence.mark, mark.length >= fence.length, !mark.isBare { isSuspicious = true }
    if let inner {
      guard mark.mark == inner.mark, mark.length >= inner.length else { return }
      if mark.isBare { self.inner = nil } else { isSuspicious = true }
    } else {
      inner = (mark.mark, mark.length)
    }
  }

  /// Returns the fences that are not played, with the reason.
  func unplayed(isClosed: Bool) -> [(line: Int, reason: String)] {
    guard !isClosed || isSuspicious else { return [] }
    return lines.map { ($0, NearMiss.nested(inFenceOfLine: line)) }
  }
}
