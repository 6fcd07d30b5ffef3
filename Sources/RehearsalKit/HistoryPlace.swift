import LibC

/// Where the shell keeps its history: the state folder of the XDG Base Directory Specification.
enum HistoryPlace {
  /// The file's path, its folder made if need be; nil where there is no home.
  static var path: String? {
    guard let folder = XDGFolder.path("XDG_STATE_HOME", elseInHome: ".local/state") else {
      return nil
    }
    make(folder)
    return folder + "/history"
  }

  /// Makes a folder and those above it, for the owner only.
  private static func make(_ folder: String) {
    for index in folder.indices.dropFirst() where folder[index] == "/" {
      mkdir(String(folder[..<index]), 0o700)
    }
    mkdir(folder, 0o700)
  }
}
