import Workers

/// The output lines of one command: which are kept, without blank lines and up to a limit.
struct OutputLines {
  /// Maximum size of a command's stored output in bytes, far above what a person reads.
  static let limitInBytes = 1 << 20

  private(set) var bytes: [UInt8] = []
  /// The end of each line in `bytes`; a line begins where the previous one ends.
  private(set) var ends: [Int] = []
  /// Whether output above the limit was dropped.
  private(set) var isCut = false

  var count: Int { ends.count }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    isCut = false
  }

  func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// All lines as separate arrays.
  var lines: [[UInt8]] { ends.indices.map { Array(bytes[range($0)]) } }

  /// Adds one or more lines; blank lines are dropped.
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
    // The slot has the same limit. Otherwise the report would depend on when the worker was killed.
    if isCut { return }
    slot?.output.append(line)
    bytes.append(contentsOf: line)
    ends.append(bytes.count)
  }
}
