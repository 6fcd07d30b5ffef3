import LibC

/// The file that keeps a history between sessions: reads, appends and shortens it under a lock. Several sessions may
/// share it.
///
/// An entry is appended to the file in one write as soon as it is added. When the file has many obsolete entries, it is
/// replaced as a whole by a rename. Both happen under a lock. Only the owner may read the file.
struct HistoryFile {
  let path: String
  let limit: Int

  /// Maximum number of bytes that are read, from the end of the file.
  private static let longestFile = 8 * 1024 * 1024

  /// Returns the entries on disk; none if the file does not exist.
  func load() throws(SystemError) -> HistoryList {
    do throws(SystemError) {
      let file = try OpenFile(opening: path, O_RDONLY | O_NONBLOCK)
      return HistoryList(limit: limit, entries: HistoryText.entries(in: try contents(of: file)))
    } catch {
      if error.code == ENOENT { return HistoryList(limit: limit) }
      throw error
    }
  }

  /// Appends an entry to the file. Creates the file and its folders if needed.
  func append(_ entry: String) throws(SystemError) {
    makeFolders()
    let file = try openLocked(O_RDWR | O_APPEND | O_CREAT)
    let size = Int(try file.status().st_size)
    var bytes = HistoryText.line(for: entry)
    // A line that a full disk or a crash cut off must not merge with this one.
    let last = size > 0 ? try file.readAll(from: size - 1, limit: 1) : []
    if let last = last.first, last != UInt8(ascii: "\n") { bytes.insert(UInt8(ascii: "\n"), at: 0) }
    fchmod(file.number, 0o600)
    try file.writeAll(bytes)
  }

  /// Rewrites the file without repeated, surplus and damaged lines, if it has more than `slack` of them.
  func compact(slack: Int) throws(SystemError) {
    do throws(SystemError) {
      let file = try openLocked(O_RDWR | O_NONBLOCK)
      // Without the lock, another session may be replacing the file. Skip it until the next time.
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

  /// Opens and locks the file, and checks that it is still the one at `path`.
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

  /// Waits for the lock, with a limit: a stopped session may hold it, and then writing without the lock is better than a
  /// prompt that hangs.
  private func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<40 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      sleepInRealTime(milliseconds: 5)
    }
    return false
  }

  /// Writes a temporary file that always has the same name, so that the file of a killed session is replaced.
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

  /// Returns the target of a symbolic link, so that the link is kept.
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
