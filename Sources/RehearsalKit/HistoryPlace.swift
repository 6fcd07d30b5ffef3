import Rehearsal

/// Where the shell keeps its history: the state folder of the XDG Base Directory Specification.
enum HistoryPlace {
  /// The file's path, its folder made if need be; nil where there is no home.
  static var path: String? {
    guard let folder = XDGFolder.path("XDG_STATE_HOME", elseInHome: ".local/state") else {
      return nil
    }
    try? Folder.create(folder, permissions: 0o700)
    return folder + "/history"
  }
}
