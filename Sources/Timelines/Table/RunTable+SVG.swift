import RehearsalBase

/// Draws the tables of steps as SVG.
extension RunTables {
  /// The tables beside each other as SVG: one file without scripts, fonts or links.
  package var svg: String {
    let widths = tables.map(\.widthInPoints)
    let rowCount = tables.map { $0.rows.count + ($0.note == nil ? 0 : 1) }.max() ?? 0
    let gap = 28.0
    let width = widths.reduce(0, +) + gap * Double(tables.count - 1) + 2 * SVGMeasures.margin
    let height = RunTable.top + Double(rowCount) * RunTable.pitch + (legend == nil ? 16 : 40)
    var writer = SVGWriter()
    let size = "\(width.inPoints) \(height.inPoints)"
    writer.open(
      "svg xmlns=\"http://www.w3.org/2000/svg\" class=\"\(SVGStyle.root)\" role=\"img\""
        + " width=\"\(width.inPoints)\" height=\"\(height.inPoints)\" viewBox=\"0 0 \(size)\""
    )
    writer.title(failing.title)
    writer.description(
      tables.map { "\($0.title): \($0.columns.count) tasks, \($0.rows.count) rows." }
        .joined(separator: " ")
    )
    writer.style(SVGStyle(theme: .auto).text)
    writer.rect("card", x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 8)
    var x = SVGMeasures.margin
    for (table, width) in zip(tables, widths) {
      table.draw(x: x, width: width, to: &writer)
      x += width + gap
    }
    if let legend {
      writer.write("* " + legend, "pointed", x: SVGMeasures.margin, y: height - 16)
    }
    writer.close("svg")
    return writer.text
  }
}

extension RunTable {
  fileprivate static let top = 72.0
  fileprivate static let pitch = 18.0
  private static let timeWidth = 70.0
  private static let mostColumns = 46

  private var columnWidths: [Double] {
    var widths = columns.map { min($0.columns, Self.mostColumns) }
    for row in rows {
      widths[row.column] = max(widths[row.column], min(row.text.columns + 2, Self.mostColumns))
    }
    return widths.map { Double($0) * 7 + 18 }
  }

  fileprivate var widthInPoints: Double {
    max(
      Self.timeWidth + columnWidths.reduce(0, +),
      Double(min(title.columns, 90)) * 8.6
    )
  }

  fileprivate func draw(x left: Double, width: Double, to writer: inout SVGWriter) {
    var places: [Double] = []
    var x = left + Self.timeWidth
    for width in columnWidths {
      places.append(x)
      x += width
    }
    writer.write(title.cut(toColumns: 90), "title", x: left, y: 30)
    for (name, place) in zip(columns, places) {
      writer.write(name.cut(toColumns: Self.mostColumns), "name", x: place, y: Self.top - 18)
    }
    let line = "M\(left.inPoints) \((Self.top - 10).inPoints)H\((left + width).inPoints)"
    writer.path("axis", line)
    let bottom = (Self.top + Double(rows.count) * Self.pitch - 8).inPoints
    for place in places.dropFirst() {
      writer.path("grid", "M\((place - 9).inPoints) \((Self.top - 30).inPoints)V\(bottom)")
    }
    var latest: Duration?
    for (index, row) in rows.enumerated() {
      let y = Self.top + Double(index) * Self.pitch + 6
      if latest != row.time { writer.write(row.time.compact, "small", x: left, y: y) }
      latest = row.time
      let title = "\(row.time.compact) \(columns[row.column]): \(row.text)"
      let text = (row.differs ? "* " : "") + row.text
      writer.open("g")
      writer.title(title)
      if row.differs {
        let width = columnWidths[row.column] - 8
        let x = places[row.column] - 5
        writer.rect("now", x: x, y: y - 13, width: width, height: Self.pitch - 1, radius: 3)
      }
      writer.write(
        text.cutBeforePlace(toColumns: Self.mostColumns),
        row.differs ? "pointed" : "small",
        x: places[row.column],
        y: y
      )
      writer.close("g")
    }
    if let note {
      let y = Self.top + Double(rows.count) * Self.pitch + 6
      writer.write(note, "small", x: left, y: y)
    }
  }
}
