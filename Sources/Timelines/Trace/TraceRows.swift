/// How a lane's bars share tracks: those that overlap in time stand on different ones.
struct TraceRows {
  private var rows: [[TimelineModel.Bar]] = [[]]

  /// Takes the first track on which every earlier bar is over.
  init(_ bars: [TimelineModel.Bar]) {
    for bar in bars {
      let free = rows.firstIndex { row in
        row.last.map { last in last.end.map { $0 <= bar.start } ?? false } ?? true
      }
      if let free { rows[free].append(bar) } else { rows.append([bar]) }
    }
  }

  var count: Int { rows.count }

  func bars(in row: Int) -> [TimelineModel.Bar] { rows[row] }
}
