import LineEditing
import PseudoTerminal

/// The host program at its prompt, in a terminal, with a separate home folder.
struct Prompt {
  let folder: TemporaryFolder
  let terminal: TerminalSession

  /// Starts the host and waits for its prompt. `settings` is the `.editrc` in its home folder, `history` the content
  /// of its history file.
  ///
  /// - Throws: an error if there is no terminal or no prompt.
  init(
    settings: String? = nil,
    history: String? = nil,
    in folder: TemporaryFolder? = nil,
    environment: [String: String] = [:],
    rows: Int = 24,
    columns: Int = 60
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    if let settings { try folder.write(Array(settings.utf8), to: ".editrc") }
    if let history { try folder.write(Array(history.utf8), to: "history") }
    terminal = try TerminalSession(
      BuildProducts.path(of: "EditingHost"),
      arguments: [folder.path(of: "history")],
      environment: Self.environment(home: folder, environment),
      rows: rows,
      columns: columns
    )
    try terminal.wait(forInput: "> ")
  }

  static func environment(
    home: TemporaryFolder,
    _ more: [String: String] = [:]
  ) -> [String: String] {
    let usual = [
      "TERM": "xterm", "HOME": home.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      // Otherwise Swift's runtime treats SIGQUIT as a crash and asks what to do.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    return usual.merging(more) { $1 }
  }
}

enum Key {
  static let enter = "\r"
  static let tab = "\t"
  static let escape = "\u{1B}"
  static let up = "\u{1B}[A"
  static let down = "\u{1B}[B"
  static let left = "\u{1B}[D"
  static let home = "\u{1B}[H"

  /// The character for Ctrl and a letter.
  static func control(_ letter: Character) -> String {
    String(UnicodeScalar((letter.asciiValue ?? 0) & 0x1F))
  }

  /// The input of a terminal for a paste, with the paste marks.
  static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
}
