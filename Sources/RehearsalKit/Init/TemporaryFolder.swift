import Harness
import LibC

/// A folder for files that are removed afterwards.
struct TemporaryFolder {
  let path: String

  /// Creates a folder; nil if that fails.
  init?() {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // The package manager takes the name of the folder for that of the package.
    var template = Array((parent + "/init-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes the folder with its files.
  func remove() { Self.remove(path) }

  private static func remove(_ folder: String) {
    for entry in Folder.entries(of: folder) {
      let path = folder + "/" + (entry.hasSuffix("/") ? String(entry.dropLast()) : entry)
      if entry.hasSuffix("/"), !Folder.isLink(path) { remove(path) } else { unlink(path) }
    }
    rmdir(folder)
  }
}
