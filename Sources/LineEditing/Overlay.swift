/// The decoration of a line on the screen: its colours, a hint after it, a status below it.
struct Overlay: Equatable {
  /// The line that is decorated.
  var text: [Unicode.Scalar] = []
  /// The style of each scalar; nil for the default style. Shorter than the text if the end has no style.
  var styles: [LineEditor.Style?] = []
  var hint = ""
  var status = ""
  /// The text that accepting the hint inserts; nil if the hint cannot be accepted.
  var acceptable: String?
  /// The row in which the line ends, from the first row of the prompt.
  var endRow = 0
  /// The number of rows of a list between that row and the status.
  var listRows = 0

  func style(at index: Int) -> LineEditor.Style? { index < styles.count ? styles[index] : nil }

  var isColoured: Bool { styles.contains { $0 != nil } }
}

/// Replaces one overlay by the next with as little output as possible. It does not rewrite unchanged parts, so nothing
/// flickers.
struct OverlayPainter {
  let columns: Int
  /// The position of each character of the new line, and of its end.
  let places: [InputLayout.Position]
  let width: (Unicode.Scalar) -> Int

  private static let dim = LineEditor.Style("2")

  /// Returns the escape sequences to write, from the caret and back to it; empty if nothing differs. `isIntact` is true if
  /// the old overlay is on the screen as it was painted, except for characters that were appended to its line.
  func change(from old: Overlay, to new: Overlay, caret: Int, isIntact: Bool) -> String {
    let isIntact = isIntact && new.text.starts(with: old.text)
    let end = places[new.text.count]
    var pen = Pen(at: places[caret], columns: columns)
    paintText(from: old, to: new, isIntact, with: &pen)
    let isSame = isIntact && old.text.count == new.text.count && old.hint == new.hint
    if !isSame, !(old.hint.isEmpty && new.hint.isEmpty) {
      pen.move(to: end)
      pen.write(new.hint, width: new.hint.unicodeScalars.reduce(0) { $0 + width($1) }, Self.dim)
      pen.eraseRow()
    }
    let hasMoved = old.endRow != new.endRow
    if !old.status.isEmpty, hasMoved || new.status.isEmpty {
      if new.hint.isEmpty || new.listRows > 0 { pen.move(to: end) }
      if new.listRows > 0 { pen.lineFeeds(1 + new.listRows) }
      pen.eraseBelow()
    }
    if !new.status.isEmpty, !isIntact || hasMoved || old.status != new.status {
      pen.move(to: end)
      pen.lineFeeds(1 + new.listRows)
      pen.write(new.status, width: columns - 1, Self.dim)
      pen.eraseRow()
    }
    return pen.returned(to: places[caret])
  }

  private func paintText(
    from old: Overlay,
    to new: Overlay,
    _ isIntact: Bool,
    with pen: inout Pen
  ) {
    let mayBeColoured = !isIntact && old.isColoured
    guard mayBeColoured || old.isColoured || new.isColoured else { return }
    var start = 0
    while start < new.text.count {
      var next = start + 1
      while next < new.text.count, width(new.text[next]) == 0 { next += 1 }
      let style = new.style(at: start)
      let differs = isIntact ? style != old.style(at: start) : mayBeColoured || style != nil
      let shown = width(new.text[start])
      if differs, shown > 0 {
        pen.move(to: places[start])
        pen.write(LineEditor.text(Array(new.text[start..<next])), width: shown, style)
      }
      start = next
    }
  }
}

/// Writes at positions on the screen and tracks the cursor.
private struct Pen {
  private let columns: Int
  private var place: InputLayout.Position
  /// Whether the cursor is beyond the last column, where terminals disagree about its position.
  private var isAtEdge = false
  private var style: LineEditor.Style?
  private var output = ""

  init(at place: InputLayout.Position, columns: Int) {
    self.place = place
    self.columns = columns
  }

  mutating func move(to target: InputLayout.Position) {
    guard target != place || isAtEdge else { return }
    output += "\r"
    if target.row < place.row { output += "\u{1B}[\(place.row - target.row)A" }
    if target.row > place.row { output += "\u{1B}[\(target.row - place.row)B" }
    if target.column > 0 { output += "\u{1B}[\(target.column)C" }
    place = target
    isAtEdge = false
  }

  mutating func write(_ text: String, width: Int, _ style: LineEditor.Style?) {
    look(style)
    output += text
    place.column += width
    isAtEdge = place.column >= columns
  }

  mutating func lineFeeds(_ count: Int) {
    output += "\r" + String(repeating: "\n", count: count)
    place = InputLayout.Position(row: place.row + count, column: 0)
    isAtEdge = false
  }

  mutating func eraseRow() {
    look(nil)
    output += LineEditor.eraseRow
  }

  mutating func eraseBelow() {
    look(nil)
    output += LineEditor.eraseBelow
  }

  private mutating func look(_ new: LineEditor.Style?) {
    guard new != style else { return }
    output += new.map { "\u{1B}[0;\($0.parameters)m" } ?? "\u{1B}[0m"
    style = new
  }

  func returned(to caret: InputLayout.Position) -> String {
    guard !output.isEmpty else { return "" }
    var pen = self
    pen.look(nil)
    pen.move(to: caret)
    return pen.output
  }
}
