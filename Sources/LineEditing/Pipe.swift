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

  func send(_ byte: UInt8) {
    var byte = byte
    _ = write(writeEnd, &byte, 1)
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
