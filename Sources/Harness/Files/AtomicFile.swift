#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Replaces a file as a whole: whoever reads it sees the old content or the new, never a part.
package enum AtomicFile {
  /// Writes beside the file, forces it to the disk, and renames it into place.
  ///
  /// Keeps the mode of a file that is there, and writes through a symbolic link to where it leads.
  /// When something fails the old file is as it was and nothing is left beside it.
  ///
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - path: of the file.
  ///   - old: what it must still hold, as the last look before the rename tells, so that nobody's work is lost
  ///     who saved meanwhile; nil for whatever it holds.
  ///   - forcesToDisk: whether it must outlast a loss of power, which costs milliseconds.
  /// - Throws: why it cannot be written.
  package static func write(
    _ bytes: [UInt8],
    to path: String,
    replacing old: [UInt8]? = nil,
    forcesToDisk: Bool = true
  ) throws(FileProblem) {
    let target = Folder.realPath(path) ?? path
    let temporary = "\(target).\(getpid()).new"
    var status = stat()
    if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return try writeInPlace(bytes, to: target)
    }
    let mode = stat(target, &status) == 0 ? status.st_mode & 0o7777 : 0o644
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw FileProblem(errno: errno) }
    do throws(FileProblem) {
      try fill(file, bytes, mode, forcesToDisk)
      if let old { try check(target, stillHolds: old) }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, target) == 0 else {
      let code = errno
      unlink(temporary)
      throw FileProblem(errno: code)
    }
    if forcesToDisk { synchronizeFolder(of: target) }
  }

  /// Writes the new content of a file in the place of the old one, unless somebody else has written: the same, then
  /// all is well, or another, then this throws `changed` and nothing is written.
  package static func replace(
    _ old: [UInt8],
    with new: [UInt8],
    at path: String
  ) throws(FileProblem) {
    let present = try FileBytes.readAny(path, limitInBytes: .max)
    if present != new { try write(new, to: path, replacing: old) }
  }

  private static func check(_ path: String, stillHolds old: [UInt8]) throws(FileProblem) {
    guard try FileBytes.readAny(path, limitInBytes: .max) == old else { throw .changed }
  }

  /// A terminal, a pipe or a device is written to; it must never be replaced by a file.
  private static func writeInPlace(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw FileProblem(errno: errno) }
    defer { close(file) }
    try FileBytes.write(bytes, to: file)
  }

  private static func fill(
    _ file: Int32,
    _ bytes: [UInt8],
    _ mode: mode_t,
    _ forcesToDisk: Bool
  ) throws(FileProblem) {
    do throws(FileProblem) {
      // The mode given to `open` went through the umask.
      guard fchmod(file, mode) == 0 else { throw FileProblem(errno: errno) }
      try FileBytes.write(bytes, to: file)
      guard !forcesToDisk || fsync(file) == 0 else { throw FileProblem(errno: errno) }
    } catch {
      close(file)
      throw error
    }
    guard close(file) == 0 else { throw FileProblem(errno: errno) }
  }

  /// Puts the rename itself on the disk; a folder that cannot be opened has still been renamed in.
  private static func synchronizeFolder(of path: String) {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let file = open(folder, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }
}
