import LibC

/// A file beside another one, which it is about to replace.
///
/// Its name is always the same, `.NAME.new`, so that what a killed process left is found again. Whoever
/// writes it holds a lock on it, which ends with the process.
struct NewFile {
  private let descriptor: Int32
  private let path: String

  /// Makes the file, empty. Waits for another process that is replacing the same file.
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

  /// Puts it where nothing is, under both names for an instant.
  ///
  /// - Throws: `exists` where something is there.
  func take(_ target: String) throws(FileProblem) {
    if link(path, target) == 0 {
      // It has its name; that which was only to come to it is not needed any more.
      return remove()
    }
    let code = errno
    if code == EEXIST { throw .exists }
    guard Self.withoutLinks.contains(code) else { throw FileProblem(errno: code) }
    try takeWithoutLink(target)
  }

  /// What file systems answer that know no second name of a file.
  private static let withoutLinks = [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK]

  /// The same by an empty file that holds the place: only one can make it. It stays where the process is killed in
  /// between; what somebody writes into it before it is replaced wins.
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

  /// Whether a name is still that of an open file, and nobody has written into it.
  private static func isStillEmpty(_ target: String, _ file: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    guard lstat(target, &named) == 0, fstat(file, &opened) == 0 else { return false }
    return (named.st_ino, named.st_dev, named.st_size) == (opened.st_ino, opened.st_dev, 0)
  }

  func remove() {
    unlink(path)
    close(descriptor)
  }

  /// Locks the new file; false where another process has taken it for a leftover.
  private static func holds(_ file: Int32, _ path: String) throws(FileProblem) -> Bool {
    do throws(FileProblem) {
      try lock(file)
    } catch {
      close(file)
      throw error
    }
    return `is`(file, at: path)
  }

  // MARK: What others left

  /// Removes what a killed process left; waits while one that lives is writing.
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
    // Meanwhile its writer may have renamed it, and another one begun.
    guard `is`(file, at: path) else { return }
    guard unlink(path) == 0 || errno == ENOENT else { throw FileProblem(errno: errno) }
  }

  /// Waits for the lock, but not for ever: a stopped process may hold it. Where a file system knows no
  /// locks, two writers are on their own.
  private static func lock(_ file: Int32) throws(FileProblem) {
    for _ in 0..<triesToLock {
      if flock(file, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR) { return }
      usleep(5_000)
    }
    throw FileProblem(errno: EBUSY)
  }

  private static let triesToLock = 2_000

  private static func `is`(_ file: Int32, at path: String) -> Bool {
    var (opened, present) = (stat(), stat())
    return fstat(file, &opened) == 0 && lstat(path, &present) == 0
      && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
  }

  /// `FOLDER/.NAME.new`; of a name that is too long for that, its beginning.
  private static func path(for target: String) -> String {
    let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { target.utf8.index(after: $0) } ?? target.startIndex
    let name = target[start...].utf8.prefix(longestName)
    return target[..<start] + "." + String(decoding: name, as: UTF8.self) + ".new"
  }

  private static let longestName = 245
}
