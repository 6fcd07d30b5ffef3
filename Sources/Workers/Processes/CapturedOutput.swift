import LibC

/// The standard output and error of a worker, kept in a file. So they do not mix with the report, and a crash does not
/// lose them.
struct CapturedOutput {
  /// Maximum number of bytes that are shown from the beginning, which names a crash, and from the end.
  private static let shownBytes = 2_048

  private let file: Int32

  /// Opens a file without a name. If that fails, output is dropped.
  init() throws(SystemError) {
    var descriptor: Int32 = -1
    if let stream = tmpfile() {
      descriptor = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3)
      fclose(stream)
    }
    file = descriptor >= 0 ? descriptor : open("/dev/null", O_RDWR | O_CLOEXEC)
    if file < 0 { throw .last }
  }

  /// Redirects standard output and error of the worker to the file, and standard input to `/dev/null`.
  func redirect() {
    dup2(file, 1)
    dup2(file, 2)
    let nothing = open("/dev/null", O_RDONLY)
    if nothing > 0 {
      dup2(nothing, 0)
      closeFile(nothing)
    }
  }

  /// Removes and returns the lines since the last call, in the worker.
  func take() -> [String] {
    fflush(nil)
    guard lseek(file, 0, SEEK_CUR) > 0 else { return [] }
    let lines = self.lines
    ftruncate(file, 0)
    lseek(file, 0, SEEK_SET)
    return lines
  }

  /// The first and the newest lines.
  var lines: [String] {
    var status = stat()
    guard fstat(file, &status) == 0 else { return [] }
    let size = Int(status.st_size)
    let leftOut = size - 2 * Self.shownBytes
    guard leftOut > 0 else { return lines(from: 0, count: size) }
    return lines(from: 0, count: Self.shownBytes) + ["… (\(leftOut) bytes left out)"]
      + lines(from: size - Self.shownBytes, count: Self.shownBytes)
  }

  private func lines(from offset: Int, count: Int) -> [String] {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, count, off_t(offset)))
    }
    return bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  func close() {
    closeFile(file)
  }
}

/// The system's `close`, which the method of that name hides.
private func closeFile(_ file: Int32) {
  close(file)
}
