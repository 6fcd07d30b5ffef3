import RehearsalBase
import Script

/// From where a session sees the paths that its commands name.
extension Session {
  /// A file that a command names, seen from the script that the command stands in.
  func path(of file: Located<String>) -> String {
    files.path(file.value, from: execution.sources.last?.path)
  }

  /// The folder that a file lies in, by one name however the path is spelled.
  func folder(of path: String) -> String { files.identity(of: Folder.path(".", from: path)) }
}
