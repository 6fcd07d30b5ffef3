/// Replaces the expected output of a transcript by the printed output, and changes nothing else.
struct TranscriptUpdate {
  /// The changes to the file, line by line.
  private(set) var edits: [TextEdit] = []
  private let transcript: Transcript

  /// Rewrites the blocks that differ.
  ///
  /// Comments, blank lines and each expected line that still matches its printed line stay. A pattern that kept its place
  /// but does not match as a whole is replaced by literal text.
  init(_ transcript: Transcript, _ differences: [Replay.Difference]) {
    self.transcript = transcript
    for difference in differences {
      let edit = BlockEdit(transcript, difference)
      edits += edit.inserted.sorted { $0.key < $1.key }.map { insertion($0.value, after: $0.key) }
      edits += edit.replaced.sorted { $0.key < $1.key }.map { replacement($0.value, of: $0.key) }
    }
    keepOpenEnd()
  }

  /// The whole new file.
  var bytes: [UInt8] { TextEdit.apply(edits, to: transcript.bytes) }

  /// The transcript as it will be read from the new file. The rest of a page is not parsed again, so an update of all
  /// fences takes time in proportion to the page's length.
  var updated: Transcript {
    let part = transcript.part
    let moved = edits.map { edit in
      let range = edit.range.lowerBound - part.lowerBound..<edit.range.upperBound - part.lowerBound
      return TextEdit(range: range, replacement: edit.replacement)
    }
    return transcript.version(of: TextEdit.apply(moved, to: Array(transcript.bytes[part])))
  }

  private func insertion(_ texts: [[UInt8]], after index: Int) -> TextEdit {
    let place = range(ofLine: index).upperBound
    let isOpen = place > 0 && !transcript.endsLine(at: place - 1)
    // A file may end after the carriage return of a line end.
    let front =
      !isOpen
      ? []
      : transcript.bytes[place - 1] == .carriageReturn ? [UInt8.lineFeed] : transcript.lineEnd
    return TextEdit(range: place..<place, replacement: front + lines(texts))
  }

  private func replacement(_ texts: [[UInt8]], of index: Int) -> TextEdit {
    TextEdit(range: range(ofLine: index), replacement: lines(texts))
  }

  private func lines(_ texts: [[UInt8]]) -> [UInt8] {
    let indentation = Array(repeating: UInt8.space, count: transcript.indentation + 2)
    return texts.reduce(into: []) { $0 += indentation + $1 + transcript.lineEnd }
  }

  /// If the last line of the file has no line feed, the new last line has none either.
  private mutating func keepOpenEnd() {
    let source = transcript.bytes
    guard !source.isEmpty, !transcript.endsLine(at: source.count - 1) else { return }
    var start = source.count
    let replacing = edits.filter { !$0.range.isEmpty }
    for edit in replacing.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      if edit.range.upperBound != start { break }
      start = edit.range.lowerBound
    }
    guard start < source.count else { return }
    let isAtEnd = { (edit: TextEdit) in edit.range.lowerBound >= start }
    let text = edits.filter(isAtEnd).sorted { $0.range.lowerBound < $1.range.lowerBound }
      .flatMap(\.replacement)
    edits.removeAll(where: isAtEnd)
    if text.isEmpty { start = endOfLine(above: start) }
    let open = Array(text.dropLast(transcript.lineEnd.count))
    edits.append(TextEdit(range: start..<source.count, replacement: open))
  }

  /// Returns the end of the text of the line above a position. An empty line keeps its line feed, because without it
  /// there would be no line.
  private func endOfLine(above start: Int) -> Int {
    let source = transcript.bytes
    var end = max(0, start - 1)
    if end > 0, source[end] == .lineFeed, source[end - 1] == .carriageReturn { end -= 1 }
    return end == 0 || transcript.endsLine(at: end - 1) ? start : end
  }

  /// Returns the bytes of a line, including the indentation and the line feed.
  private func range(ofLine index: Int) -> Range<Int> {
    let (line, source) = (transcript.lines[index], transcript.bytes)
    var (start, end) = (line.start, line.end)
    while start > 0, !transcript.endsLine(at: start - 1) { start -= 1 }
    while end < source.count, !transcript.endsLine(at: end) { end += 1 }
    return start..<min(end + 1, source.count)
  }
}

extension Transcript {
  /// Returns the same transcript with other lines. In a page it ends before a line that would end its fence.
  fileprivate func version(of lines: [UInt8]) -> Transcript {
    guard var page else { return Transcript(path: path, bytes: lines) }
    var end = lines.count
    lines.withUnsafeBufferPointer { buffer in
      var ends = LineSplitter(buffer, endsAtReturns: true)
      var start = 0
      while start < buffer.count {
        let line = ends.line(from: start, to: buffer.count)
        guard page.read(buffer, start, line.end) == .content else {
          end = start
          return
        }
        start = line.next
      }
    }
    return Transcript(
      path: path,
      fence: fence,
      bytes: lines,
      part: 0..<end,
      firstLine: firstLine,
      indentation: indentation,
      page: self.page
    )
  }
}

/// The removed lines of one block, and the inserted lines, each after a line of the transcript.
///
/// Inserted lines replace removed ones in place, so that a comment stays above its line.
private struct BlockEdit {
  private(set) var replaced: [Int: [[UInt8]]] = [:]
  private(set) var inserted: [Int: [[UInt8]]] = [:]
  /// The last kept line so far.
  private var place: Int
  /// The removed lines below it, and how many of them are already replaced.
  private var gone: (lines: [Int], taken: Int) = ([], 0)

  init(_ transcript: Transcript, _ difference: Replay.Difference) {
    let block = transcript.blocks[difference.block]
    let expected = transcript.expected(block)
    let expectation = Expectation(expected.map(\.text))
    let alignment = Alignment(expectation, difference.output, difference.captures)
    var kept: [[UInt8]] = []
    place = block.commandEnd - 1
    for step in alignment.steps {
      switch step {
      case .keep(let index, _), .keepAnyLines(let index):
        stay(expected[index].index)
        kept.append(expected[index].text)
      case .taken: break
      case .remove(let index): remove(expected[index].index)
      case .insert(let index):
        let line = LinePattern.line(matchingOnly: difference.output[index])
        insert(line)
        kept.append(line)
      }
    }
    var captures = difference.captures
    if Expectation(kept).matches(difference.output, &captures) { return }
    (replaced, inserted) = ([:], [:])
    stay(block.commandEnd - 1)
    for line in expected { remove(line.index) }
    for text in difference.output { insert(LinePattern.line(matchingOnly: text)) }
  }

  private mutating func stay(_ index: Int) {
    place = index
    gone = ([], 0)
  }

  private mutating func remove(_ index: Int) {
    replaced[index] = []
    gone.lines.append(index)
  }

  /// Inserts a line in place of the next removed one, or else below the previous insertion.
  private mutating func insert(_ text: [UInt8]) {
    guard let last = gone.lines.last else { return inserted[place, default: []].append(text) }
    let index = gone.taken < gone.lines.count ? gone.lines[gone.taken] : last
    gone.taken += 1
    replaced[index, default: []].append(text)
  }
}
