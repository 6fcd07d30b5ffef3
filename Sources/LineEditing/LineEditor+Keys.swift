internal import CLineEdit
import LibC

/// Binds keys to commands of the editor, and reads the user's `~/.editrc`.
extension LineEditor {
  /// Binds the keys: ours, then the user's, then those that the shell needs.
  func configure() {
    bindUsual()
    for line in Self.settings() {
      guard let editor else { return }
      _ = cle_configure(editor, line)
      // Choosing a key map removes all bindings.
      if Self.choosesKeys(line) { bindUsual() }
    }
    bindRequired()
  }

  private static let usual = [
    ("^R", "em-inc-search-prev"), ("^P", "rehearse-older"), ("^N", "rehearse-newer"),
    ("\\e[A", "rehearse-older"), ("\\eOA", "rehearse-older"),
    ("\\e[B", "rehearse-newer"), ("\\eOB", "rehearse-newer"),
    ("\\e[H", "ed-move-to-beg"), ("\\eOH", "ed-move-to-beg"), ("\\e[1~", "ed-move-to-beg"),
    ("\\e[F", "rehearse-end"), ("\\eOF", "rehearse-end"), ("\\e[4~", "rehearse-end"),
    ("^E", "rehearse-end"), ("\\e[C", "rehearse-right"), ("\\eOC", "rehearse-right"),
    ("?", "rehearse-explain"),
    ("\\e[3~", "ed-delete-next-char"),
    ("\\e[1;5C", "em-next-word"), ("\\e[1;3C", "em-next-word"),
    ("\\e[1;5D", "ed-prev-word"), ("\\e[1;3D", "ed-prev-word"),
    ("^_", "vi-undo"),
  ]

  /// Bindings for vi's command map, which the Escape of an arrow key has activated.
  private static let usualInVi = [
    ("[A", "rehearse-older"), ("OA", "rehearse-older"),
    ("[B", "rehearse-newer"), ("OB", "rehearse-newer"),
    ("[H", "ed-move-to-beg"), ("[F", "ed-move-to-end"), ("[3~", "ed-delete-next-char"),
  ]

  private func bindUsual() {
    guard let editor else { return }
    if cle_is_vi(editor) {
      cle_bind(editor, "^R", "em-inc-search-prev", false)
      cle_bind(editor, "^R", "em-inc-search-prev", true)
      for (key, command) in Self.usualInVi { cle_bind(editor, key, command, true) }
    } else {
      for (key, command) in Self.usual { cle_bind(editor, key, command, false) }
    }
    bindRequired()
  }

  private func bindRequired() {
    guard let editor else { return }
    cle_bind(editor, "^I", "rehearse-complete", false)
    // In vi's map this binding would delay Escape, so there pastes arrive as typed characters.
    if !cle_is_vi(editor) { cle_bind(editor, "\\e[200~", "rehearse-paste", false) }
  }

  private static func choosesKeys(_ line: String) -> Bool {
    let words = line.split(whereSeparator: \.isWhitespace)
    return words.contains("-v") || words.contains("-e")
  }

  /// The lines of the file that `EDITRC` names, or of `~/.editrc`, without comments. libedit's own reader stops at the
  /// first line that it does not understand.
  private static func settings() -> [String] {
    guard let path = settingsPath(),
      let file = try? OpenFile(opening: path, O_RDONLY | O_NONBLOCK),
      let bytes = try? file.readAll(from: 0, limit: 1 << 20)
    else { return [] }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
      String($0.drop(while: \.isWhitespace))
    }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  private static func settingsPath() -> String? {
    if let named = getenv("EDITRC") { return String(cString: named) }
    return getenv("HOME").map { String(cString: $0) + "/.editrc" }
  }
}
