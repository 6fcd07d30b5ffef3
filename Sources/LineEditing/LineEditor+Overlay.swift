internal import CLineEdit

/// Paints colours, the hint after the line and the status below it; decides which hint of the history is shown.
extension LineEditor {
  /// Maximum length of a coloured line in scalars, far above any typed line.
  private static let longestColoured = 4096

  /// Updates colours, hint and status for the current line.
  func paintOverlay() {
    guard isAddressable, let editor else { return }
    let line = self.line
    let text = line.before + line.after
    let columns = Int(cle_columns(editor))
    let places = InputLayout.places(
      prompt: prompt.visible,
      line: text,
      columns: columns,
      width: Self.width
    )
    var next = Overlay(text: text, endRow: places[text.count].row)
    // If a line fills the screen, no escape sequence reaches its first rows.
    let room = Int(cle_rows(editor)) - next.endRow
    guard room > 0 else {
      painted = next
      return
    }
    if !Self.isSearch(text) { dress(&next, caretIsAtEnd: line.after.isEmpty) }
    next.hint = fitted(next.hint, in: columns - 1 - places[text.count].column)
    next.listRows = listRows
    if room > 1 + listRows, let status = status() { next.status = fitted(status, in: columns - 1) }
    let painter = OverlayPainter(columns: columns, places: places, width: Self.width)
    let change = painter.change(
      from: painted,
      to: next,
      caret: line.before.count,
      isIntact: isPaintIntact
    )
    if !change.isEmpty { emit(change) }
    painted = next
    isPaintIntact = true
  }

  private func dress(_ overlay: inout Overlay, caretIsAtEnd: Bool) {
    let text = Self.text(overlay.text)
    if caretIsAtEnd {
      overlay.acceptable = rest(of: text)
      overlay.hint = overlay.acceptable ?? hint(text) ?? ""
    }
    guard isColoured, overlay.text.count <= Self.longestColoured else { return }
    overlay.styles = Array(repeating: nil, count: overlay.text.count)
    for part in colours(text) {
      for index in part.range.clamped(to: 0..<overlay.text.count) {
        overlay.styles[index] = part.style
      }
    }
  }

  /// Returns the rest of the latest history entry that begins with the line.
  private func rest(of text: String) -> String? {
    guard suggestsHistory, text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    let typed = text.utf8
    let entry = history.entries.last {
      $0.utf8.count > typed.count && $0.utf8.starts(with: typed)
    }
    return entry.map { String(decoding: $0.utf8.dropFirst(typed.count), as: UTF8.self) }
  }

  /// Returns the part of the first line that fits into the columns, with `…` for the rest.
  private func fitted(_ text: String, in columns: Int) -> String {
    var kept = String.UnicodeScalarView()
    var used = 0
    for scalar in text.unicodeScalars {
      guard Self.width(scalar) >= 0 else {
        if scalar == "\n" { return String(kept) + (used < columns ? "…" : "") }
        continue
      }
      let scalar = scalar.reordersText ? "\u{FFFD}" : scalar
      let shown = Self.width(scalar)
      if used + shown > columns {
        while used >= columns, let last = kept.popLast() { used -= Self.width(last) }
        return columns > 0 ? String(kept) + "…" : ""
      }
      kept.append(scalar)
      used += shown
    }
    return String(kept)
  }

  /// Whether libedit is searching, which it shows as a second row of the line.
  static func isSearch(_ text: [Unicode.Scalar]) -> Bool {
    guard let newline = text.lastIndex(of: "\n") else { return false }
    let row = Self.text(Array(text[(newline + 1)...].prefix(4)))
    return ["bck:", "bck?", "fwd:", "fwd?"].contains(row)
  }

  /// Notes a key that libedit is about to receive. All keys except characters may change the screen; with vi's keys,
  /// characters may, too.
  func note(key scalar: Unicode.Scalar) {
    let isPlain = scalar.value >= 0x20 && scalar.value != 0x7F
    if !isPlain || editor.map(cle_is_vi) == true { isPaintIntact = false }
  }

  /// Removes hint and status from the screen after the line was entered. The cursor is below the line.
  func leaveOverlay(of line: [Unicode.Scalar]) {
    guard isAddressable, let editor else { return }
    if !painted.hint.isEmpty {
      let end = InputLayout.places(
        prompt: prompt.visible,
        line: line,
        columns: Int(cle_columns(editor)),
        width: Self.width
      )[line.count]
      let right = end.column > 0 ? "\u{1B}[\(end.column)C" : ""
      emit("\u{1B}[A\r" + right + Self.eraseRow + "\r\n")
    }
    if !painted.status.isEmpty { emit(Self.eraseBelow) }
    screenIsFresh()
  }
}
