import Workers

/// The lines that one command has printed, as one run of bytes, kept from command to command.
struct OutputLines {
  /// Bytes of one command's output that are kept; what a person reads is far below.
  static let limitInBytes = 1 << 20

  private(set) var bytes: [UInt8] = []
  /// Where each line ends in `bytes`; a line begins where the one before it ends.
  private(set) var ends: [Int] = []
  /// Whether something was printed beyond the limit and dropped.
  private(set) var isCut = false

  var count: Int { ends.count }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    isCut = false
  }

  func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// All lines, as arrays of their own.
  var lines: [[UInt8]] { ends.indices.map { Array(bytes[range($0)]) } }

  /// Adds a line, or several where the text holds line feeds; lines of blanks are not kept.
  mutating func append(_ text: String, mirroredTo slot: ProgressSlot?) {
    var text = text
    text.withUTF8 { buffer in
      var start = 0
      while start < buffer.count {
        let feed = lineFeed(in: buffer, from: start, to: buffer.count)
        var end = feed
        while end > start, buffer[end - 1] == .carriageReturn { end -= 1 }
        append(UnsafeBufferPointer(rebasing: buffer[start..<end]), slot)
        start = feed + 1
      }
    }
  }

  private mutating func append(_ line: UnsafeBufferPointer<UInt8>, _ slot: ProgressSlot?) {
    guard line.contains(where: { !$0.isBlank }) else { return }
    isCut = isCut || bytes.count + line.count > Self.limitInBytes
    // A flood ends at the limit for the slot too, or its report would depend on when it was killed.
    if isCut { return }
    slot?.output.append(line)
    bytes.append(contentsOf: line)
    ends.append(bytes.count)
  }
}
