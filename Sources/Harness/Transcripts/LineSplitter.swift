import LibC

/// Splits a file into lines: decides which bytes end a line, and which line end an update writes. A line ends at a line
/// feed, possibly after a carriage return, and in Markdown also at a carriage return alone.
struct LineSplitter {
  private let buffer: UnsafeBufferPointer<UInt8>
  private let endsAtReturns: Bool
  /// The positions of the next line feed and the next carriage return; the end of the text for none.
  private var (feed, carriage) = (-1, -1)

  init(_ buffer: UnsafeBufferPointer<UInt8>, endsAtReturns: Bool) {
    (self.buffer, self.endsAtReturns) = (buffer, endsAtReturns)
  }

  /// Returns the end of the line that begins at `start`, the start of the next one, and whether the line contains a
  /// carriage return.
  mutating func line(
    from start: Int,
    to limit: Int
  ) -> (end: Int, next: Int, hasReturn: Bool) {
    if feed < start { feed = find(.lineFeed, from: start) }
    if carriage < start { carriage = find(.carriageReturn, from: start) }
    var end = min(feed, limit)
    if endsAtReturns, carriage < end, carriage + 1 != feed {
      return (carriage, carriage + 1, false)
    }
    let next = end + 1
    if end > start, buffer[end - 1] == .carriageReturn { end -= 1 }
    return (end, next, carriage < end)
  }

  private func find(_ byte: UInt8, from start: Int) -> Int {
    guard let base = buffer.baseAddress, start < buffer.count,
      let found = memchr(base + start, Int32(byte), buffer.count - start)
    else { return buffer.count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}

extension Transcript {
  /// Whether the byte at a position may end a line of the transcript.
  package func endsLine(at place: Int) -> Bool {
    switch bytes[place] {
    case .lineFeed: true
    case .carriageReturn:
      fence > 0 && (place + 1 == bytes.count || bytes[place + 1] != .lineFeed)
    default: false
    }
  }

  /// The line ending of the text, taken from its first line.
  package var lineEnd: [UInt8] {
    guard let end = lines.first?.end, end < bytes.count, bytes[end] == .carriageReturn else {
      return [.lineFeed]
    }
    return endsLine(at: end) ? [.carriageReturn] : [.carriageReturn, .lineFeed]
  }
}
