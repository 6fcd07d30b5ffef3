import LibC

/// Keeps two processes from changing files of one folder at once, by a lock on the folder itself.
///
/// A file cannot carry the lock, since each writing puts another one in its place. Nothing is left on the disk.
struct FolderLock {
  private let folder: Int32

  /// Waits for the lock of the folder of a file; nil if it cannot be locked.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - mostAttempts: the number of attempts, a millisecond apart, before work goes on without the lock; nil for no
  ///     limit.
  init?(ofFile path: String, mostAttempts: Int? = nil) {
    folder = open(Folder.of(Folder.realPath(path) ?? path).folder, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    for _ in 0..<(mostAttempts ?? 0) {
      if flock(folder, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      usleep(1_000)
    }
    if mostAttempts != nil { return }
    while flock(folder, LOCK_EX) != 0 {
      if errno == EINTR { continue }
      close(folder)
      return nil
    }
  }

  /// Lets others go on; so does the end of the process.
  func unlock() { close(folder) }
}
