import LibC

/// The table of all benchmarks.
enum Table {
  /// Prints how busy the machine is, because that affects the figures of several processes.
  static func printHead() {
    var load = 0.0
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    if getloadavg(&load, 1) == 1 {
      note("\(processors) processors, load average \(Row.Unit.threeDigits(load))")
    }
    print(line("what", "median", "of", "goal", "", "floor", "costs"))
  }

  static func print(_ row: Row) {
    let unit = row.unit
    let figure = row.samples.median
    let range =
      row.samples.least == row.samples.most
      ? "" : "\(unit.text(row.samples.least)) … \(unit.text(row.samples.most))"
    print(
      line(
        row.what,
        unit.text(figure),
        range,
        row.goal.map { Self.text($0, unit) } ?? "",
        row.goal.map { $0.isMet(by: figure) ? "ok" : "MISSED" } ?? "",
        row.floor.map { "\(unit.text($0.samples.median)) \($0.what)" } ?? "",
        row.ratio.map { Row.Unit.threeDigits($0) + "×" } ?? ""
      )
    )
  }

  static func note(_ text: String) { print(text) }

  private static func text(_ goal: Row.Goal, _ unit: Row.Unit) -> String {
    switch goal {
    case .atLeast(let least): "≥ " + unit.text(least)
    case .atMost(let most): "≤ " + unit.text(most)
    }
  }

  private static func line(_ columns: String...) -> String {
    let widths = [50, 10, 24, 12, 7, 42, 0]
    return zip(columns, widths).map { column, width in
      column + String(repeating: " ", count: max(0, width - column.count))
    }.joined(separator: " ")
  }

  /// Flushes each line, because several processes write to the same output.
  private static func print(_ line: String) {
    Swift.print(line)
    fflush(nil)
  }
}
