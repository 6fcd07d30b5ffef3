import LibC

/// A system call that failed, by its `errno`.
struct FailedCall: Error, Equatable {
  let code: Int32

  /// What the last call on this thread left in `errno`.
  static var last: FailedCall { FailedCall(code: errno) }
}

/// A file that is closed when it is no longer used.
struct OpenFile: ~Copyable {
  let number: Int32

  /// Opens a file that programs started later do not inherit. New files are for their owner only.
  init(opening path: String, _ flags: Int32) throws(FailedCall) {
    number = open(path, flags | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .last }
  }

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  func status() throws(FailedCall) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return status
  }

  /// Reads to the end, from `offset`, no more than `limit` bytes.
  func readAll(from offset: Int, limit: Int) throws(FailedCall) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = pread(number, &chunk, wanted, off_t(offset + bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  func writeAll(_ bytes: [UInt8]) throws(FailedCall) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      rest = rest.dropFirst(count)
    }
  }
}
