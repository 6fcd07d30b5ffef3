/// The geometry of an arrow between two phases.
struct StateEdge: Hashable, Comparable {
  let from: Recording.Phase?
  let to: Recording.Phase

  static func < (left: Self, right: Self) -> Bool {
    Transition(from: left.from, cause: .start, to: left.to)
      < Transition(from: right.from, cause: .start, to: right.to)
  }

  struct Point {
    var x: Double
    var y: Double
  }

  /// A curve with two control points.
  struct Curve {
    var start: Point
    var first: Point
    var second: Point
    var end: Point

    var middle: Point {
      Point(
        x: (start.x + 3 * first.x + 3 * second.x + end.x) / 8,
        y: (start.y + 3 * first.y + 3 * second.y + end.y) / 8
      )
    }

    var path: String {
      func pair(_ point: Point) -> String { "\(point.x.inPoints) \(point.y.inPoints)" }
      return "M\(pair(start))C\(pair(first)) \(pair(second)) \(pair(end))"
    }

    func moved(down distance: Double) -> Curve {
      func move(_ point: Point) -> Point { Point(x: point.x, y: point.y + distance) }
      return Curve(start: move(start), first: move(first), second: move(second), end: move(end))
    }
  }

  var curve: Curve {
    guard let from else { return entry }
    return from == to ? loop : bow(from)
  }

  /// An arrow from outside to the outer corner.
  private var entry: Curve {
    let (across, down) = (to == .resting ? -1.0 : 1.0, to == .failed ? 1.0 : -1.0)
    let start = Point(
      x: to.place.x + across * (to == .resting ? 66 : 92),
      y: to.place.y + down * 46
    )
    let end = Point(x: to.place.x + across * 50, y: to.place.y + down * 19)
    return Curve(start: start, first: start, second: end, end: end)
  }

  /// An arrow back to the same phase, at the outer side.
  private var loop: Curve {
    let (place, side) = (to.place, to == .failed ? 1.0 : -1.0)
    return Curve(
      start: Point(x: place.x - 34, y: place.y + side * 19),
      first: Point(x: place.x - 46, y: place.y + side * 64),
      second: Point(x: place.x + 16, y: place.y + side * 64),
      end: Point(x: place.x + 4, y: place.y + side * 19)
    )
  }

  /// Returns an arrow to another phase, bent to its right, so that the opposite arrow has room.
  private func bow(_ from: Recording.Phase) -> Curve {
    let (a, b) = (from.place, to.place)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let (nx, ny) = (-dy / length, dx / length)
    func bent(_ point: Point, _ distance: Double) -> Point {
      Point(x: point.x + nx * distance, y: point.y + ny * distance)
    }
    // Horizontal arrows leave the corners of the boxes to the others.
    let aside = dy == 0 ? 3.0 : 9.0
    let start = from.edge(from: bent(a, aside), by: dx, dy)
    let end = to.edge(from: bent(b, aside), by: -dx, -dy)
    let first = Point(x: start.x + (end.x - start.x) / 3, y: start.y + (end.y - start.y) / 3)
    let second = Point(x: end.x - (end.x - start.x) / 3, y: end.y - (end.y - start.y) / 3)
    return Curve(start: start, first: bent(first, 16), second: bent(second, 16), end: end)
  }
}

extension Recording.Phase {
  /// The centre of its box, below the diagram's head.
  var place: StateEdge.Point {
    switch self {
    case .resting: .init(x: 90, y: 180)
    case .inFlight: .init(x: 380, y: 80)
    case .succeeded: .init(x: 640, y: 180)
    case .failed: .init(x: 380, y: 280)
    }
  }

  /// Returns where a ray from a point near the centre crosses the box's edge.
  fileprivate func edge(
    from point: StateEdge.Point,
    by dx: Double,
    _ dy: Double
  ) -> StateEdge.Point {
    let horizontal =
      dx == 0 ? Double.infinity : ((dx > 0 ? place.x + 56 : place.x - 56) - point.x) / dx
    let vertical =
      dy == 0 ? Double.infinity : ((dy > 0 ? place.y + 19 : place.y - 19) - point.y) / dy
    let way = min(horizontal, vertical)
    return .init(x: point.x + dx * way, y: point.y + dy * way)
  }
}
