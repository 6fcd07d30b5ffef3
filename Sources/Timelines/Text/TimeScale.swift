/// Where each moment stands in a picture: time to columns.
///
/// Linear between instants, except that an instant at which several things happen takes a column
/// for each of them (as far as there is room), that two instants do not share a column (likewise),
/// and that a gap much longer than the others is folded.
struct TimeScale {
  private(set) var instants: [Instant] = []
  /// The column of each moment.
  private(set) var columns: [Int] = []
  /// The columns inside each folded gap, and the index of the instant before it.
  private(set) var folds: [(gap: Int, columns: Range<Int>)] = []
  /// How many columns the picture takes, at most what was asked for.
  var width: Int { (instants.last?.lastColumn ?? 0) + 1 }

  struct Instant: Equatable {
    let time: Duration
    /// How many moments it holds.
    fileprivate(set) var count: Int
    fileprivate(set) var column = 0
    fileprivate(set) var lastColumn = 0
    /// Whether the gap after it is folded.
    fileprivate(set) var foldsAfter = false
  }

  /// - Parameters:
  ///   - moments: their times, never decreasing nor negative.
  ///   - start: the time at the left edge, not after any of them.
  ///   - end: the time that the picture must reach.
  ///   - width: how many columns there are, at least 8.
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

  /// The first column of an instant, if something happens then.
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

  /// For each instant, how many columns it takes beside its first.
  ///
  /// They share a third of the room, all of it if nothing else happens; the instants with the
  /// most moments give way first.
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

  /// Columns for each gap: proportional to its length, at least one as long as all can have one.
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

  /// `part / whole` of `room`, rounded down.
  static func scaled(_ part: Int128, _ room: Int, _ whole: Int128) -> Int {
    guard whole > 0 else { return 0 }
    let (short, isTooLong) = part.multipliedReportingOverflow(by: Int128(room))
    if !isTooLong { return Int(short / whole) }
    let product = part.multipliedFullWidth(by: Int128(room))
    return Int(whole.dividingFullWidth(product).quotient)
  }
}
