import LibC
import Synchronization

/// This process's end of the socket pair to a helper.
final class HelperSocket: Sendable {
  private let descriptor: Int32
  private let isClosed = Mutex(false)
  /// Serialises the frames.
  private let writing = Mutex(())

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Creates the two connected descriptors. Both are closed by `exec`.
  static func makePair() -> (HelperSocket, other: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
    guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
    var isOn: Int32 = 1
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &isOn, 4)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #else
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    #endif
    return (HelperSocket(ends[0]), ends[1])
  }

  /// Sends all bytes, and blocks while the other side is not reading.
  ///
  /// - Returns: false if the other side has closed.
  func send(_ bytes: [UInt8]) -> Bool {
    writing.withLock { _ in
      guard !isClosed.withLock({ $0 }) else { return false }
      return bytes.withUnsafeBytes { bytes in
        var start = 0
        while start < bytes.count {
          let count = systemSend(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return false }
          start += count
        }
        return true
      }
    }
  }

  /// Waits for bytes; nil if the other side has closed, or after `stop`.
  func receive() -> [UInt8]? { Descriptor.readChunk(descriptor) }

  /// Closes the connection, which unblocks senders and receivers.
  func stop() {
    isClosed.withLock { isClosed in
      if !isClosed { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  func close() {
    stop()
    writing.withLock { _ in
      isClosed.withLock { isClosed in
        if !isClosed { systemClose(descriptor) }
        isClosed = true
      }
    }
  }
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }

/// Sends without raising `SIGPIPE` if the socket has no reader.
private func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
  send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
  send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
