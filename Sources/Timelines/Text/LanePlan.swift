import RehearsalBase

/// The assignment of a lane's bars to rows of text, in columns. Bars that would overlap get separate rows.
struct LanePlan {
  private(set) var rows: [[Slot]] = []
  /// The row of the bar that set the lane's final state.
  private(set) var settledRow = 0
  /// The number of columns in use.
  private(set) var width = 0
  /// The number of bars without a row, because too many overlap.
  private(set) var undrawn = 0
  let lane: TimelineModel.Lane

  /// The columns of a bar and of its number, which is outside if the bar is short.
  struct Slot {
    let bar: TimelineModel.Bar
    let first: Int
    let last: Int
    /// The column of the number, nil if it is left out.
    let numberAt: Int?
    /// The number, with the kind of process if there is room.
    let tag: String
    /// The last reserved column.
    let end: Int
  }

  private static let mostRows = 8

  init(_ lane: TimelineModel.Lane, scale: TimeScale) {
    self.lane = lane
    let slots = lane.bars.map { Slot($0, scale: scale) }
    if !place(slots, mayShareColumns: false) {
      // Too many short bars: let them share columns unless they overlap in time.
      _ = place(slots.map(\.withoutOuterNumber), mayShareColumns: true)
    }
  }

  /// - Returns: whether every slot found a row.
  private mutating func place(_ slots: [Slot], mayShareColumns: Bool) -> Bool {
    rows = [[]]
    (settledRow, width, undrawn) = (0, 0, 0)
    for (index, slot) in slots.enumerated() {
      let row = rows.firstIndex { row in
        row.last.map { slot.follows($0, mayShareColumn: mayShareColumns) } ?? true
      }
      guard let row = row ?? newRow() else {
        undrawn += 1
        continue
      }
      rows[row].append(slot)
      width = max(width, slot.end + 1)
      if lane.settled?.bar == index {
        settledRow = row
        width = max(width, slot.end + 1 + lane.lateWidth)
      }
    }
    return undrawn == 0
  }

  private mutating func newRow() -> Int? {
    guard rows.count < Self.mostRows else { return nil }
    rows.append([])
    return rows.count - 1
  }

  /// Returns one row of the picture.
  func draw(
    _ row: Int,
    width: Int,
    scale: TimeScale,
    style: TextTimeline.Style,
    legend: inout Legend
  ) -> String {
    var canvas = RowCanvas(width: width, style: style)
    for slot in rows[row] {
      canvas.draw(slot, scale: scale)
    }
    for slot in rows[row] {
      for placed in slot.bar.marks where placed.moment != lane.settled?.moment {
        canvas.write(placed.label ?? "", after: scale.columns[placed.moment])
      }
    }
    if row == 0 {
      canvas.writeFirst(lane.initial)
    }
    canvas.note(in: &legend)
    return canvas.text
  }
}

extension LanePlan.Slot {
  init(_ bar: TimelineModel.Bar, scale: TimeScale) {
    self.bar = bar
    first = scale.columns[bar.start]
    if bar.isValue {
      let end = bar.end.map { scale.columns[$0] } ?? max(scale.width - 1, first)
      last = end
      let room = end - first - 2
      let name = bar.longTag.escapingControls
      let isShown = room >= name.widthInColumns && !name.isEmpty
      tag = isShown ? name : ""
      numberAt = isShown ? first + 1 : nil
      // The next value may begin in the column in which this one ends.
      self.end = bar.end != nil && bar.marks.last?.mark != .left ? max(first, end - 1) : end
      return
    }
    let digits = bar.tagColumns
    let next = bar.marks.lazy.map { [first] in (scale.columns[$0.moment], first) }
      .first { $0.0 > $0.1 }?.0
    tag = bar.tag(before: next ?? bar.end.map { scale.columns[$0] } ?? scale.width, from: first)
    guard let end = bar.end else {
      // In flight: up to the right edge, wide enough for its number.
      last = max(scale.width - 1, first + digits + 1)
      numberAt = next.map { [first] in $0 > first + digits } ?? true ? first + 1 : nil
      self.end = last
      return
    }
    last = scale.columns[end]
    if digits == 0 || (next ?? first) > first + digits {
      numberAt = digits == 0 ? nil : first + 1
      // The next attempt may begin in the column in which this one is replaced.
      self.end = bar.marks.last?.mark == .replaced ? last - 1 : last
    } else {
      numberAt = last + 1
      self.end = last + digits + 1
    }
  }

  /// The slot without its number, if the number would be outside.
  fileprivate var withoutOuterNumber: Self {
    let inside = numberAt.map { $0 <= last } ?? true
    return inside
      ? self : Self(bar: bar, first: first, last: last, numberAt: nil, tag: tag, end: last)
  }

  fileprivate func follows(_ other: Self, mayShareColumn: Bool) -> Bool {
    first > other.end || (mayShareColumn && other.bar.end.map { $0 <= bar.start } ?? false)
  }
}

extension TimelineModel.Bar {
  /// Returns the number, with the kind of process if part of the bar stays visible before the
  /// column `next`.
  fileprivate func tag(before next: Int, from first: Int) -> String {
    guard process != nil else { return tag }
    let long = longTag.escapingControls
    return first + long.widthInColumns + 1 < next ? long : tag
  }
}
