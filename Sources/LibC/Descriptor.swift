/// Reads and writes open file descriptors.
package enum Descriptor {
  /// Reads once, and repeats the call if a signal interrupted it. Returns the result of the system
  /// call.
  package static func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
    while true {
      let got = systemRead(file, buffer, count)
      if got >= 0 || errno != EINTR { return got }
    }
  }

  /// Returns the bytes that can be read at once, at most 64 KB. Nil at the end, after an error, or
  /// if a nonblocking descriptor has none.
  package static func readChunk(_ file: Int32) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(file, &chunk, chunk.count)
    return count > 0 ? Array(chunk[..<count]) : nil
  }

  /// Writes all bytes.
  package static func write(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { systemWrite(file, $0 + written, buffer.count - written) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError(code: count < 0 ? errno : EIO) }
      written += count
    }
  }

  /// Writes all bytes to a pipe or socket. A missing reader is reported as an error, not as a
  /// signal.
  package static func send(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    try write(bytes, to: file)
  }

  /// Returns whether bytes, or the end of the file, can be read within a time limit.
  package static func isReadable(_ file: Int32, withinMilliseconds limit: Int) -> Bool {
    var polled = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, Int32(clamping: limit)) > 0
  }

  /// Makes a pipe that spawned programs do not inherit.
  package static func makePipe(
    isNonblocking: Bool = false
  ) throws(SystemError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last }
    for end in ends {
      closeInPrograms(end)
      if isNonblocking { makeNonblocking(end) }
    }
    return (ends[0], ends[1])
  }

  /// Makes a descriptor nonblocking.
  package static func makeNonblocking(_ file: Int32) {
    _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
  }

  /// Makes spawned programs not inherit a descriptor.
  package static func closeInPrograms(_ file: Int32) { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
}

// The methods with the same names hide these functions.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(file, buffer, count)
}
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(file, bytes, count)
}
