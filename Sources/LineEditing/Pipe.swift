import LibC

/// A pipe inside the process, to wake a thread that waits.
final class Pipe: Sendable {
  let readEnd: Int32
  let writeEnd: Int32

  /// Makes a pipe whose readers wait for a byte, or do not. Writers never wait: a full pipe already
  /// holds enough to wake its reader.
  ///
  /// - Throws: when the process has no descriptor left.
  init(readsBlock: Bool) throws(FailedCall) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    if !readsBlock { _ = fcntl(readEnd, F_SETFL, O_NONBLOCK) }
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
