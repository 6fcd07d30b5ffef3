extension TimeScale {
  /// Instants worth a label, the more important first: both ends, where a fold lets time go on,
  /// then round times at even distances.
  var ticks: [(time: Duration, column: Int)] {
    guard let first = instants.first, let last = instants.last else { return [] }
    let afterFolds = folds.map { instants[$0.gap + 1] }
    return ([first, last] + afterFolds).map { ($0.time, $0.column) } + roundTicks
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

  /// The distance of round ticks: the least of 1, 2, 5, 10 … that leaves each some ten columns.
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

  /// 1, 2, 5 … attoseconds up to 20 seconds, then 30 seconds, and 1, 2, 5 … minutes.
  private static let steps: [Int128] = {
    let second: Int128 = 1_000_000_000_000_000_000
    let small = series(from: 1, upTo: 20 * second)
    return small + [30 * second] + series(from: 60 * second, upTo: Int128.max / 100)
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
