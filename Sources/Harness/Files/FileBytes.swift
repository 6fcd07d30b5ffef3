import LibC
import Workers

/// Whole files, as bytes.
package enum FileBytes {
  /// The largest file that is read as a transcript.
  static let limitInBytes = 16 << 20

  /// Whether there is anything at a path.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether there is an ordinary file at a path, perhaps by way of a link.
  static func isOrdinary(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Reads a text file; one that is not UTF-8 is a problem, named with its line.
  package static func read(_ path: String) throws(FileProblem) -> [UInt8] {
    try readText(path, limitInBytes: limitInBytes)
  }

  /// Reads a text file of a certain size at most.
  package static func readText(
    _ path: String,
    limitInBytes: Int
  ) throws(FileProblem) -> [UInt8] {
    let bytes = try readAny(path, limitInBytes: limitInBytes)
    if let line = firstLineNotUTF8(bytes) { throw .notUTF8(line: line) }
    return bytes
  }

  /// Reads a file whatever is in it. Its size is looked at before anything is read.
  package static func readAny(
    _ path: String,
    limitInBytes: Int
  ) throws(FileProblem) -> [UInt8] {
    // Not blocking, because a pipe with nobody at its other end would hang the harness.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      // So it is with the name of a socket, or of a device that has no driver.
      throw errno == ENXIO ? .notAFile : FileProblem(errno: errno)
    }
    defer { close(file) }
    // What grows or shrinks while it is read is read again, in the hope of a whole.
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

  /// How often a file that keeps changing is read before that is a problem.
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

  /// Reads standard input to its end. A program that shares it may have made it nonblocking.
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

  /// Reads to the end, at most `count` bytes. If it `waits`, it waits for the bytes of a nonblocking descriptor.
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

  /// Whether all that is not ASCII, run by run, is UTF-8: mostly that is an arrow here and there.
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

  /// Whether a run is of such characters only as an arrow: of three bytes, whatever these say.
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
