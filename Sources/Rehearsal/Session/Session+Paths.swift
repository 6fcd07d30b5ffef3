import RehearsalBase
import Script

/// Resolves the paths in commands, relative to the script that contains the command.
extension Session {
  /// Resolves a path of a command, relative to the script that contains the command.
  func path(of file: Located<String>) -> String {
    files.path(file.value, from: execution.sources.last?.path)
  }

  /// Returns the canonical path of the folder that contains a file. Different spellings of the
  /// folder give the same result.
  func folder(of path: String) -> String { files.identity(of: Folder.path(".", from: path)) }
}
