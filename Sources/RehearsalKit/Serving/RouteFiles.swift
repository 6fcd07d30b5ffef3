import LibC
import MockHTTP
import Rehearsal
import RehearsalBase
import Script

/// Writes routes to disk: a file of commands, and the bodies that it names, in the same folder.
struct RouteFiles {
  let path: String
  /// The folder with a final slash; empty for the current folder.
  private let folder: String

  init(path: String) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    folder = slash.map { String(path[...$0]) } ?? ""
  }

  /// The file's name up to its first dot.
  var stem: String { String(path.dropFirst(folder.count).prefix { $0 != "." }) }

  /// Returns text about the written files.
  func name(with routes: TrafficRoutes) -> String {
    let count = routes.files.count
    let name = Self.comment(path)
    return count == 0 ? name : "\(name), and \("file".counted(count)) in its folder"
  }

  /// Returns foreign text in one line, without characters that control a terminal or a parser.
  static func comment(_ text: String) -> String { text.printable(atMost: 2000) }

  // MARK: Writing

  /// Writes the bodies first, so that the routes never name a file that is not there.
  func write(_ routes: TrafficRoutes, text: String, replacing: Bool) throws(SubcommandFailure) {
    try check(replacing: replacing)
    for file in routes.files { try check(folder + file.name, replacing: replacing) }
    for file in routes.files { try write(file.bytes, to: folder + file.name) }
    try write(Array(text.utf8), to: path)
  }

  /// Checks that the routes can be written, before they are known.
  func check(replacing: Bool) throws(SubcommandFailure) {
    try checkFolder()
    try check(path, replacing: replacing)
  }

  private func checkFolder() throws(SubcommandFailure) {
    var status = stat()
    if folder.isEmpty { return }
    if stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    throw SubcommandFailure(
      "cannot write '\(path)': there is no folder '\(folder)'",
      hint: "create the folder first",
      exit: .harness
    )
  }

  /// Checks that a file may be written. The program chooses the name of a body, so it never follows a link to write one.
  private func check(_ path: String, replacing: Bool) throws(SubcommandFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if path != self.path, status.st_mode & S_IFMT != S_IFREG {
      throw SubcommandFailure("cannot write '\(path)': it is not a regular file", hint: nil)
    }
    guard !replacing else { return }
    throw SubcommandFailure("'\(path)' already exists", hint: "'--force' replaces it")
  }

  private func write(_ bytes: [UInt8], to path: String) throws(SubcommandFailure) {
    do throws(FileProblem) {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw SubcommandFailure(
        "cannot write '\(path)': \(error.sentence)",
        hint: nil,
        exit: .harness
      )
    }
  }
}
