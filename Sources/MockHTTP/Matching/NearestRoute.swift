import HTTPTypes
import RemoteLoading

/// What to say about a request that no route answers: the route that comes nearest, and why it does not
/// match.
enum NearestRoute {
  static func error(
    among cells: [RouteCell],
    for reading: inout RequestReading,
    scope: String?
  ) -> TransportError {
    var best: (distance: Int, text: String)?
    for cell in cells {
      let (distance, reason) = difference(of: cell, &reading, scope: scope)
      if distance < best?.distance ?? .max {
        best = (distance, "\(cell.route.pattern) (\(reason))")
      }
    }
    return .unmatched(request: text(of: reading), nearest: best?.text)
  }

  static func usedUp(_ cell: RouteCell, _ reading: inout RequestReading) -> TransportError {
    .unmatched(
      request: text(of: reading),
      nearest: "\(cell.route.pattern) (\(cell.usedUpText))"
    )
  }

  private static func text(of reading: borrowing RequestReading) -> String {
    "\(reading.method.rawValue) \(reading.target)"
  }

  private static func difference(
    of cell: RouteCell,
    _ reading: inout RequestReading,
    scope: String?
  ) -> (distance: Int, reason: String) {
    guard let mismatch = cell.matcher.mismatch(&reading) else {
      if let wanted = cell.route.scope, wanted != scope { return (1, "only for '\(wanted)'") }
      return (0, cell.usedUpText)
    }
    return (2, "\(mismatch) differs")
  }
}

extension RouteCell {
  var usedUpText: String {
    let count = route.answers.count
    return count == 1 ? "its answer is used up" : "its \(count) answers are used up"
  }
}
