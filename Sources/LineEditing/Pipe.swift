import LibC

/// A pipe inside the process, to wake a thread that waits.
final class Pipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  /// Makes a pipe whose readers wait for a byte, or do not. Writers never wait: a full pipe already
  /// holds enough to wake its reader.
  ///
  /// - Throws: when the process has no descriptor left.
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

  /// Takes the bytes that have arrived. Of a pipe whose reads do not block.
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
