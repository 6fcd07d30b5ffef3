internal import CLineEdit
import LibC

/// Does what a special key does: completion, paste, recall of the history, acceptance of a hint, and `?`.
extension LineEditor {
  /// Tab: inserts the certain part of the word, then lists the candidates.
  func complete() -> cle_result {
    guard let editor else { return cle_result_beep }
    let line = self.line
    let before = Self.text(line.before)
    let suggested = completion(before)
    switch CompletionEdit(suggested, before: before, after: Self.text(line.after)) {
    case .nothing:
      return cle_result_beep
    case .replace(let count, let text):
      cle_delete_before(editor, Int32(count))
      cle_insert(editor, text)
      return cle_result_refresh
    case .list:
      showBelow(list(of: suggested))
      return cle_result_nothing
    }
  }

  private func list(of completion: Completion) -> [String] {
    layout?.lines(for: completion.candidates, andMore: completion.moreCount) ?? []
  }

  /// The layout of a list: it uses the free rows next to the line and its status; if it stays on the screen, as many rows
  /// as it needs.
  private var layout: CandidateLayout? {
    guard let editor else { return nil }
    let room = Int(cle_rows(editor)) - measure().end.row - (status() == nil ? 1 : 2)
    return CandidateLayout(
      columns: Int(cle_columns(editor)),
      rows: isAddressable ? max(1, min(room, 24)) : .max,
      width: Self.width
    )
  }

  /// The terminal's start-of-paste mark: reads to the end mark, inserts the first line, and keeps the other lines for the
  /// next prompts.
  func paste() -> cle_result {
    guard let editor else { return cle_result_beep }
    let endMark = Array("\u{1B}[201~".unicodeScalars)
    var scalars: [Unicode.Scalar] = []
    var next: wchar_t = 0
    while !scalars.ends(with: endMark) {
      guard cle_next(editor, &next) == 1 else { return cle_result_nothing }
      scalars.append(Unicode.Scalar(UInt32(truncatingIfNeeded: next)) ?? "\u{FFFD}")
    }
    pasted = PastedText(scalars.dropLast(endMark.count))
    if let first = takePastedLine() {
      cle_insert(editor, first)
      injected = ["\n"]
    } else {
      cle_insert(editor, pasted.takeRest())
    }
    return cle_result_refresh
  }

  /// Removes and returns the next line of a paste that should be entered.
  func takePastedLine() -> String? {
    while let line = pasted.takeLine() {
      if !passesOver(line) { return line }
    }
    return nil
  }

  /// Up and Down: shows the history entries that begin with the text before the caret.
  func recall(older: Bool) -> cle_result {
    guard let editor else { return cle_result_beep }
    let line = self.line
    let text = Self.text(line.before + line.after)
    if recalling?.shown != text {
      // After an arrow key in vi's command map, the caret is on the last typed letter.
      let prefix = line.before + line.after.prefix(cle_is_vi(editor) ? 1 : 0)
      recalling = HistoryCursor(entries: history.entries, line: text, prefix: Self.text(prefix))
    }
    guard let found = older ? recalling?.older() : recalling?.newer() else {
      return cle_result_beep
    }
    cle_move(editor, Int32(line.after.count))
    cle_delete_before(editor, Int32(line.before.count + line.after.count))
    cle_insert(editor, found)
    return cle_result_refresh
  }

  /// Right, and with `toEnd` Ctrl-E and End: at the end of the line they accept the hint of the history, if one is shown;
  /// elsewhere they move the caret.
  func accept(toEnd: Bool) -> cle_result {
    guard let editor else { return cle_result_beep }
    let line = self.line
    if line.after.isEmpty, let rest = painted.acceptable, painted.text == line.before {
      cle_insert(editor, rest)
      return cle_result_refresh
    }
    guard toEnd || !line.after.isEmpty else { return cle_result_beep }
    cle_move(editor, Int32(toEnd ? line.after.count : 1))
    return cle_result_cursor
  }

  /// `?`: shows below the line what is expected before the caret. Inside of a text it inserts itself.
  func explain() -> cle_result {
    guard let editor else { return cle_result_beep }
    guard let lines = explanation(Self.text(line.before)) else {
      cle_insert(editor, "?")
      return cle_result_refresh
    }
    showBelow(layout?.fitted(lines) ?? [])
    return cle_result_nothing
  }

  static func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

extension Array where Element: Equatable {
  fileprivate func ends(with other: [Element]) -> Bool { suffix(other.count).elementsEqual(other) }
}
