import LibC
import MockHTTP
import Rehearsal
import RehearsalBase
import Script

/// Routes on the disk: a file of commands, and the bodies that they name beside it.
struct RouteFiles {
  let path: String
  /// With the slash behind it; empty for the current folder.
  private let folder: String

  init(path: String) {
    self.path = path
    let slash = path.lastIndex(of: "/")
    folder = slash.map { String(path[...$0]) } ?? ""
  }

  /// The file's name without what stands behind its first dot.
  var stem: String { String(path.dropFirst(folder.count).prefix { $0 != "." }) }

  /// What was written, in words.
  func name(with routes: TrafficRoutes) -> String {
    let count = routes.files.count
    let name = Self.comment(path)
    return count == 0 ? name : "\(name), and \(count) file\(count == 1 ? "" : "s") beside it"
  }

  /// Words from outside on one line, nothing in them steering a terminal or a parser.
  static func comment(_ text: String) -> String { text.printable(atMost: 2000) }

  // MARK: Writing

  /// Writes the bodies first, so that the routes never name a file that is not there.
  func write(_ routes: TrafficRoutes, text: String, replacing: Bool) throws(SubcommandFailure) {
    try check(replacing: replacing)
    for file in routes.files { try check(folder + file.name, replacing: replacing) }
    for file in routes.files { try write(file.bytes, to: folder + file.name) }
    try write(Array(text.utf8), to: path)
  }

  /// Makes sure that the routes can be written, before they are known.
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
      hint: "make the folder first",
      exit: .harness
    )
  }

  /// A body is written under a name that nobody chose, so never through a link to another place.
  private func check(_ path: String, replacing: Bool) throws(SubcommandFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if path != self.path, status.st_mode & S_IFMT != S_IFREG {
      throw SubcommandFailure("cannot write '\(path)': this is no ordinary file", hint: nil)
    }
    guard !replacing else { return }
    throw SubcommandFailure("'\(path)' is there already", hint: "'--force' replaces it")
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
