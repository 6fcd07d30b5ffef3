import LibC

/// One spelling for paths that several arguments lead to, as `tests ./tests/a.transcript` do.
struct PathSpelling {
  // Names are bytes: two texts that are equal to Swift may be two files.
  /// What was asked for, by its real path.
  private var spellings: [[UInt8]: String] = [:]
  /// The real paths of folders that hold files which were asked for.
  private var realFolders: [[UInt8]: String] = [:]

  /// The paths, those below another one spelt as a search of that one would. Links keep their own names.
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

  /// The path from the root without detours, the last name of a file as it is; nil for what is not there.
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

  /// Seen from the highest folder that was asked for and holds it.
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
