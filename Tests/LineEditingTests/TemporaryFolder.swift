import LibC

@testable import LineEditing

/// An empty folder that is removed, with its files, after the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/line-editing-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError.last }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  /// Returns a path in the folder, at which there is no file yet.
  func path(of name: String) -> String { path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws {
    let file = try OpenFile(opening: path(of: name), O_WRONLY | O_CREAT | O_TRUNC)
    try file.writeAll(bytes)
  }

  func read(_ name: String) throws -> String {
    let file = try OpenFile(opening: path(of: name), O_RDONLY)
    return String(decoding: try file.readAll(from: 0, limit: .max), as: UTF8.self)
  }

  func status(of name: String) throws -> stat {
    try OpenFile(opening: path(of: name), O_RDONLY).status()
  }

  /// Opens a file for reading, which may outlive its name.
  func file(holding bytes: [UInt8]) throws -> OpenFile {
    try write(bytes, to: "file")
    return try OpenFile(opening: path(of: "file"), O_RDONLY)
  }

  private static func remove(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { remove(path + "/" + name) }
      }
      closedir(folder)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
