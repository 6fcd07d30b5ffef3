#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Names for files that are the same on every machine: paths seen from the folder that a run was started in.
struct PathKey {
  /// The names of the folders that lead to the current one.
  private let folders: [Substring]

  init(folder: String? = nil) {
    folders = (folder ?? Self.currentFolder).split(separator: "/")
  }

  /// The path without detours, relative unless it is so already; in text form, on one line.
  func key(_ path: String) -> String {
    Self.isPlain(path) ? path : Self.escaped(relative(names(of: path)))
  }

  /// The keys of paths. Those of one folder, which follow each other, have the folder's in common.
  func keys(_ paths: some Collection<String>) -> [String] {
    var folder = (path: Substring(), key: "")
    return paths.map { path in
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), !Self.isPlain(path) else {
        return key(path)
      }
      let name = path[path.utf8.index(after: slash)...]
      guard !name.isEmpty, Self.isPlain(name) else { return key(path) }
      let above = path[...slash]
      if folder.path != above { folder = (above, key(String(above))) }
      return folder.key.isEmpty ? String(name) : String(folder.key, "/", name)
    }
  }

  /// The path as somebody would type it: without detours, and relative where it lies below this folder.
  func typed(_ path: String) -> String {
    let names = names(of: path)
    let isOutside = path.utf8.first == UInt8(ascii: "/") && !names.starts(with: folders)
    return isOutside ? "/" + names.joined(separator: "/") : relative(names)
  }

  /// The folder that the process is in; `/` where it is gone.
  static var currentFolder: String {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return String(cString: path)
  }

  /// Whether there is nothing to simplify, which nearly all paths of a run have in common.
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

  /// The names that lead to a path from the root.
  private func names(of path: String) -> [Substring] {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var names: [Substring] = isAbsolute ? [] : folders
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names
  }

  private func relative(_ names: [Substring]) -> String {
    let shared = zip(names, folders).prefix { $0 == $1 }.count
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

extension String {
  /// Texts in one, in no more memory than that takes: `+` leaves room for what may follow.
  init(_ first: some StringProtocol, _ second: some StringProtocol, _ third: some StringProtocol) {
    let count = first.utf8.count + second.utf8.count + third.utf8.count
    self.init(unsafeUninitializedCapacity: count) { buffer in
      var place = 0
      func add(_ text: some StringProtocol) {
        place += buffer[place...].initialize(fromContentsOf: text.utf8) - place
      }
      add(first)
      add(second)
      add(third)
      return place
    }
  }
}
