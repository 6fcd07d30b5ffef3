import RehearsalBase

extension TimeScale {
  /// Instants worth a label, the more important first: both ends, where a fold lets time go on,
  /// then round times at even distances, and where a fold begins.
  var ticks: [(time: Duration, column: Int)] {
    guard let first = instants.first, let last = instants.last else { return [] }
    let afterFolds = folds.map { instants[$0.gap + 1] }
    let beforeFolds = folds.map { instants[$0.gap] }
    return ([first, last] + afterFolds).map { ($0.time, $0.column) } + roundTicks
      + beforeFolds.map { ($0.time, $0.column) }
  }

  private var roundTicks: [(time: Duration, column: Int)] {
    guard let step else { return [] }
    var ticks: [(time: Duration, column: Int)] = []
    for (before, after) in zip(instants, instants.dropFirst()) where !before.foldsAfter {
      let (start, end) = (before.time.attoseconds, after.time.attoseconds)
      var time = (start + step - 1) / step * step
      while time < end {
        let columns = after.column - before.lastColumn
        let offset = Self.scaled(time - start, columns, end - start)
        let column = time == start ? before.column : before.lastColumn + offset
        ticks.append((Duration(attoseconds: time), column))
        time += step
      }
    }
    return ticks
  }

  /// The distance of round ticks: the least round one that leaves each some ten columns.
  private var step: Int128? {
    let span = zip(instants, instants.dropFirst()).reduce(Int128(0)) {
      $0 + ($1.0.foldsAfter ? 0 : ($1.1.time - $1.0.time).attoseconds)
    }
    return Self.step(of: span, most: width / 10)
  }

  /// The least round distance at which at most `most` ticks fit into `span` attoseconds.
  static func step(of span: Int128, most: Int) -> Int128? {
    steps.first { $0 > 0 && span / $0 <= Int128(max(1, most)) }
  }

  /// 1, 2, 5 … attoseconds up to 5 seconds, then what divides minutes, hours and days, and 1, 2, 5 … days.
  private static let steps: [Int128] = {
    let second: Int128 = 1_000_000_000_000_000_000
    let (minute, hour, day) = (60 * second, 3600 * second, 86400 * second)
    return series(from: 1, upTo: 5 * second) + [10, 15, 30].map { $0 * second }
      + [1, 2, 5, 10, 15, 30].map { $0 * minute } + [1, 2, 3, 6, 12].map { $0 * hour }
      + series(from: day, upTo: Int128.max / 100)
  }()

  private static func series(from first: Int128, upTo last: Int128) -> [Int128] {
    var steps: [Int128] = []
    var unit = first
    while unit <= last {
      steps += [unit, 2 * unit, 5 * unit].filter { $0 <= last }
      unit *= 10
    }
    return steps
  }
}

extension Duration {
  /// The instant as an axis has it, each unit with what is left for the smaller ones: `500ms`, `1m20s`, `2d12h`.
  var tick: String {
    let second: Int128 = 1_000_000_000_000_000_000
    if attoseconds > 0, attoseconds < second / 1000 { return fineTick }
    var (text, rest) = ("", attoseconds)
    for (unit, name) in [(86400 * second, "d"), (3600 * second, "h"), (60 * second, "m")]
    where rest >= unit {
      text += "\(rest / unit)\(name)"
      rest %= unit
    }
    return rest == 0 && !text.isEmpty ? text : text + Duration(attoseconds: rest).compact
  }

  /// Less than a millisecond.
  private var fineTick: String {
    let nanosecond: Int128 = 1_000_000_000
    if attoseconds.isMultiple(of: 1000 * nanosecond) {
      return "\(attoseconds / 1000 / nanosecond)us"
    }
    return attoseconds.isMultiple(of: nanosecond) ? "\(attoseconds / nanosecond)ns" : compact
  }
}
