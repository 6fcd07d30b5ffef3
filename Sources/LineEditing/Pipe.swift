import LibC

/// A pipe inside the process that wakes a waiting thread.
final class Pipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  /// Creates a pipe whose reads block or not. Writes never block: a full pipe already has enough bytes to wake its
  /// reader.
  ///
  /// - Throws: an error if the process has no free descriptor.
  init(readsBlock: Bool) throws(SystemError) {
    (readEnd, writeEnd) = try Descriptor.makePipe()
    Descriptor.makeNonblocking(writeEnd)
    if !readsBlock { Descriptor.makeNonblocking(readEnd) }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// - Returns: whether the pipe has taken the byte; false if it is full.
  @discardableResult func send(_ byte: UInt8) -> Bool {
    var byte = byte
    return write(writeEnd, &byte, 1) == 1
  }

  /// Waits for a byte, and removes it. Only for blocking reads.
  func waitForByte() {
    var byte: UInt8 = 0
    while read(readEnd, &byte, 1) < 0, errno == EINTR {}
  }

  /// Removes and returns the bytes that have arrived. Only for nonblocking reads.
  func take() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64)
    while true {
      let count = read(readEnd, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
