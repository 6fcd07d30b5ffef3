internal import CLineEdit
import LibC

/// Moves the cursor, erases the prompt and the line, and shows or removes a list below the line.
extension LineEditor {
  static func string(_ characters: some Sequence<wchar_t>) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: characters.map(scalar))
    return String(scalars)
  }

  static func scalar(_ character: wchar_t) -> Unicode.Scalar {
    Unicode.Scalar(UInt32(truncatingIfNeeded: character)) ?? "\u{FFFD}"
  }

  static func width(_ scalar: Unicode.Scalar) -> Int {
    Int(cle_width(wchar_t(truncatingIfNeeded: scalar.value)))
  }

  /// The current line, before and after the caret.
  var line: (before: [Unicode.Scalar], after: [Unicode.Scalar]) {
    guard let editor else { return ([], []) }
    var count = 0
    var caret = 0
    let text = UnsafeBufferPointer(start: cle_line(editor, &count, &caret), count: count)
    return (text[..<caret].map(Self.scalar), text[caret...].map(Self.scalar))
  }

  /// Returns the positions of the caret and of the end of the line, from the first row of the prompt.
  func measure() -> (caret: InputLayout.Position, end: InputLayout.Position) {
    guard let editor else { return (.init(), .init()) }
    let line = self.line
    return InputLayout.measure(
      prompt: prompt.visible,
      line: line.before + line.after,
      caret: line.before.count,
      columns: Int(cle_columns(editor)),
      width: Self.width
    )
  }

  /// Removes the prompt, the line and everything around them from the screen. The cursor is then where the prompt began.
  /// On a terminal that cannot do this, it moves to a new row.
  func eraseInput() { emit(erasure()) }

  func erasure() -> String {
    screenIsFresh()
    guard isAddressable else { return "\r\n" }
    let row = measure().caret.row
    return "\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + Self.eraseBelow
  }

  /// Notes that the screen no longer shows anything of the editor.
  func screenIsFresh() {
    listRows = 0
    painted = Overlay()
    isPaintIntact = true
  }

  /// Moves to the row below the line and leaves the line on the screen.
  func leaveInput(marking mark: String) {
    guard isAddressable else {
      emit(mark + "\r\n")
      return
    }
    let (caret, end) = measure()
    emit(
      Self.down(end.row - caret.row) + Self.toColumn(end.column) + Self.eraseBelow + mark + "\r\n"
    )
    screenIsFresh()
  }

  /// Removes an aborted search from the screen and leaves the line. libedit has moved to the row below the search, where
  /// the status may be.
  func leaveSearch(marking mark: String) {
    let text = line.before + line.after
    guard isAddressable, Self.isSearch(text), let start = text.lastIndex(of: "\n") else { return }
    let places = InputLayout.places(
      prompt: prompt.visible,
      line: text,
      columns: editor.map { Int(cle_columns($0)) } ?? 80,
      width: Self.width
    )
    let rows = places[text.count].row + 1 - places[start].row
    emit(
      Self.up(rows) + Self.toColumn(places[start].column) + Self.eraseBelow + mark + "\r\n"
    )
    screenIsFresh()
  }

  /// Shows `lines` below the line until the next key. They are removed then, so that the screen can be copied as a
  /// transcript.
  func showBelow(_ lines: [String]) {
    guard let editor else { return }
    let (caret, end) = measure()
    let list = lines.map { "\r\n" + $0 + Self.eraseRow }.joined()
    guard isAddressable, end.row + lines.count < cle_rows(editor) else {
      leaveInput(marking: "")
      emit(lines.map { $0 + "\r\n" }.joined())
      cle_refresh(editor)
      return
    }
    let rows = end.row - caret.row + lines.count
    emit(
      Self.down(end.row - caret.row) + list + Self.eraseBelow + Self.up(rows)
        + Self.toColumn(caret.column)
    )
    painted.status = ""
    listRows = lines.count
  }

  /// Removes the list from the screen, if there is one.
  func hideList() {
    guard listRows > 0 else { return }
    listRows = 0
    painted.status = ""
    let (caret, end) = measure()
    let rows = end.row - caret.row + 1
    emit(
      Self.down(rows) + "\r" + Self.eraseBelow + Self.up(rows) + Self.toColumn(caret.column)
    )
  }

  static let eraseBelow = "\u{1B}[J"
  static let eraseRow = "\u{1B}[K"

  /// Line feeds. Unlike cursor movements, they scroll at the end of the screen.
  private static func down(_ rows: Int) -> String { String(repeating: "\n", count: max(0, rows)) }

  private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A" : "" }

  private static func toColumn(_ column: Int) -> String {
    "\r" + (column > 0 ? "\u{1B}[\(column)C" : "")
  }
}
