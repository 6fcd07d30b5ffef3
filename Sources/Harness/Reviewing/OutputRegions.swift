/// A transcript file, divided at the beginning and the end of each command's output.
///
/// An update changes only these regions, so the rest of a file and of its pending result is equal.
struct OutputRegions {
  struct Region {
    /// From the end of the command's text to the next command, or to the end of the transcript.
    let bytes: Range<Int>
    /// The line numbers of the command and its output in the file.
    let lines: ClosedRange<Int>
    let command: String
    /// The expected lines with their line numbers.
    let output: [(line: Int, text: [UInt8])]
    /// The other lines of the region: comments and blank lines.
    let rest: [[UInt8]]
  }

  private(set) var regions: [Region] = []
  private let bytes: [UInt8]

  init(path: String, bytes: [UInt8]) {
    self.bytes = bytes
    for transcript in Transcripts.parse(path, bytes, for: nil) {
      for index in transcript.blocks.indices { regions.append(Self.region(transcript, index)) }
    }
  }

  private static func region(_ transcript: Transcript, _ index: Int) -> Region {
    let block = transcript.blocks[index]
    let (lines, source) = (transcript.lines, transcript.bytes)
    let start = lines[block.commandEnd - 1].end
    var next = lines.count
    if index + 1 < transcript.blocks.count {
      next = transcript.blocks[index + 1].command
    } else if let fixtures = lines[block.end...].firstIndex(where: { $0.kind == .fixture }) {
      next = fixtures
    }
    var end = lines[next - 1].end
    while end < source.count, source[end] != .lineFeed { end += 1 }
    let first = transcript.lineNumber(block.command)
    return Region(
      bytes: start..<min(end + 1, source.count),
      lines: first...max(first, transcript.lineNumber(next - 1)),
      command: transcript.command(block),
      output: transcript.expected(block).map { (transcript.lineNumber($0.index), $0.text) },
      rest: lines[block.commandEnd..<next].filter { $0.kind != .output }
        .map { Array(source[$0.start..<$0.end]) }
    )
  }

  /// The bytes of one region.
  func text(_ index: Int) -> ArraySlice<UInt8> { bytes[regions[index].bytes] }

  /// Whether another file has the same commands and differs only in their output.
  func differOnlyInOutput(from other: OutputRegions) -> Bool {
    regions.count == other.regions.count
      && (0...regions.count).allSatisfy { between($0) == other.between($0) }
      && zip(regions, other.regions).allSatisfy { $0.rest == $1.rest }
  }

  /// Returns the file with other text in some regions.
  func replacing(_ texts: [Int: ArraySlice<UInt8>]) -> [UInt8] {
    TextEdit.apply(
      texts.map { TextEdit(range: regions[$0.key].bytes, replacement: Array($0.value)) },
      to: bytes
    )
  }

  /// Returns the text before a region, or after the last one.
  private func between(_ index: Int) -> ArraySlice<UInt8> {
    let start = index == 0 ? 0 : regions[index - 1].bytes.upperBound
    let end = index == regions.count ? bytes.count : regions[index].bytes.lowerBound
    return bytes[start..<end]
  }
}
