/// The assignment of a lane's bars to tracks. Bars that overlap in time get separate tracks.
struct TraceRows {
  private var rows: [[TimelineModel.Bar]] = [[]]

  /// Assigns each bar to the first track whose earlier bars have ended.
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
