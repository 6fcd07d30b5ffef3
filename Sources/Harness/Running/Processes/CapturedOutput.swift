#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a worker's own process writes to its standard output and error: kept aside, so that it
/// neither mixes with the report nor is lost when the worker crashes.
struct CapturedOutput {
  /// Bytes that are shown at most of the beginning, where a crash says what it is, and as many of the end.
  private static let shownBytes = 2_048

  private let file: Int32

  /// Opens a file without a name; all is dropped where that is not possible. Nil, with `errno` set, where nothing can be
  /// opened.
  init?() {
    var descriptor: Int32 = -1
    if let stream = tmpfile() {
      descriptor = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3)
      fclose(stream)
    }
    file = descriptor >= 0 ? descriptor : open("/dev/null", O_RDWR | O_CLOEXEC)
    if file < 0 { return nil }
  }

  /// In the worker: points standard output and error here, and standard input at nothing.
  func redirect() {
    dup2(file, 1)
    dup2(file, 2)
    let nothing = open("/dev/null", O_RDONLY)
    if nothing > 0 {
      dup2(nothing, 0)
      closeFile(nothing)
    }
  }

  /// In the worker: what was written since the last time, as lines.
  func take() -> [String] {
    fflush(nil)
    guard lseek(file, 0, SEEK_CUR) > 0 else { return [] }
    let lines = self.lines
    ftruncate(file, 0)
    lseek(file, 0, SEEK_SET)
    return lines
  }

  /// The first and the newest lines, whoever reads them; leaves the file as it is.
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
    return bytes.split(separator: .lineFeed).map { String(decoding: $0, as: UTF8.self) }
  }

  func close() {
    closeFile(file)
  }
}

/// The system's `close`, which the method of that name hides.
private func closeFile(_ file: Int32) {
  close(file)
}
