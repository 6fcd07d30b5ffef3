import RehearsalBase

/// Writes the tables of steps for a terminal: the widths of columns, and two tables next to each other if they fit.
extension RunTables {
  /// Returns the tables for a terminal, beside each other if they fit into `width` columns.
  package func lines(width: Int) -> [String] {
    let legend = legend.map { ["", "* " + $0] } ?? []
    guard let passing else { return failing.lines(width: width) + legend }
    let half = (width - 3) / 2
    guard half >= max(failing.leastWidth, passing.leastWidth) else {
      return failing.lines(width: width) + [""] + passing.lines(width: width) + legend
    }
    let (left, right) = (failing.lines(width: half), passing.lines(width: half))
    let both = (0..<max(left.count, right.count)).map { index in
      let first = index < left.count ? left[index] : ""
      guard index < right.count, !right[index].isEmpty else { return first }
      return first + String(repeating: " ", count: half + 3 - first.widthInColumns) + right[index]
    }
    return both + legend
  }
}

extension RunTable {
  /// The width of the times, with a space.
  private static let timeWidth = 10
  /// The least width of a task's column, with a space.
  private static let leastColumn = 16

  /// The least width of a task's column in a table beside another one: below each other, there is more room.
  private static let leastColumnBeside = 28

  /// The least width of a readable table beside another one.
  fileprivate var leastWidth: Int { Self.timeWidth + columns.count * Self.leastColumnBeside }

  /// Returns the table without line ends. If there are more tasks than columns fit, each row names
  /// its task.
  fileprivate func lines(width: Int) -> [String] {
    let head = title.cut(toColumns: width)
    let room = width - Self.timeWidth
    guard columns.count * Self.leastColumn <= room else {
      let body = rows.map { row in
        let text = "\(Self.padded(row.time.fixed))\(row.mark)\(columns[row.column])  \(row.text)"
        return text.cutBeforePlace(toColumns: width)
      }
      return [head] + body + [note].compactMap(\.self)
    }
    let widths = columnWidths(room: room)
    func line(_ time: String, _ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        let text = cell.cut(toColumns: width - 2)
        return text + String(repeating: " ", count: width - text.widthInColumns)
      }
      let text = Self.padded(time) + padded.joined()
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    let body = rows.flatMap { row in
      let lines = row.text.wrapped(toColumns: widths[row.column] - 4)
      return lines.enumerated().map { index, text in
        var cells = columns.map { _ in "" }
        cells[row.column] = (index == 0 ? row.mark : "  ") + text
        return line(index == 0 ? row.time.fixed : "", cells)
      }
    }
    let titles = zip(columns, widths).map { $0.wrapped(toColumns: $1 - 4) }
    let titleLines = (0..<(titles.map(\.count).max() ?? 0)).map { index in
      line("", titles.map { index < $0.count ? "  " + $0[index] : "" })
    }
    return [head] + titleLines + body + [note].compactMap(\.self)
  }

  private static func padded(_ time: String) -> String {
    String(repeating: " ", count: max(0, timeWidth - 2 - time.utf8.count)) + time + "  "
  }

  /// Returns widths that fit into `room`; the widest columns are reduced first.
  private func columnWidths(room: Int) -> [Int] {
    var wanted = columns.map { $0.columns + 4 }
    for row in rows { wanted[row.column] = max(wanted[row.column], row.text.columns + 4) }
    var most = wanted.max() ?? 0
    while most > Self.leastColumn, wanted.reduce(0, { $0 + min($1, most) }) > room { most -= 1 }
    return wanted.map { min($0, most) }
  }
}

extension RunTable.Row {
  fileprivate var mark: String { differs ? "* " : "  " }
}
