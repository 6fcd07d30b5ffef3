import LibC

/// Replaces a file as a whole: whoever reads it sees the old content or the new, never a part.
package enum AtomicFile {
  /// Writes beside the file, forces it to the disk, and renames it into place.
  ///
  /// Keeps the permissions of a file that is there; a new one has those that the umask leaves. Writes through
  /// a symbolic link to where it leads, also where nothing is there yet. When something fails the old file is
  /// as it was and nothing is left beside it; what a killed process left, the next one takes away.
  ///
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - path: of the file.
  ///   - old: what it must still hold, or the new content already, as the last look before the rename tells, so
  ///     that nobody's work is lost who saved meanwhile; nil for whatever it holds.
  ///   - forcesToDisk: whether it must outlast a loss of power, which costs milliseconds.
  /// - Throws: why it cannot be written.
  package static func write(
    _ bytes: [UInt8],
    to path: String,
    replacing old: [UInt8]? = nil,
    forcesToDisk: Bool = true
  ) throws(FileProblem) {
    do throws(FileProblem) {
      try replace(bytes, path, old, forcesToDisk)
    } catch .notPermitted {
      throw .notWritable
    }
  }

  private static func replace(
    _ bytes: [UInt8],
    _ path: String,
    _ old: [UInt8]?,
    _ forcesToDisk: Bool
  ) throws(FileProblem) {
    let target = try Folder.target(of: path)
    var status = stat()
    let isThere = stat(target, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      return try writeInPlace(bytes, to: target)
    }
    let new = try NewFile(for: target)
    do throws(FileProblem) {
      try new.fill(bytes, permissions: isThere ? status.st_mode & 0o777 : nil, forcesToDisk)
      if let old { try check(target, holds: [old, bytes]) }
      try new.rename(to: target)
    } catch {
      new.remove()
      throw error
    }
    if forcesToDisk { Folder.synchronize(folderOf: target) }
  }

  /// Makes a new file, as a whole or not at all, and never in the place of another one: of several writers one
  /// wins. A symbolic link is something that is there, wherever it leads.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - path: of the file.
  /// - Throws: `exists` where something is there; or why the file cannot be written.
  package static func create(_ bytes: [UInt8], at path: String) throws(FileProblem) {
    do throws(FileProblem) {
      let new = try NewFile(for: path)
      do throws(FileProblem) {
        try new.fill(bytes, permissions: nil, true)
        try new.take(path)
      } catch {
        new.remove()
        throw error
      }
    } catch {
      throw error == .notPermitted ? .notWritable : error
    }
    Folder.synchronize(folderOf: path)
  }

  /// Takes away what a process left beside a file that was killed while it replaced it.
  package static func removeLeftover(of path: String) {
    guard let target = try? Folder.target(of: path) else { return }
    NewFile.removeLeftover(for: target)
  }

  private static func check(_ path: String, holds any: [[UInt8]]) throws(FileProblem) {
    let present = try FileBytes.readAny(path, limitInBytes: .max)
    guard any.contains(present) else { throw .changed }
  }

  /// A terminal, a pipe or a device is written to; it must never be replaced by a file.
  private static func writeInPlace(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw FileProblem(errno: errno) }
    defer { close(file) }
    try FileBytes.write(bytes, to: file)
  }
}
