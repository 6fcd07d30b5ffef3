import RehearsalBase

/// One row of a lane, a cell for each column.
struct RowCanvas {
  /// The content of a cell: nothing, part of a bar, or a fixed character.
  private enum Cell: Equatable {
    case blank
    case stroke(Stroke)
    case fold
    case mark(EventMark)
    case text(Character)
    /// The second half of a wide character.
    case continued
  }

  private let style: TextTimeline.Style
  private var cells: [Cell]
  /// The columns in which one symbol represents several, so that no label fits.
  private var crowded: Set<Int> = []
  private var lacksNumber = false

  init(width: Int, style: TextTimeline.Style) {
    self.style = style
    cells = Array(repeating: .blank, count: width)
  }

  /// Draws a bar with its number and its marks.
  mutating func draw(_ slot: LanePlan.Slot, scale: TimeScale) {
    let ends = slot.bar.strokes.dropFirst().map { scale.columns[$0.moment] } + [slot.last]
    for ((moment, stroke), end) in zip(slot.bar.strokes, ends) {
      for column in scale.columns[moment]..<max(end, scale.columns[moment]) {
        drawStroke(stroke, at: column)
      }
    }
    for (_, fold) in scale.folds where slot.first < fold.lowerBound && fold.upperBound <= slot.last
    {
      cells[fold.lowerBound] = .fold
      cells[fold.upperBound - 1] = .fold
    }
    if let column = slot.numberAt {
      write(Array(slot.tag), at: column)
    } else if slot.bar.number != nil {
      lacksNumber = true
    }
    for placed in slot.bar.marks {
      put(placed.mark, at: scale.columns[placed.moment])
    }
    if slot.bar.end == nil, !slot.bar.isValue {
      put(.open, at: slot.last)
    }
  }

  private mutating func drawStroke(_ stroke: Stroke, at column: Int) {
    if case .mark = cells[column] {
      return
    }
    cells[column] = .stroke(stroke)
  }

  private mutating func put(_ mark: EventMark, at column: Int) {
    guard case .mark(let other) = cells[column] else {
      cells[column] = .mark(mark)
      return
    }
    cells[column] = .mark(other.merged(with: mark))
    if other == mark || cells[column] == .mark(.several) {
      crowded.insert(column)
    }
  }

  /// Writes `label`, whole or cut, after the mark in `column` and its number, if there is room.
  mutating func write(_ label: String, after column: Int) {
    guard !label.isEmpty, !crowded.contains(column) else { return }
    var start = column + 1
    while start < cells.count, case .text = cells[start] {
      start += 1
    }
    guard start < cells.count, isFree(start) else { return }
    let label = label.escapingControls
    let wanted = label.widthInColumns
    var room = 0
    while start + room < cells.count, room < wanted + 3, isFree(start + room) {
      room += 1
    }
    // The label goes between blanks, or into the bar if part of the bar stays visible.
    let isOutside = isBlank(start)
    let most = room - (isOutside && start + room < cells.count ? 2 : 1)
    guard most >= min(wanted, 8) else { return }
    let text = label.cut(toColumns: most, ellipsis: style.ellipsis)
    write(Array(isOutside ? " " + text : text), at: start)
  }

  /// Writes the lane's initial state, if there is room for it.
  mutating func writeFirst(_ state: String) {
    let state = state.escapingControls
    let room = cells.prefix { $0 == .blank }.count
    if room < cells.count, state.widthInColumns < room {
      write(Array(state), at: 0)
    }
  }

  private mutating func write(_ text: [Character], at column: Int) {
    var column = column
    for character in text {
      let width = character.widthInColumns
      guard width > 0, column + width <= cells.count else { continue }
      cells[column] = .text(character)
      if width == 2 {
        cells[column + 1] = .continued
      }
      column += width
    }
  }

  private func isFree(_ column: Int) -> Bool {
    switch cells[column] {
    case .blank, .stroke: true
    case .fold, .mark, .text, .continued: false
    }
  }

  private func isBlank(_ column: Int) -> Bool {
    column < cells.count && cells[column] == .blank
  }

  /// Adds the symbols in use to the legend.
  func note(in legend: inout Legend) {
    if lacksNumber || !crowded.isEmpty {
      legend.add(note: "crowded: one sign can mean several events")
    }
    for cell in cells {
      switch cell {
      case .mark(let mark): legend.add(mark)
      case .stroke(let stroke): legend.add(stroke)
      case .blank, .fold, .text, .continued: break
      }
    }
  }

  var text: String {
    cells.reduce(into: "") { text, cell in
      switch cell {
      case .blank: text.append(" ")
      case .stroke(let stroke): text.append(stroke.glyph(style))
      case .fold: text.append(style.fold)
      case .mark(let mark): text.append(mark.glyph(style))
      case .text(let character): text.append(character)
      case .continued: break
      }
    }
  }
}

extension EventMark {
  /// Returns the symbol for a cell with two marks.
  fileprivate func merged(with other: EventMark) -> EventMark {
    switch (self, other) {
    case (.replaced, .started), (.started, .replaced), (.restarted, .started),
      (.restarted, .replaced):
      .restarted
    case (.started, .left), (.left, .started): .restarted
    case (.started, let mark), (let mark, .started): mark
    case (let mark, .open), (.open, let mark), (let mark, .entered), (.entered, let mark): mark
    case (let one, let two): one == two ? one : .several
    }
  }
}

extension TextTimeline.Style {
  /// The edge of a fold.
  var fold: Character {
    switch self {
    case .unicode: "╱"
    case .ascii: "/"
    }
  }
}
