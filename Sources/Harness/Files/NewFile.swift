import LibC

/// A temporary file next to the file that it is about to replace.
///
/// Its name is always `.NAME.new`, so that the file of a killed process can be found. The writer holds a lock on it,
/// which ends with the process.
struct NewFile {
  private let descriptor: Int32
  private let path: String

  /// Creates the empty file. Waits for another process that is replacing the same target.
  init(for target: String) throws(FileProblem) {
    path = Self.path(for: target)
    while true {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let file = open(path, flags, 0o666)
      if file >= 0 {
        if try Self.holds(file, path) {
          descriptor = file
          return
        }
        close(file)
      } else if errno == EEXIST {
        try Self.removeLeftover(at: path)
      } else {
        throw FileProblem(errno: errno)
      }
    }
  }

  func fill(
    _ bytes: [UInt8],
    permissions: mode_t?,
    _ forcesToDisk: Bool
  ) throws(FileProblem) {
    if let permissions, fchmod(descriptor, permissions) != 0 { throw FileProblem(errno: errno) }
    try FileBytes.write(bytes, to: descriptor)
    guard !forcesToDisk || fsync(descriptor) == 0 else { throw FileProblem(errno: errno) }
  }

  func rename(to target: String) throws(FileProblem) {
    let result = LibC.rename(path, target)
    guard result == 0 else { throw FileProblem(errno: errno) }
    close(descriptor)
  }

  /// Moves the file to a path where no file exists. For an instant it has both names.
  ///
  /// - Throws: `exists` if a file exists there.
  func take(_ target: String) throws(FileProblem) {
    if link(path, target) == 0 {
      // The target has its name now, so the temporary name is no longer needed.
      return remove()
    }
    let code = errno
    if code == EEXIST { throw .exists }
    guard Self.withoutLinks.contains(code) else { throw FileProblem(errno: code) }
    try takeWithoutLink(target)
  }

  /// Errors of file systems that do not support hard links.
  private static let withoutLinks = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK]

  /// Does the same without hard links: reserves the target with an empty file, which only one process can create. A
  /// process that is killed in between leaves the empty file. Content that another process writes into it is kept.
  func takeWithoutLink(_ target: String) throws(FileProblem) {
    let place = open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard place >= 0 else { throw errno == EEXIST ? .exists : FileProblem(errno: errno) }
    defer { close(place) }
    guard Self.isStillEmpty(target, place) else { throw .exists }
    do throws(FileProblem) {
      try rename(to: target)
    } catch {
      if Self.isStillEmpty(target, place) { unlink(target) }
      throw error
    }
  }

  /// Whether a name still belongs to an open file that is empty.
  private static func isStillEmpty(_ target: String, _ file: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    guard lstat(target, &named) == 0, fstat(file, &opened) == 0 else { return false }
    return (named.st_ino, named.st_dev, named.st_size) == (opened.st_ino, opened.st_dev, 0)
  }

  func remove() {
    unlink(path)
    close(descriptor)
  }

  /// Locks the new file; false if another process removed it as a leftover.
  private static func holds(_ file: Int32, _ path: String) throws(FileProblem) -> Bool {
    do throws(FileProblem) {
      try lock(file)
    } catch {
      close(file)
      throw error
    }
    return `is`(file, at: path)
  }

  // MARK: Files of killed processes

  /// Removes the file of a killed process. Waits while a live process is writing it.
  static func removeLeftover(for target: String) {
    let path = path(for: target)
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    try? removeLeftover(at: path)
  }

  private static func removeLeftover(at path: String) throws(FileProblem) {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return }
      throw FileProblem(errno: errno)
    }
    defer { close(file) }
    try lock(file)
    // In the meantime its writer may have renamed it, and another writer may have started.
    guard `is`(file, at: path) else { return }
    guard unlink(path) == 0 || errno == ENOENT else { throw FileProblem(errno: errno) }
  }

  /// Waits for the lock, with a limit, because a stopped process may hold it. Returns without a lock if the file system
  /// has no locks; then two writers are not protected from each other.
  private static func lock(_ file: Int32) throws(FileProblem) {
    for _ in 0..<triesToLock {
      if flock(file, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR) { return }
      sleepInRealTime(milliseconds: 5)
    }
    throw FileProblem(errno: EBUSY)
  }

  private static let triesToLock = 2_000

  private static func `is`(_ file: Int32, at path: String) -> Bool {
    var (opened, present) = (stat(), stat())
    return fstat(file, &opened) == 0 && lstat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }

  /// `FOLDER/.NAME.new`, with a shortened name if it would be too long.
  private static func path(for target: String) -> String {
    let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { target.utf8.index(after: $0) } ?? target.startIndex
    let name = target[start...].utf8.prefix(longestName)
    return target[..<start] + "." + String(decoding: name, as: UTF8.self) + ".new"
  }

  private static let longestName = 245
}
