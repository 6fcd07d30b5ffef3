import LibC

/// A lock on a folder that prevents two processes from changing its files at the same time.
///
/// A file cannot carry the lock, because every write replaces the file. The lock leaves nothing on the disk.
struct FolderLock {
  private let folder: Int32

  /// Waits for the lock of the folder of a file; nil if it cannot be locked.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mostAttempts: the number of attempts, a millisecond apart. After them work continues
  ///     without the lock. Nil for no limit.
  init?(ofFile path: String, mostAttempts: Int? = nil) {
    folder = open(Folder.of(Folder.realPath(path) ?? path).folder, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    for _ in 0..<(mostAttempts ?? 0) {
      if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      sleepInRealTime(milliseconds: 1)
    }
    if mostAttempts != nil { return }
    while flock(folder, LOCK_EX) != 0 {
      if errno == EINTR { continue }
      close(folder)
      return nil
    }
  }

  /// Releases the lock. The end of the process releases it, too.
  func unlock() { close(folder) }
}
