import LibC

/// Lists and creates folders; resolves links, and finds out whether two paths are one folder.
package enum Folder {
  /// Returns the names in a folder, sorted by their bytes, with a `/` after each folder; nothing if the folder cannot
  /// be read.
  package static func entries(of folder: String) -> [String] {
    (try? readableEntries(of: folder)) ?? []
  }

  /// Returns the same names, but reports a folder that cannot be read.
  ///
  /// - Throws: why the folder or the type of one of its entries cannot be read.
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

  /// Returns the names in a folder with a suffix, unsorted; nothing if the folder cannot be read.
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

  /// Creates a folder and its missing parents. The umask limits their permissions.
  package static func create(
    _ folder: String,
    permissions: Int = 0o777
  ) throws(FileProblem) {
    if folder.isEmpty || mkdir(folder, mode_t(permissions)) == 0 || isFolder(folder) { return }
    let code = errno
    guard code == ENOENT, let slash = folder.lastIndex(of: "/") else {
      throw code == EEXIST ? .noFolder : FileProblem(errno: code)
    }
    try create(String(folder[..<slash]), permissions: permissions)
    guard mkdir(folder, mode_t(permissions)) == 0 || isFolder(folder) else {
      throw FileProblem(errno: errno)
    }
  }

  /// The identity of a folder, equal for all paths that lead to it. The cost does not depend on the depth.
  package struct Identity: Hashable {
    private let device: UInt64
    private let file: UInt64

    /// - Throws: why the folder cannot be identified.
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

  /// Creates the missing parent folders of a file: all of them, or none.
  ///
  /// - Returns: the created folders, outermost first.
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

  /// Removes created folders that are still empty. The outermost comes first.
  package static func removeEmpty(_ folders: [String]) {
    for folder in folders.reversed() { rmdir(folder) }
  }

  /// The path of a file with all links resolved; nil if there is no file.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the target of a path that may be a symbolic link, even if the target does not exist.
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

  /// The content of a symbolic link; nil if the path is no link.
  private static func link(at path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Forces a rename to the disk. Does nothing if the folder cannot be opened, since the rename is done.
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

  /// Returns a path from a script, relative to the folder of that script.
  package static func path(_ path: String, from script: String?) -> String {
    guard !path.hasPrefix("/"), let script, let slash = script.lastIndex(of: "/") else {
      return path
    }
    return script[...slash] + path
  }
}

extension Folder {
  /// Returns the folders whose entries change when the file at a path changes: its folder or, if that is missing, the
  /// nearest existing parent. For symbolic links, the folder of each link and of the file.
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

  /// Returns the entries that lead to folders, by the folders that contain them. If an entry is renamed, or is a link with
  /// a new target, the paths lead to other folders.
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

  /// The folder of a path, `.` if it names none.
  static func parent(of path: String) -> String { of(path).folder }
}
