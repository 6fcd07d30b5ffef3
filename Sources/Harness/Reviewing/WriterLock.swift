#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps two processes from changing files of one folder at once, by a lock on the folder itself.
///
/// A file cannot carry the lock, since each writing puts another one in its place.
struct WriterLock {
  private let folder: Int32

  /// Waits for the lock of the folder that a file lies in; nil where that cannot be locked.
  init?(of path: String) {
    let real = Folder.realPath(path) ?? path
    let slash = real.lastIndex(of: "/")
    let name = slash.map { $0 == real.startIndex ? "/" : String(real[..<$0]) } ?? "."
    folder = open(name, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    while flock(folder, LOCK_EX) != 0 {
      if errno == EINTR { continue }
      close(folder)
      return nil
    }
  }

  /// Lets others go on; so does the end of the process.
  func unlock() { close(folder) }
}
