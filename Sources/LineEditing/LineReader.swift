import LibC

/// Lines from a pipe or a file, without an editor.
///
/// A line ends in `\n` or `\r\n`; the last line needs neither. A byte order mark at the start is removed. An invalid
/// line is reported and skipped; the next call continues after it.
public struct LineReader {
  /// The result of waiting for a line.
  public enum Reading: Equatable, Sendable {
    /// A line, without its line break.
    case line(String)
    /// A line with more bytes before its `\n` than the limit. It was skipped.
    case tooLong(byteCount: Int)
    /// A line that is not UTF-8; `offset` is the number of valid bytes before the first invalid one.
    case notUTF8(offset: Int)
    /// There are no more lines. Later calls return the same.
    case end
    /// The descriptor could not be read; the value is an `errno`. The next call tries again.
    case failed(Int32)
  }

  /// Maximum length of a line in bytes, without its line break.
  public let byteLimit: Int
  /// The number of the line that `next` returned last, from 1.
  public private(set) var lineNumber = 0

  private let descriptor: Int32
  private var buffer: [UInt8]
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// Reads from the current position of `descriptor`. The caller closes it.
  public init(descriptor: Int32, byteLimit: Int = 1 << 20) {
    self.descriptor = descriptor
    self.byteLimit = byteLimit
    buffer = [UInt8](repeating: 0, count: 64 * 1024)
  }

  /// Waits for the next line.
  public mutating func next() -> Reading {
    var line: [UInt8] = []
    var byteCount = 0
    while true {
      if start == end {
        if let code = fill() { return .failed(code) }
        if isAtEnd { return byteCount == 0 ? .end : finish(line, byteCount) }
      }
      let piece = buffer[start..<end]
      let stop = piece.firstIndex(of: UInt8(ascii: "\n"))
      let taken = piece[..<(stop ?? end)]
      byteCount += taken.count
      // One more byte than the limit is kept, because it may be the carriage return.
      line += taken.prefix(max(0, byteLimit + 1 - line.count))
      start = stop.map { $0 + 1 } ?? end
      if stop != nil { return finish(line, byteCount) }
    }
  }

  /// Returns the lines that are available without waiting: all lines of a file, the current content of a pipe.
  package mutating func linesAtHand() -> [String] {
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    var bytes = Array(buffer[start..<end])
    start = end
    while bytes.count <= byteLimit, !isAtEnd {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard isFile || poll(&waiting, 1, 0) > 0, fill() == nil else { break }
      bytes += buffer[start..<end]
      start = end
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Reads more bytes. Returns an `errno` if that fails.
  private mutating func fill() -> Int32? {
    while !isAtEnd {
      let count = read(descriptor, &buffer, buffer.count)
      if count >= 0 {
        start = 0
        end = count
        isAtEnd = count == 0
        return nil
      }
      if errno == EAGAIN || errno == EWOULDBLOCK {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  private mutating func finish(_ bytes: [UInt8], _ byteCount: Int) -> Reading {
    lineNumber += 1
    var line = bytes[...]
    var length = byteCount
    if line.count == byteCount, line.last == UInt8(ascii: "\r") {
      line.removeLast()
      length -= 1
    }
    if lineNumber == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) {
      line.removeFirst(3)
      length -= 3
    }
    if length > byteLimit { return .tooLong(byteCount: byteCount) }
    if let text = String(validating: line, as: UTF8.self) { return .line(text) }
    return .notUTF8(offset: Self.validPrefix(of: line))
  }

  private static func validPrefix(of bytes: ArraySlice<UInt8>) -> Int {
    var decoder = UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while case .valid(let scalar) = decoder.parseScalar(from: &iterator) { offset += scalar.count }
    return offset
  }
}
