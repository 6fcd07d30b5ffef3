import Rehearsal

/// The path of the shell's history, in the state folder of the XDG Base Directory Specification.
enum HistoryPlace {
  /// The path; nil if there is no home folder. Creates the folder.
  static var path: String? {
    guard let folder = XDGFolder.path("XDG_STATE_HOME", elseInHome: ".local/state") else {
      return nil
    }
    try? Folder.create(folder, permissions: 0o700)
    return folder + "/history"
  }
}
