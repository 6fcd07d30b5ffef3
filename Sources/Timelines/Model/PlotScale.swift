/// A mapping from moments to points, for pictures without text columns.
///
/// It is linear: equal durations have equal lengths, and the moments of one instant share a
/// position. Only a gap that is much longer than the others is folded. A widened scale keeps
/// moments apart: those of one instant, and two instants, are at least `step` apart, as long as
/// there is room.
struct PlotScale {
  private(set) var instants: [Instant] = []
  /// The position of each moment, never decreasing.
  private(set) var places: [Double] = []
  /// The centre and the length of each folded gap.
  private(set) var folds: [(place: Double, gap: Duration)] = []
  let width: Double

  struct Instant {
    let time: Duration
    /// The number of its moments.
    fileprivate(set) var count = 0
    fileprivate(set) var first = 0.0
    fileprivate(set) var last = 0.0
    /// Whether the next gap is folded.
    fileprivate(set) var foldsAfter = false
  }

  /// Lays out moments.
  ///
  /// - Parameters:
  ///   - moments: their times, never decreasing.
  ///   - start: the time at the left edge, at or before the first moment.
  ///   - end: the time that the picture must reach.
  ///   - width: the width in points.
  ///   - step: the preferred distance between marks of a widened scale, in points; nil for a linear
  ///     scale. A picture of one instant has no linear scale, so the moments divide the width.
  init(moments: [Duration], start: Duration, end: Duration, width: Double, step: Double?) {
    self.width = width
    collect(moments, start: start, end: end)
    let gaps = zip(instants, instants.dropFirst()).map { ($1.time - $0.time).attoseconds }
    let step = step ?? (gaps.isEmpty ? min(16, width / Double(max(1, moments.count))) : 0)
    let budget = gaps.isEmpty ? width : width / 3
    let extras = Self.shared(instants.map { Double(max(0, $0.count - 1)) * step }, within: budget)
    let room = width - extras.reduce(0, +)
    // Folds count in columns; a letter of a label is about seven points wide.
    let short = Folds(gaps: gaps, room: Int(room / 7))
    let folded = short.widths.map { $0.map { Double($0) * 7 } }
    let widths = Self.spread(
      room - folded.reduce(0) { $0 + ($1 ?? 0) },
      among: short.kept.map(Double.init),
      least: step
    )
    var place = 0.0
    for index in instants.indices {
      instants[index].first = place
      instants[index].last = place + extras[index]
      place += extras[index]
      if index < gaps.count {
        instants[index].foldsAfter = folded[index] != nil
        place += folded[index] ?? widths[index]
      }
    }
    placeMoments()
    folds = zip(instants, instants.dropFirst()).filter(\.0.foldsAfter).map {
      (($0.last + $1.first) / 2, $1.time - $0.time)
    }
  }

  private mutating func collect(_ moments: [Duration], start: Duration, end: Duration) {
    instants = [Instant(time: start)]
    for moment in moments {
      if instants[instants.count - 1].time < moment {
        instants.append(Instant(time: moment))
      }
      instants[instants.count - 1].count += 1
    }
    if instants[instants.count - 1].time < end {
      instants.append(Instant(time: end))
    }
  }

  private mutating func placeMoments() {
    for instant in instants {
      let step = (instant.last - instant.first) / Double(max(1, instant.count - 1))
      places += (0..<instant.count).map { instant.first + Double($0) * step }
    }
  }

  /// Returns the wanted sizes, with the largest ones reduced until all fit into `budget`.
  private static func shared(_ wanted: [Double], within budget: Double) -> [Double] {
    var rest = budget
    var most = 0.0
    let sorted = wanted.filter { $0 > 0 }.sorted()
    for (index, width) in sorted.enumerated() {
      most = min(width, rest / Double(sorted.count - index))
      if most < width { break }
      rest -= width
    }
    return wanted.map { min($0, most) }
  }

  /// Divides `room` in proportion. Each gap gets at least `least`, or an equal share if there is
  /// not enough room for that.
  private static func spread(_ room: Double, among gaps: [Double], least: Double) -> [Double] {
    let kept = gaps.filter { $0 > 0 }.sorted()
    let least = min(least, room / 2 / Double(max(1, kept.count)))
    var (rest, total) = (room, kept.reduce(0, +))
    var longestLifted = 0.0
    for gap in kept where gap * rest < least * total {
      rest -= least
      total -= gap
      longestLifted = gap
    }
    return gaps.map { gap in
      if gap <= longestLifted { return gap > 0 ? least : 0 }
      return total > 0 ? gap / total * rest : 0
    }
  }
}

extension PlotScale {
  /// Half the width of a fold's symbol, which covers the bars that cross it.
  static let foldReach = 5.0

  /// A round time and its position.
  struct Tick {
    let time: Duration
    let place: Double
  }

  /// Returns instants to label, most important first: both ends, the ends of folds, then round
  /// times at equal distances of at least `distance` points.
  func ticks(atLeast distance: Double) -> [Tick] {
    guard let first = instants.first, let last = instants.last else { return [] }
    let afterFolds = zip(instants, instants.dropFirst()).filter(\.0.foldsAfter).map(\.1)
    let ends = [first, last] + afterFolds
    return ends.map { Tick(time: $0.time, place: $0.first) } + roundTicks(atLeast: distance)
  }

  private func roundTicks(atLeast distance: Double) -> [Tick] {
    let gaps = zip(instants, instants.dropFirst()).filter { !$0.0.foldsAfter }
    let span = gaps.reduce(Int128(0)) { $0 + ($1.1.time - $1.0.time).attoseconds }
    guard let step = TimeScale.step(of: span, most: Int(width / distance)) else { return [] }
    var ticks: [Tick] = []
    for (before, after) in gaps {
      let (start, end) = (before.time.attoseconds, after.time.attoseconds)
      var time = (start + step - 1) / step * step
      while time < end {
        let part = Double(time - start) / Double(end - start)
        let place = time == start ? before.first : before.last + part * (after.first - before.last)
        ticks.append(Tick(time: Duration(attoseconds: time), place: place))
        time += step
      }
    }
    return ticks
  }
}
