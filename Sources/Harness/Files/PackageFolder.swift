import LibC

/// Finds the package that contains a source file.
enum PackageFolder {
  /// Returns the path of a file or folder of a package.
  ///
  /// - Parameters:
  ///   - name: absolute, or relative to the package's root.
  ///   - source: the path of one of its sources.
  /// - Returns: the path, relative to the current folder if that is shorter.
  static func path(of name: String, besides source: String) -> String {
    guard name.utf8.first != UInt8(ascii: "/"), let root = root(above: source) else { return name }
    let current = PathKey.currentFolder
    if root == current { return name }
    if root.hasPrefix(current + "/") {
      return root.dropFirst(current.utf8.count + 1) + "/" + name
    }
    return root + "/" + name
  }

  /// The nearest parent folder with a manifest. There is none if the program runs on another machine than the one that
  /// built it.
  private static func root(above source: String) -> String? {
    var path = source[...]
    while let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      path = path[..<slash]
      if access(path + "/Package.swift", R_OK) == 0 { return String(path) }
    }
    return nil
  }
}
