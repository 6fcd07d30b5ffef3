#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files that a run is about, in the order of their bytes, each once.
package struct TranscriptSelection {
  struct Entry: Equatable {
    let path: String
    /// Whether somebody asked for this very file, rather than for its folder.
    let isNamed: Bool
    var problem: FileProblem?
    /// The content, where it does not come from the disk.
    var bytes: [UInt8]?
  }

  private struct Identity: Equatable {
    let device: UInt64
    let file: UInt64
  }

  private(set) var entries: [Entry] = []
  /// Paths that were asked for and are not there.
  private(set) var missing: [String] = []

  /// Finds files ending in `.transcript` and `.md`.
  ///
  /// Folders are searched through all their levels, except those whose names begin with a dot;
  /// symbolic links are followed, a circle of them is a problem of its own.
  ///
  /// - Parameters:
  ///   - paths: files, whatever their names, and folders.
  ///   - filter: a text that the path must contain, if any.
  package init(paths: [String], filter: String?) {
    for path in paths { add(path) }
    if let filter { entries.removeAll { !Self.contains($0.path, filter) } }
    entries.sort { Self.precedes($0, $1) }
    var last: String?
    entries.removeAll { entry in
      defer { last = entry.path }
      return entry.path == last
    }
  }

  private static func contains(_ path: String, _ filter: String) -> Bool {
    let (path, filter) = (Array(path.utf8), Array(filter.utf8))
    guard !filter.isEmpty else { return true }
    return path.indices.contains { path[$0...].starts(with: filter) }
  }

  /// By path; of two entries for one file the named one comes first, and stays.
  private static func precedes(_ first: Entry, _ second: Entry) -> Bool {
    let order = first.path.withCString { one in second.path.withCString { strcmp(one, $0) } }
    return order == 0 ? first.isNamed && !second.isNamed : order < 0
  }

  private mutating func add(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let problem = FileProblem(errno: errno)
      if problem == .missing {
        missing.append(path)
      } else {
        entries.append(Entry(path: path, isNamed: true, problem: problem))
      }
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      search(Self.trimmed(path), [Self.identity(status)])
    } else {
      entries.append(Entry(path: path, isNamed: true))
    }
  }

  private static func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return String(path)
  }

  private static func identity(_ status: stat) -> Identity {
    Identity(device: UInt64(status.st_dev), file: UInt64(status.st_ino))
  }

  /// Adds what a folder holds; `above` are the folders that the search came through to it, which it
  /// must not meet again.
  private mutating func search(_ folder: String, _ above: [Identity]) {
    guard let stream = opendir(folder) else {
      entries.append(Entry(path: folder, isNamed: false, problem: FileProblem(errno: errno)))
      return
    }
    var found: [(path: String, kind: Int32, isTranscript: Bool)] = []
    while let item = readdir(stream) {
      let kind = Int32(item.pointee.d_type)
      let name = withUnsafePointer(to: &item.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.utf8.first != UInt8(ascii: ".") else { continue }
      let isTranscript = Self.hasSuffix(name, ".transcript") || Self.hasSuffix(name, ".md")
      if kind == Self.regular, !isTranscript { continue }
      let path =
        folder == "." ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      found.append((path, kind, isTranscript))
    }
    closedir(stream)
    for item in found {
      if item.kind == Self.regular {
        entries.append(Entry(path: item.path, isNamed: false))
      } else {
        follow(item.path, item.isTranscript, above)
      }
    }
  }

  /// Looks at what is no plain file by its listing: a folder, a link, or a file system that is mute.
  private mutating func follow(_ path: String, _ isTranscript: Bool, _ above: [Identity]) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let problem = FileProblem(errno: errno)
      if isTranscript || problem == .symlinkLoop {
        entries.append(Entry(path: path, isNamed: false, problem: problem))
      }
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      let identity = Self.identity(status)
      if above.contains(identity) {
        entries.append(Entry(path: path, isNamed: false, problem: .symlinkLoop))
      } else {
        search(path, above + [identity])
      }
    } else if isTranscript {
      entries.append(Entry(path: path, isNamed: false))
    }
  }

  private static let regular = Int32(DT_REG)

  private static func hasSuffix(_ name: String, _ suffix: String) -> Bool {
    name.utf8.count > suffix.utf8.count
      && name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
