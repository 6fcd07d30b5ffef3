#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where the shell keeps its history: the state folder of the XDG Base Directory Specification.
enum HistoryPlace {
  /// The file's path, its folder made if need be; nil where there is no home.
  static var path: String? {
    guard let state = variable("XDG_STATE_HOME") ?? variable("HOME").map({ $0 + "/.local/state" })
    else { return nil }
    let folder = state + "/" + ThisProgram.current.name
    make(folder)
    return folder + "/history"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else {
      return nil
    }
    return value
  }

  /// Makes a folder and those above it, for the owner only.
  private static func make(_ folder: String) {
    for index in folder.indices.dropFirst() where folder[index] == "/" {
      mkdir(String(folder[..<index]), 0o700)
    }
    mkdir(folder, 0o700)
  }
}
