package import LibC

/// What the system knows about paths.
package enum Folder {
  /// The names in a folder, sorted by their bytes, folders with a `/` behind them; none where the
  /// folder cannot be read.
  package static func entries(of folder: String) -> [String] {
    (try? readableEntries(of: folder)) ?? []
  }

  /// The same, for those who must not pass over anything.
  ///
  /// - Throws: why the folder cannot be read, or nothing that lies in it looked at.
  package static func readableEntries(of folder: String) throws(FileProblem) -> [String] {
    guard access(folder, R_OK | X_OK) == 0, let stream = opendir(folder) else {
      throw FileProblem(errno: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != ".." else { continue }
      let isFolder =
        Int32(entry.pointee.d_type) == Int32(DT_DIR) || isFolder(folder + "/" + name)
      names.append(isFolder ? name + "/" : name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The names in a folder with a certain end, in no order; none where the folder cannot be read.
  static func names(of folder: String, endingIn suffix: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    return suffix.withCString { suffix in
      let count = strlen(suffix)
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { start in
            let tail = strlen(start) - count
            return tail > 0 && strcmp(start + tail, suffix) == 0 ? String(cString: start) : nil
          }
        }
        if let name { names.append(name) }
      }
      return names
    }
  }

  /// Makes a folder, and those above it, if they are not there. The umask limits their permissions.
  package static func create(
    _ folder: String,
    permissions: mode_t = 0o777
  ) throws(FileProblem) {
    if folder.isEmpty || mkdir(folder, permissions) == 0 || isFolder(folder) { return }
    let code = errno
    guard code == ENOENT, let slash = folder.lastIndex(of: "/") else {
      throw code == EEXIST ? .noFolder : FileProblem(errno: code)
    }
    try create(String(folder[..<slash]), permissions: permissions)
    guard mkdir(folder, permissions) == 0 || isFolder(folder) else {
      throw FileProblem(errno: errno)
    }
  }

  /// Which folder it is, whatever the paths that lead to it: looking at one costs the same at any depth.
  package struct Identity: Hashable {
    private let device: UInt64
    private let file: UInt64

    /// - Throws: why there is none.
    package init(_ path: String) throws(FileProblem) {
      var status = stat()
      guard stat(path, &status) == 0 else { throw FileProblem(errno: errno) }
      (device, file) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
  }

  package static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns whether a path names a symbolic link, wherever that leads.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Makes the folders that a file is to lie in, as far as they are not there: all of them, or none.
  ///
  /// - Returns: those that it made, the outermost first.
  @discardableResult
  package static func makeAll(above path: String) throws(FileProblem) -> [String] {
    var made: [String] = []
    var status = stat()
    for index in path.utf8.indices where path.utf8[index] == UInt8(ascii: "/") {
      let folder = String(path[..<index])
      guard !folder.isEmpty, stat(folder, &status) != 0 else { continue }
      if mkdir(folder, 0o777) == 0 {
        made.append(folder)
      } else if errno != EEXIST {
        let problem = FileProblem(errno: errno)
        removeEmpty(made)
        throw problem
      }
    }
    return made
  }

  /// Removes folders that were made in vain, the outermost of which comes first, as far as nothing lies in them.
  package static func removeEmpty(_ folders: [String]) {
    for folder in folders.reversed() { rmdir(folder) }
  }

  /// The one true path of a file; nil where there is no file.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Where a path leads that may be a symbolic link, also where nothing is there yet.
  static func target(of path: String) throws(FileProblem) -> String {
    if let real = realPath(path) { return real }
    var target = path
    for _ in 0..<mostLinks {
      guard let link = link(at: target) else { return target }
      target = Self.path(link, from: target)
    }
    throw .symlinkLoop
  }

  private static let mostLinks = 40

  /// What a symbolic link says; nil where there is none.
  private static func link(at path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Puts a rename on the disk; a folder that cannot be opened has still been renamed in.
  static func synchronize(folderOf path: String) {
    let file = open(Self.of(path).folder, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }

  /// The folder of a path, `.` if it names none, and the name in it.
  static func of(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path[...]) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, path[path.utf8.index(after: slash)...])
  }

  /// A path that a script names, seen from where that script itself was found.
  package static func path(_ path: String, from script: String?) -> String {
    guard !path.hasPrefix("/"), let script, let slash = script.lastIndex(of: "/") else {
      return path
    }
    return script[...slash] + path
  }
}

extension Folder {
  /// The folders whose entries change when what stands at a path does: the one it lies in or, where that is
  /// missing, the nearest one above; of symbolic links, the folder of each and of the file itself.
  static func whereChangesShow(of path: String) -> [String] {
    var status = stat()
    var folder = parent(of: path)
    guard lstat(path, &status) == 0 else {
      while stat(folder, &status) != 0, folder != ".", folder != "/" { folder = parent(of: folder) }
      return [folder]
    }
    var folders = [folder]
    var target = path
    while let link = link(at: target), folders.count <= mostLinks {
      target = Self.path(link, from: target)
      folders.append(parent(of: target))
    }
    return folders
  }

  /// The entries that lead to folders, by the folders that have these entries: if one is renamed, or is a link that leads to
  /// another place, the paths lead to other folders.
  static func entries(leadingTo folders: some Sequence<String>) -> [String: Set<String>] {
    var entries: [String: Set<String>] = [:]
    var visited: Set<String> = []
    var waiting = Array(folders)
    while let path = waiting.popLast(), visited.count < FolderWatch.folderLimit {
      guard path != ".", path != "/", visited.insert(path).inserted else { continue }
      let (folder, name) = of(path)
      waiting.append(folder)
      guard !name.isEmpty, name != ".", name != ".." else { continue }
      entries[folder, default: []].insert(String(name))
      if let link = link(at: path) { waiting.append(Self.path(link, from: path)) }
    }
    return entries
  }

  /// The folder that a path lies in, `.` if it names none.
  static func parent(of path: String) -> String { of(path).folder }
}
