/// Rewrites the expected output of a transcript to what was printed, and nothing else.
struct TranscriptUpdate {
  /// The whole new file.
  let bytes: [UInt8]

  /// The file with the blocks that differ rewritten.
  ///
  /// Comments, blank lines and each expected line that still means its printed line stay; a
  /// pattern that kept its place but would not match as a whole gives way to literal text.
  init(_ transcript: Transcript, _ differences: [Replay.Difference]) {
    var removed: Set<Int> = []
    var inserted: [Int: [[UInt8]]] = [:]
    for difference in differences {
      let edit = BlockEdit(transcript, difference)
      removed.formUnion(edit.removed)
      inserted.merge(edit.inserted) { $0 + $1 }
    }
    bytes = Self.write(transcript, removed, inserted)
  }

  private static func write(
    _ transcript: Transcript,
    _ removed: Set<Int>,
    _ inserted: [Int: [[UInt8]]]
  ) -> [UInt8] {
    let source = transcript.bytes
    let newLine = lineEnd(of: transcript)
    var result: [UInt8] = []
    var copied = 0
    for (index, line) in transcript.lines.enumerated() {
      let next = endWithLineFeed(line, source)
      if removed.contains(index) {
        result += source[copied..<startOfLine(line, source)]
        copied = next
      }
      guard let texts = inserted[index] else { continue }
      result += source[copied..<next]
      copied = next
      if result.last != .lineFeed { result += newLine }
      for text in texts {
        result += Array(repeating: .space, count: transcript.indentation + 2) + text + newLine
      }
    }
    return result + source[copied...]
  }

  private static func lineEnd(of transcript: Transcript) -> [UInt8] {
    guard let first = transcript.lines.first else { return [.lineFeed] }
    let end = first.end
    let isCarriageReturn = end < transcript.bytes.count && transcript.bytes[end] == .carriageReturn
    return isCarriageReturn ? [.carriageReturn, .lineFeed] : [.lineFeed]
  }

  private static func startOfLine(_ line: TranscriptLine, _ source: [UInt8]) -> Int {
    var start = line.start
    while start > 0, source[start - 1] != .lineFeed { start -= 1 }
    return start
  }

  private static func endWithLineFeed(_ line: TranscriptLine, _ source: [UInt8]) -> Int {
    var end = line.end
    while end < source.count, source[end] != .lineFeed { end += 1 }
    return min(end + 1, source.count)
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
