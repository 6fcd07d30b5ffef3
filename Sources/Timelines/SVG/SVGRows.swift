import RehearsalBase

/// The assignment of a lane's bars to rows of an SVG, in points. Bars that would overlap get separate rows.
struct SVGRows {
  private(set) var rows: [[Slot]] = [[]]
  /// The number of bars without a row, because too many overlap.
  private(set) var undrawn = 0

  struct Slot {
    let bar: TimelineModel.Bar
    let first: Double
    let last: Double
    /// The position of its number.
    var tag: TagPlace
  }

  enum TagPlace: Equatable {
    /// Inside, from this position on, with or without the kind of process.
    case inside(Double, isLong: Bool)
    case behind, nowhere
  }

  private static let mostRows = 8

  init(_ lane: TimelineModel.Lane, scale: PlotScale) {
    let slots = lane.bars.map { Slot($0, scale: scale) }
    place(slots) { previous, next in
      previous.bar.isValue && next.bar.isValue && next.first >= previous.last
        || next.first - 9 >= previous.last + 9
          + (previous.tag == .behind ? previous.bar.tagWidth : 0)
    }
    guard undrawn > 0 || rows.count > Self.mostRows / 2 && slots.count > 40 else { return }
    // Too many short bars: let them share a row unless they overlap in time.
    let tight = slots.map { slot in
      var slot = slot
      if slot.tag == .behind { slot.tag = .nowhere }
      return slot
    }
    place(tight) { previous, next in
      previous.bar.end.map { $0 < next.bar.start } ?? false
    }
  }

  private mutating func place(_ slots: [Slot], follows: (Slot, Slot) -> Bool) {
    rows = [[]]
    undrawn = 0
    for slot in slots {
      let row = rows.firstIndex { row in row.last.map { follows($0, slot) } ?? true }
      if let row {
        rows[row].append(slot)
      } else if rows.count < Self.mostRows {
        rows.append([slot])
      } else {
        undrawn += 1
      }
    }
  }
}

extension SVGRows.Slot {
  init(_ bar: TimelineModel.Bar, scale: PlotScale) {
    self.bar = bar
    first = scale.places[bar.start]
    last = bar.end.map { scale.places[$0] } ?? scale.width
    guard !bar.longTag.isEmpty else {
      tag = .nowhere
      return
    }
    if let place = bar.room(for: bar.longTag, scale) {
      tag = .inside(place, isLong: true)
    } else if let place = bar.room(for: bar.tag, scale) {
      tag = .inside(place, isLong: false)
    } else {
      tag = bar.end == nil || bar.isValue ? .nowhere : .behind
    }
  }
}

extension TimelineModel.Bar {
  /// The width of the number, in points.
  var tagWidth: Double { tag.isEmpty ? 0 : longTag.cut(toColumns: 24).widthInPoints(11) + 5 }

  /// The first moment in flight.
  var firstInFlight: (moment: Int, stroke: Stroke)? {
    strokes.first { $0.stroke == .visible || $0.stroke == .silent }
  }

  /// Returns the position for a tag before the next mark and not under a fold, or nil.
  fileprivate func room(for tag: String, _ scale: PlotScale) -> Double? {
    let width = tag.escapingControls.widthInPoints(11) + 5
    guard let start = firstInFlight?.moment else { return nil }
    let next = marks.first { $0.moment > start }?.moment ?? end
    let last = next.map { scale.places[$0] } ?? scale.width
    var place = scale.places[start]
    for fold in scale.folds where fold.place > place && fold.place < last {
      if fold.place - PlotScale.foldReach - place - 5 >= width { return place }
      place = fold.place + PlotScale.foldReach
    }
    return last - place - 10 >= width ? place : nil
  }
}
