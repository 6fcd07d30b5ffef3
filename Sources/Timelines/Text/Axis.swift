import RehearsalBase

/// The time axis: a line of labels over a ruler.
struct Axis {
  private(set) var labels: String
  private(set) var ruler: String

  /// Creates the axis. `width` counts the columns from the axis' left end to the picture's right
  /// edge.
  init(
    _ scale: TimeScale,
    width: Int,
    style: TextTimeline.Style,
    inWords: (Duration) -> String
  ) {
    var labelCells = [Character](repeating: " ", count: width)
    var rulerCells = [Character](repeating: style.line, count: scale.width)
    for instant in scale.instants where instant.column < instant.lastColumn {
      for column in instant.column...instant.lastColumn {
        rulerCells[column] = style.stretch
      }
    }
    for (index, columns) in scale.folds {
      let gap = scale.instants[index + 1].time - scale.instants[index].time
      let text = [style.fold] + Array(Folds.label(gap.attoseconds)) + [style.fold]
      rulerCells.replaceSubrange(columns, with: text)
    }
    for tick in scale.ticks {
      let text = Array(inWords(tick.time))
      let start = max(0, min(tick.column, width - text.count))
      let around = max(0, start - 1)..<min(width, start + text.count + 1)
      guard text.count <= width, labelCells[around].allSatisfy({ $0 == " " }) else { continue }
      labelCells.replaceSubrange(start..<start + text.count, with: text)
      rulerCells[tick.column] = style.tick
    }
    if rulerCells.count > 1 {
      rulerCells[0] = style.first
      rulerCells[rulerCells.count - 1] = style.last
    }
    labels = String(labelCells)
    ruler = String(rulerCells)
  }
}

extension TextTimeline.Style {
  fileprivate var line: Character { self == .unicode ? "─" : "-" }
  /// The character for one instant that is stretched to show an order.
  var stretch: Character { self == .unicode ? "═" : "=" }
  var pointer: Character { self == .unicode ? "▲" : "^" }
  fileprivate var tick: Character { self == .unicode ? "┼" : "+" }
  fileprivate var first: Character { self == .unicode ? "├" : "+" }
  fileprivate var last: Character { self == .unicode ? "┤" : "+" }
}
