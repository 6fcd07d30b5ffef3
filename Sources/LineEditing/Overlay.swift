/// What is on the screen over a line and around it: colours, a hint behind it, a status below it.
struct Overlay: Equatable {
  /// The line that it belongs to.
  var text: [Unicode.Scalar] = []
  /// How each scalar looks; nil is the terminal's own look. Shorter than the text where no more of it
  /// is coloured.
  var styles: [LineEditor.Style?] = []
  var hint = ""
  var status = ""
  /// What taking the hint would insert, if it can be taken.
  var acceptable: String?
  /// The row on which the line ends, from the first of the prompt.
  var endRow = 0
  /// The rows of a list, between that row and the status.
  var listRows = 0

  func style(at index: Int) -> LineEditor.Style? { index < styles.count ? styles[index] : nil }

  var isColoured: Bool { styles.contains { $0 != nil } }
}

/// Turns one overlay into the next, with the least that has to be written: what already looks as it
/// should is not touched, so nothing flickers.
struct OverlayPainter {
  let columns: Int
  /// Where each character of the new line is, and its end.
  let places: [InputLayout.Position]
  let width: (Unicode.Scalar) -> Int

  private static let dim = LineEditor.Style("2")

  /// The sequences to write, from the caret and back to it; empty where nothing differs. `isIntact`
  /// says that the old overlay is on the screen as it was painted, but for characters that were added
  /// to its line.
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

/// Writes here and there on the screen, and knows where it is.
private struct Pen {
  private let columns: Int
  private var place: InputLayout.Position
  /// Whether the cursor hangs over the edge: where it is then, terminals disagree.
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
