import LibC
import Workers

/// Reads and writes whole files as bytes; refuses files that are too large or not UTF-8.
package enum FileBytes {
  /// Maximum size of a transcript file.
  static let limitInBytes = 16 << 20

  /// Whether there is anything at a path.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether a path leads to a regular file, possibly through a link.
  static func isOrdinary(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Reads a text file. Throws a problem with the line number if the file is not UTF-8.
  package static func read(_ path: String) throws(FileProblem) -> [UInt8] {
    try readText(path, limitInBytes: limitInBytes)
  }

  /// Reads a text file with a size limit.
  package static func readText(
    _ path: String,
    limitInBytes: Int
  ) throws(FileProblem) -> [UInt8] {
    let bytes = try readAny(path, limitInBytes: limitInBytes)
    if let line = firstLineNotUTF8(bytes) { throw .notUTF8(line: line) }
    // In UTF-16 without a byte order mark, ASCII text is valid UTF-8, too, but no fence can be found in it.
    if Transcripts.isMarkdown(path), let line = lineOfZero(bytes) { throw .notUTF8(line: line) }
    return bytes
  }

  /// Returns the number of the first line with a zero byte; nil if there is none.
  private static func lineOfZero(_ bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress, let zero = memchr(start, 0, buffer.count) else {
        return nil
      }
      return buffer[..<(UnsafeRawPointer(zero) - start)].count { $0 == .lineFeed } + 1
    }
  }

  /// Reads a file with any content. Checks its size before it reads.
  package static func readAny(
    _ path: String,
    limitInBytes: Int
  ) throws(FileProblem) -> [UInt8] {
    // Nonblocking, because opening a pipe that has no writer would block for ever.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      // The path names a socket, or a device without a driver.
      throw errno == ENXIO ? .notAFile : FileProblem(errno: errno)
    }
    defer { close(file) }
    // A file whose size changes during the read is read again.
    for _ in 0..<attempts {
      let size = try sizeInBytes(of: file)
      guard size <= limitInBytes else { throw .tooLarge(limitInBytes: limitInBytes) }
      let bytes = try readAll(file, count: size)
      let sizeAfterwards = try sizeInBytes(of: file)
      if bytes.count == size, size == sizeAfterwards { return bytes }
      lseek(file, 0, SEEK_SET)
    }
    throw .changed
  }

  /// Maximum number of reads of a file that keeps changing.
  private static let attempts = 5

  private static func sizeInBytes(of file: Int32) throws(FileProblem) -> Int {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw FileProblem(errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int(status.st_size)
    case S_IFDIR: throw .folder
    default: throw .notAFile
    }
  }

  /// Reads standard input to its end. Waits if another program has made it nonblocking.
  package static func readInput(from file: Int32 = 0) throws(FileProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= limitInBytes {
      let more = try readAll(file, count: 1 << 16, waits: true)
      if more.isEmpty {
        if let line = firstLineNotUTF8(bytes) { throw .notUTF8(line: line) }
        return bytes
      }
      bytes += more
    }
    throw .tooLarge(limitInBytes: limitInBytes)
  }

  /// Reads to the end, at most `count` bytes. Waits for the bytes of a nonblocking descriptor if `waits` is true.
  private static func readAll(
    _ file: Int32,
    count: Int,
    waits: Bool = false
  ) throws(FileProblem) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let got = Descriptor.read(file, base + filled, count - filled)
        if got < 0, waits, errno == EAGAIN {
          _ = Descriptor.isReadable(file, withinMilliseconds: 60_000)
          continue
        }
        if got < 0 { code = errno }
        if got <= 0 { return }
        filled += got
      }
    }
    if code != 0 { throw FileProblem(errno: code) }
    return bytes
  }

  /// Writes all bytes to an open file.
  package static func write(_ bytes: [UInt8], to file: Int32) throws(FileProblem) {
    do throws(SystemError) {
      try Descriptor.write(bytes, to: file)
    } catch {
      throw FileProblem(errno: error.code)
    }
  }

  package static func firstLineNotUTF8(_ bytes: [UInt8]) -> Int? {
    if isUTF8(bytes) { return nil }
    let lines = bytes.split(separator: .lineFeed, omittingEmptySubsequences: false)
    let index = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    return (index ?? 0) + 1
  }

  /// Whether the text is UTF-8. Checks only the non-ASCII runs, which are mostly single arrows.
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var start = asciiEnd(buffer, from: 0)
      while start < buffer.count {
        let end = buffer[start...].firstIndex { $0 < 0x80 } ?? buffer.count
        let run = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
        if !isOfThreeBytes(run), String(validating: run, as: UTF8.self) == nil { return false }
        start = asciiEnd(buffer, from: end)
      }
      return true
    }
  }

  /// Whether a run consists of three-byte characters only, such as arrows. Does not check the scalars.
  private static func isOfThreeBytes(_ run: UnsafeRawBufferPointer) -> Bool {
    guard run.count.isMultiple(of: 3) else { return false }
    return stride(from: 0, to: run.count, by: 3).allSatisfy {
      (0xE1...0xEC).contains(run[$0]) && run[$0 + 1] & 0xC0 == 0x80 && run[$0 + 2] & 0xC0 == 0x80
    }
  }

  private static func asciiEnd(_ buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= buffer.count {
      let word = buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < buffer.count, buffer[index] < 0x80 { index += 1 }
    return index
  }
}
