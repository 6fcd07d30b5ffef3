import RehearsalBase

/// A mapping from moments to columns.
///
/// It is linear between instants, with three exceptions. An instant with several events takes a
/// column for each, if there is room. Two instants do not share a column, if there is room. A gap
/// that is much longer than the others is folded.
struct TimeScale {
  private(set) var instants: [Instant] = []
  /// The column of each moment.
  private(set) var columns: [Int] = []
  /// The columns of each folded gap, and the index of the instant before it.
  private(set) var folds: [(gap: Int, columns: Range<Int>)] = []
  /// The width of the picture in columns, at most the requested width.
  var width: Int { (instants.last?.lastColumn ?? 0) + 1 }

  struct Instant: Equatable {
    let time: Duration
    /// The number of its moments.
    fileprivate(set) var count: Int
    fileprivate(set) var column = 0
    fileprivate(set) var lastColumn = 0
    /// Whether the next gap is folded.
    fileprivate(set) var foldsAfter = false
  }

  /// Lays out moments.
  ///
  /// - Parameters:
  ///   - moments: their times, never decreasing nor negative.
  ///   - start: the time at the left edge, at or before all moments.
  ///   - end: the time that the picture must reach.
  ///   - width: the number of columns, at least 8.
  init(moments: [Duration], start: Duration, end: Duration, width: Int) {
    collect(moments, start: start, end: end)
    let extras = extraColumns(room: width)
    let room = width - 1 - extras.reduce(0, +)
    let gaps = zip(instants, instants.dropFirst()).map { ($1.time - $0.time).attoseconds }
    let folds = Folds(gaps: gaps, room: room)
    let widths = Self.share(folds.roomLeft, among: folds.kept)
    var column = 0
    for index in instants.indices {
      instants[index].column = column
      instants[index].lastColumn = column + extras[index]
      if index < gaps.count {
        instants[index].foldsAfter = folds.widths[index] != nil
        column += extras[index] + (folds.widths[index] ?? widths[index])
      }
    }
    placeMoments()
    self.folds = instants.indices.filter { instants[$0].foldsAfter }.map {
      ($0, instants[$0].lastColumn + 1..<instants[$0 + 1].column)
    }
  }

  /// Returns the first column of an instant, nil if it has no event.
  func column(of time: Duration) -> Int? {
    instants.first { $0.time == time }?.column
  }

  private mutating func collect(_ moments: [Duration], start: Duration, end: Duration) {
    instants = [Instant(time: start, count: 0)]
    for moment in moments {
      if instants[instants.count - 1].time < moment {
        instants.append(Instant(time: moment, count: 0))
      }
      instants[instants.count - 1].count += 1
    }
    if instants[instants.count - 1].time < end {
      instants.append(Instant(time: end, count: 0))
    }
  }

  /// Returns, for each instant, the number of columns after its first.
  ///
  /// They share a third of the room, or all of it if there is only one instant. The instants with
  /// the most moments are reduced first.
  private func extraColumns(room: Int) -> [Int] {
    let wanted = instants.map { max(0, $0.count - 1) }
    let budget = instants.count == 1 ? room - 1 : room / 3
    var most = wanted.max() ?? 0
    var fits = 0
    while fits < most {
      let middle = (fits + most + 1) / 2
      if wanted.reduce(0, { $0 + min($1, middle) }) <= budget {
        fits = middle
      } else {
        most = middle - 1
      }
    }
    return wanted.map { min($0, fits) }
  }

  private mutating func placeMoments() {
    columns = []
    columns.reserveCapacity(instants.count)
    for instant in instants {
      let slots = instant.lastColumn - instant.column + 1
      for index in 0..<instant.count {
        columns.append(instant.column + index * slots / instant.count)
      }
    }
  }

  /// Returns the columns of each gap: proportional to its length, and at least one if there is room
  /// for that.
  private static func share(_ room: Int, among gaps: [Int128]) -> [Int] {
    var lifted = gaps.map { _ in false }
    let count = gaps.reduce(0) { $0 + ($1 > 0 ? 1 : 0) }
    while true {
      let rest = zip(gaps, lifted).reduce(Int128(0)) { $0 + ($1.1 ? 0 : $1.0) }
      let roomLeft = room - lifted.reduce(0) { $0 + ($1 ? 1 : 0) }
      let small =
        count > room
        ? []
        : gaps.indices.filter {
          !lifted[$0] && gaps[$0] > 0 && scaled(gaps[$0], roomLeft, rest) == 0
        }
      if small.isEmpty { return widths(gaps, lifted: lifted, room: roomLeft, total: rest) }
      for index in small {
        lifted[index] = true
      }
    }
  }

  private static func widths(
    _ gaps: [Int128],
    lifted: [Bool],
    room: Int,
    total: Int128
  ) -> [Int] {
    var sum: Int128 = 0
    return gaps.indices.map { index in
      if lifted[index] {
        return 1
      }
      let before = scaled(sum, room, total)
      sum += gaps[index]
      return scaled(sum, room, total) - before
    }
  }

  /// Returns `part / whole` of `room`, rounded down.
  static func scaled(_ part: Int128, _ room: Int, _ whole: Int128) -> Int {
    guard whole > 0 else { return 0 }
    let (short, isTooLong) = part.multipliedReportingOverflow(by: Int128(room))
    if !isTooLong { return Int(short / whole) }
    let product = part.multipliedFullWidth(by: Int128(room))
    return Int(whole.dividingFullWidth(product).quotient)
  }
}

extension TimeScale {
  /// The instants to label, most important first: both ends, the ends of folds, round times at
  /// equal distances, then the starts of folds.
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

  /// The distance of round ticks: the smallest round duration that leaves each about ten columns.
  private var step: Int128? {
    let span = zip(instants, instants.dropFirst()).reduce(Int128(0)) {
      $0 + ($1.0.foldsAfter ? 0 : ($1.1.time - $1.0.time).attoseconds)
    }
    return Self.step(of: span, most: width / 10)
  }

  /// Returns the smallest round distance at which at most `most` ticks fit into `span` attoseconds.
  static func step(of span: Int128, most: Int) -> Int128? {
    steps.first { $0 > 0 && span / $0 <= Int128(max(1, most)) }
  }

  /// 1, 2, 5 … attoseconds up to 5 seconds, then divisors of minutes, hours and days, and 1, 2, 5 …
  /// days.
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
  /// The instant as an axis label, largest unit first: `500ms`, `1m20s`, `2d12h`.
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

  /// A label for less than a millisecond.
  private var fineTick: String {
    let nanosecond: Int128 = 1_000_000_000
    if attoseconds.isMultiple(of: 1000 * nanosecond) {
      return "\(attoseconds / 1000 / nanosecond)us"
    }
    return attoseconds.isMultiple(of: nanosecond) ? "\(attoseconds / nanosecond)ns" : compact
  }
}
