import LibC

/// One spelling for files that several arguments lead to, as in `tests ./tests/a.transcript`.
struct PathSpelling {
  // Names are compared as bytes: two texts that are equal in Swift may be two files.
  /// The arguments by their real paths.
  private var spellings: [[UInt8]: String] = [:]
  /// The real paths of the folders that contain arguments.
  private var realFolders: [[UInt8]: String] = [:]

  /// Returns the paths. A path below another one is spelled as a search of that one would do. Links keep their names.
  static func unified(_ paths: [String]) -> [String] {
    guard paths.count > 1 else { return paths }
    var spelling = PathSpelling()
    let reals = paths.map { spelling.real($0) }
    for (path, real) in zip(paths, reals) {
      guard let key = real.map({ Array($0.utf8) }), spelling.spellings[key] == nil else { continue }
      spelling.spellings[key] = path
    }
    return zip(paths, reals).map { path, real in real.map { spelling.spelt($0) } ?? path }
  }

  /// Returns the absolute path without links in its folders; nil if the file does not exist.
  private mutating func real(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFDIR { return Folder.realPath(path) }
    let (above, name) = Folder.of(path)
    let key = Array(above.utf8)
    guard let folder = realFolders[key] ?? Folder.realPath(above) else { return nil }
    realFolders[key] = folder
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  /// Returns the path below the highest argument that contains it.
  private func spelt(_ real: String) -> String {
    for index in real.utf8.indices where real.utf8[index] == UInt8(ascii: "/") {
      let above = index == real.startIndex ? Array("/".utf8) : Array(real.utf8[..<index])
      guard above.count < real.utf8.count, let folder = spellings[above] else { continue }
      let rest = real[real.utf8.index(after: index)...]
      if folder == "." || folder == "./" { return String(rest) }
      return folder.utf8.last == UInt8(ascii: "/") ? folder + rest : "\(folder)/\(rest)"
    }
    return spellings[Array(real.utf8)] ?? real
  }
}
