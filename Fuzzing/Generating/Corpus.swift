import Harness
import LibC

/// The building blocks of inputs, and the inputs of earlier findings.
package struct Corpus {
  /// The texts by their paths.
  package private(set) var items: [(path: String, bytes: [UInt8])] = []

  /// Reads the files of folders and their subfolders, as far as they exist.
  package init(_ folders: [String], endings: [String] = []) {
    for folder in folders { add(folder, endings) }
    items.sort { $0.path < $1.path }
  }

  /// Reads a whole file; nil if it cannot be read.
  package static func read(_ path: String) -> [UInt8]? {
    try? FileBytes.readAny(path, limitInBytes: 1 << 20)
  }

  private mutating func add(_ path: String, _ endings: [String]) {
    guard let folder = opendir(path) else {
      if endings.isEmpty || endings.contains(where: path.hasSuffix), let bytes = Self.read(path) {
        items.append((path, bytes))
      }
      return
    }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
      )
    }
    closedir(folder)
    for name in names where !name.hasPrefix(".") { add(path + "/" + name, endings) }
  }
}
