import LibC

/// Names for files that are the same on every machine: paths relative to the folder in which a run was started.
package struct PathKey {
  /// The names of the folders that lead to the current one.
  private let folders: [Substring]

  package init(folder: String? = nil) {
    folders = Self.names((folder ?? Self.currentFolder)[...])
  }

  /// Returns the simplified path, relative if possible, as one line of text.
  package func key(_ path: String) -> String {
    Self.isPlain(path) ? path : Self.escaped(relative(names(of: path)))
  }

  /// Returns the keys of paths. Neighbours in one folder share the work for the folder.
  func keys(_ paths: some Collection<String>) -> [String] {
    var folder = (path: Substring(), key: "")
    return paths.map { path in
      if Self.isPlain(path) { return path }
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return key(path) }
      let name = path[path.utf8.index(after: slash)...]
      guard !name.isEmpty, Self.isPlain(name) else { return key(path) }
      let above = path[..<path.utf8.index(after: slash)]
      if !folder.path.utf8.elementsEqual(above.utf8) { folder = (above, key(String(above))) }
      return folder.key.isEmpty ? String(name) : String(joining: folder.key, "/", name)
    }
  }

  /// Returns the path as a user would type it: simplified, and relative if it is below the current folder.
  func typed(_ path: String) -> String {
    let names = names(of: path)
    let isOutside =
      path.utf8.first == UInt8(ascii: "/") && !names.starts(with: folders, by: Self.isSame)
    return isOutside ? "/" + names.joined(separator: "/") : relative(names)
  }

  /// The current folder of the process; `/` if it no longer exists.
  static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Whether there is nothing to simplify. This is the case for nearly all paths of a run.
  private static func isPlain(_ path: some StringProtocol) -> Bool {
    var previous = UInt8(ascii: "/")
    for byte in path.utf8 {
      let isOdd = byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
      if isOdd, previous == UInt8(ascii: "/") { return false }
      if byte < 0x20 || byte == UInt8(ascii: "\\") { return false }
      previous = byte
    }
    return true
  }

  /// Splits a path at its slashes, even if a combining character follows one.
  private static func names(_ path: Substring) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
  }

  /// Whether two names belong to one file. File systems compare bytes, not characters.
  private static func isSame(_ first: Substring, _ second: Substring) -> Bool {
    first.utf8.elementsEqual(second.utf8)
  }

  /// Returns the names that lead from the root to a path.
  private func names(of path: String) -> [Substring] {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var names: [Substring] = isAbsolute ? [] : folders
    for name in Self.names(path[...]) where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names
  }

  private func relative(_ names: [Substring]) -> String {
    let shared = zip(names, folders).prefix(while: Self.isSame).count
    let up = Array(repeating: Substring(".."), count: folders.count - shared)
    return (up + names[shared...]).joined(separator: "/")
  }

  private static func escaped(_ path: String) -> String {
    path.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\\\"
      case "\0"..<" ": result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }
}
