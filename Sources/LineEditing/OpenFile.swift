import LibC

/// A file that is closed when it is no longer used.
struct OpenFile: ~Copyable {
  let number: Int32

  /// Opens a file that child processes do not inherit. Only the owner can access a new file.
  init(opening path: String, _ flags: Int32) throws(SystemError) {
    number = open(path, flags | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .last }
  }

  deinit { close(number) }

  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last }
    return status
  }

  /// Reads from `offset` to the end, at most `limit` bytes.
  func readAll(from offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
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

  func writeAll(_ bytes: [UInt8]) throws(SystemError) { try Descriptor.write(bytes, to: number) }
}
