import LibC

/// Where a history is kept between sessions; several sessions may share it.
///
/// An entry is on disk as soon as it is added, in one write at the end of the file. The file is
/// replaced as a whole, by a rename, when entries that no longer count pile up in it. Both happen
/// under a lock. Only the owner may read it.
struct HistoryFile {
  let path: String
  let limit: Int

  /// The most of a file that is read, from its end.
  private static let longestFile = 8 * 1024 * 1024

  /// The entries on disk. A missing file has none.
  func load() throws(SystemError) -> HistoryList {
    do throws(SystemError) {
      let file = try OpenFile(opening: path, O_RDONLY | O_NONBLOCK)
      return HistoryList(limit: limit, entries: HistoryText.entries(in: try contents(of: file)))
    } catch {
      if error.code == ENOENT { return HistoryList(limit: limit) }
      throw error
    }
  }

  /// Adds an entry at the end of the file, creating it and its folders where they are missing.
  func append(_ entry: String) throws(SystemError) {
    makeFolders()
    let file = try openLocked(O_RDWR | O_APPEND | O_CREAT)
    let size = Int(try file.status().st_size)
    var bytes = HistoryText.line(for: entry)
    // A line that was cut off, by a full disk or a crash, must not swallow this one.
    let last = size > 0 ? try file.readAll(from: size - 1, limit: 1) : []
    if let last = last.first, last != UInt8(ascii: "\n") { bytes.insert(UInt8(ascii: "\n"), at: 0) }
    fchmod(file.number, 0o600)
    try file.writeAll(bytes)
  }

  /// Rewrites the file without repeated, surplus and damaged lines, if it has more than `slack` of
  /// them.
  func compact(slack: Int) throws(SystemError) {
    do throws(SystemError) {
      let file = try openLocked(O_RDWR | O_NONBLOCK)
      // Without the lock another session may be replacing it, too; that can wait for the next time.
      guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return }
      let bytes = try contents(of: file)
      let list = HistoryList(limit: limit, entries: HistoryText.entries(in: bytes))
      let lineCount = bytes.count { $0 == UInt8(ascii: "\n") }
      guard lineCount > list.entries.count + slack else { return }
      try replace(with: list.entries.flatMap(HistoryText.line))
    } catch {
      if error.code != ENOENT { throw error }
    }
  }

  private func contents(of file: borrowing OpenFile) throws(SystemError) -> [UInt8] {
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL) }
    let start = max(0, Int(status.st_size) - Self.longestFile)
    let bytes = try file.readAll(from: start, limit: Self.longestFile)
    guard start > 0, let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return bytes }
    return Array(bytes[(end + 1)...])
  }

  /// The file, locked, and still the one at `path` once it is.
  private func openLocked(_ flags: Int32) throws(SystemError) -> OpenFile {
    while true {
      let file = try OpenFile(opening: path, flags)
      guard lock(file.number) else { return file }
      let opened = try file.status()
      var current = stat()
      let isThere = stat(path, &current) == 0
      if isThere, current.st_ino == opened.st_ino, current.st_dev == opened.st_dev { return file }
    }
  }

  /// Waits for the lock, but not for long: a stopped session may hold it, and then an unlocked write
  /// is better than a prompt that hangs.
  private func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<40 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(5_000)
    }
    return false
  }

  /// Writes beside the file, always under the same name, so that what a killed session left is taken away.
  private func replace(with bytes: [UInt8]) throws(SystemError) {
    let target = resolved()
    let path = target + ".new"
    unlink(path)
    let new = try OpenFile(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    do throws(SystemError) {
      try new.writeAll(bytes)
      guard fsync(new.number) == 0, rename(path, target) == 0 else { throw .last }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// The file behind a symbolic link, so that the link stays.
  private func resolved() -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private func makeFolders() {
    for index in path.indices.dropFirst() where path[index] == "/" {
      mkdir(String(path[..<index]), 0o700)
    }
  }
}
