#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Folder {
  /// The folders whose entries change when what stands at a path does: the one it lies in or, where that is
  /// missing, the nearest one above; behind a symbolic link, also the one where the file itself lies.
  static func whereChangesShow(of path: String) -> [String] {
    var status = stat()
    var folder = parent(of: path)
    guard lstat(path, &status) == 0 else {
      while stat(folder, &status) != 0, folder != ".", folder != "/" { folder = parent(of: folder) }
      return [folder]
    }
    guard status.st_mode & S_IFMT == S_IFLNK, let real = realPath(path) else { return [folder] }
    return [folder, parent(of: real)]
  }

  /// The folder that a path lies in, `.` where it names none.
  static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}
