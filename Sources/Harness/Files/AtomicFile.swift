import LibC

/// Replaces whole files: a reader sees the old content or the new content, never a part.
package enum AtomicFile {
  /// Writes a temporary file next to the target, forces it to the disk, and renames it into place.
  ///
  /// Keeps the permissions of an existing file; a new file gets the permissions that the umask leaves. Follows a
  /// symbolic link, even if its target does not exist yet. After an error, the old file is unchanged and no temporary
  /// file remains. The next write removes a temporary file that a killed process left.
  ///
  /// - Parameters:
  ///   - bytes: the new content.
  ///   - path: of the file.
  ///   - old: the content that the file must still have directly before the rename, unless it already has the new
  ///     content. Protects an edit that was saved in the meantime. Nil accepts any content.
  ///   - forcesToDisk: whether the content must survive a loss of power, which costs milliseconds.
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

  /// Creates a new file with its whole content and never replaces an existing one. If several processes try, one
  /// succeeds. A symbolic link counts as an existing file, wherever it leads.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - path: of the file.
  /// - Throws: `exists` if the file exists; otherwise why it cannot be written.
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

  /// Removes the temporary file of a process that was killed while it replaced a file.
  package static func removeLeftover(of path: String) {
    guard let target = try? Folder.target(of: path) else { return }
    NewFile.removeLeftover(for: target)
  }

  private static func check(_ path: String, holds any: [[UInt8]]) throws(FileProblem) {
    let present = try FileBytes.readAny(path, limitInBytes: .max)
    guard any.contains(present) else { throw .changed }
  }

  /// Writes to a terminal, a pipe or a device, which must never be replaced by a file.
  private static func writeInPlace(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw FileProblem(errno: errno) }
    defer { close(file) }
    try FileBytes.write(bytes, to: file)
  }
}
