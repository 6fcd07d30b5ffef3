/// Rewrites the expected output of a transcript to what was printed, and nothing else.
struct TranscriptUpdate {
  /// What changes in the file, line by line.
  private(set) var edits: [TextEdit] = []
  private let transcript: Transcript

  /// The file with the blocks that differ rewritten.
  ///
  /// Comments, blank lines and each expected line that still means its printed line stay; a
  /// pattern that kept its place but would not match as a whole gives way to literal text.
  init(_ transcript: Transcript, _ differences: [Replay.Difference]) {
    self.transcript = transcript
    for difference in differences {
      let edit = BlockEdit(transcript, difference)
      edits += edit.removed.sorted().map { TextEdit(range: range(ofLine: $0), replacement: []) }
      edits += edit.inserted.sorted { $0.key < $1.key }.map { insertion($0.value, after: $0.key) }
    }
    keepOpenEnd()
  }

  /// The whole new file.
  var bytes: [UInt8] { TextEdit.apply(edits, to: transcript.bytes) }

  /// The transcript as it will be read from the new file.
  var updated: Transcript? { transcript.version(in: bytes) }

  private func insertion(_ texts: [[UInt8]], after index: Int) -> TextEdit {
    let place = range(ofLine: index).upperBound
    let indentation = Array(repeating: UInt8.space, count: transcript.indentation + 2)
    let lineEnd = transcript.lineEnd
    let isOpen = place > 0 && transcript.bytes[place - 1] != .lineFeed
    let text = texts.reduce(into: isOpen ? lineEnd : []) { $0 += indentation + $1 + lineEnd }
    return TextEdit(range: place..<place, replacement: text)
  }

  /// A file whose last line has no line feed ends without one also where that line is replaced.
  private mutating func keepOpenEnd() {
    let source = transcript.bytes
    guard let last = source.last, last != .lineFeed,
      let index = edits.indices.filter({ !edits[$0].replacement.isEmpty })
        .max(by: { edits[$0].range.lowerBound < edits[$1].range.lowerBound })
    else { return }
    let place = edits[index].range.lowerBound
    let removed = edits.filter { $0.range.lowerBound >= place }.reduce(0) { $0 + $1.range.count }
    guard removed > 0, removed == source.count - place else { return }
    let text = edits[index].replacement.dropLast(transcript.lineEnd.count)
    edits[index] = TextEdit(range: edits[index].range, replacement: Array(text))
  }

  /// The bytes of a line, with all that stands before its text, and its line feed.
  private func range(ofLine index: Int) -> Range<Int> {
    let (line, source) = (transcript.lines[index], transcript.bytes)
    var (start, end) = (line.start, line.end)
    while start > 0, source[start - 1] != .lineFeed { start -= 1 }
    while end < source.count, source[end] != .lineFeed { end += 1 }
    return start..<min(end + 1, source.count)
  }
}

extension Transcript {
  /// The same transcript in another content of its file.
  func version(in bytes: [UInt8]) -> Transcript? {
    if fence == 0 { return Transcript(path: path, bytes: bytes) }
    return MarkdownFences.transcripts(path: path, bytes: bytes).first { $0.fence == fence }
  }

  /// How lines of the file end, by its first one.
  fileprivate var lineEnd: [UInt8] {
    guard let end = lines.first?.end, end < bytes.count, bytes[end] == .carriageReturn else {
      return [.lineFeed]
    }
    return [.carriageReturn, .lineFeed]
  }
}

/// Which lines of one block go, and which come, each after a line of the transcript.
private struct BlockEdit {
  private(set) var removed: Set<Int> = []
  private(set) var inserted: [Int: [[UInt8]]] = [:]

  init(_ transcript: Transcript, _ difference: Replay.Difference) {
    let block = transcript.blocks[difference.block]
    let expected = transcript.expected(block)
    let expectation = Expectation(expected.map(\.text))
    let alignment = Alignment(expectation, difference.output, difference.captures)
    var kept: [[UInt8]] = []
    var place = block.commandEnd - 1
    for step in alignment.steps {
      switch step {
      case .keep(let index, _), .keepAnyLines(let index):
        place = expected[index].index
        kept.append(expected[index].text)
      case .taken: break
      case .remove(let index): removed.insert(expected[index].index)
      case .insert(let index):
        inserted[place, default: []].append(difference.output[index])
        kept.append(difference.output[index])
      }
    }
    var captures = difference.captures
    if Expectation(kept).matches(difference.output, &captures) { return }
    removed = Set(expected.map(\.index))
    inserted = difference.output.isEmpty ? [:] : [block.commandEnd - 1: difference.output]
  }
}
