import HTTPTypes
import RemoteLoading

/// The route most similar to a request without a route, and the reason why it does not match. The
/// comparison includes the spelling of the path, the method, host, scope and conditions. A route
/// with an entirely different path is not named.
enum NearestRoute {
  static func error(
    among cells: [RouteCell],
    for reading: inout RequestReading,
    scope: String?
  ) -> TransportError {
    var nearest: (cell: RouteCell, distance: Int)?
    for cell in cells where isNear(cell, reading.segments) {
      let bound = nearest?.distance ?? .max
      let distance = distance(to: cell, &reading, scope: scope, below: bound)
      if distance < bound { nearest = (cell, distance) }
    }
    return error(nearest?.cell, for: &reading, scope: scope)
  }

  /// Returns the error for a known route.
  static func error(
    _ cell: RouteCell?,
    for reading: inout RequestReading,
    scope: String?
  ) -> TransportError {
    .unmatched(
      request: "\(reading.method.rawValue) \(reading.target)",
      nearest: cell.map { "\($0.route.pattern) (\(reason($0, &reading, scope: scope)))" }
    )
  }

  // MARK: Similarity

  /// Returns whether the path may be a misspelling of the route's: at least half of the letters are
  /// equal, or the path continues after the route's end.
  private static func isNear(_ cell: RouteCell, _ segments: [String]) -> Bool {
    let template = cell.route.pattern.path.filledIn(from: segments)
    let asked = "/" + segments.joined(separator: "/")
    if template.utf8.count > 1, asked.hasPrefix(template + "/") { return true }
    let most = (max(template.utf8.count, asked.utf8.count) - 1) / 2
    return EditDistance.between(template, asked, limit: most + 1) <= most
  }

  /// Returns the distance. One wrong letter in the path weighs less than another method, two weigh
  /// more.
  private static func distance(
    to cell: RouteCell,
    _ reading: inout RequestReading,
    scope: String?,
    below bound: Int
  ) -> Int {
    var distance = cell.route.scope == nil || cell.route.scope == scope ? 0 : 1
    for difference in cell.matcher.differences(&reading) { distance += difference.weight }
    guard distance < bound else { return distance }
    let template = cell.route.pattern.path.filledIn(from: reading.segments)
    let asked = "/" + reading.segments.joined(separator: "/")
    let limit = (bound - distance - 1) / 2 + 1
    return distance + 2 * EditDistance.between(template, asked, limit: limit)
  }

  // MARK: Reason

  private static func reason(
    _ cell: RouteCell,
    _ reading: inout RequestReading,
    scope: String?
  ) -> String {
    let differences = cell.matcher.differences(&reading)
    guard differences.isEmpty else { return words(differences, cell, reading.segments) }
    if let wanted = cell.route.scope, wanted != scope { return "only for '\(wanted)'" }
    let count = cell.route.answers.count
    return count == 1 ? "its answer is used up" : "its \(count) answers are used up"
  }

  private static func words(
    _ differences: [PatternMatcher.Difference],
    _ cell: RouteCell,
    _ path: [String]
  ) -> String {
    if differences == [.path], cell.route.pattern.path.differsByFinalSlash(from: path) {
      return "path differs in its trailing slash"
    }
    let names = differences.map(\.name)
    guard let last = names.last, names.count > 1 else { return names.joined() + " differs" }
    return names.dropLast().joined(separator: ", ") + " and \(last) differ"
  }
}

extension PatternMatcher.Difference {
  fileprivate var weight: Int {
    switch self {
    case .method: 3
    case .host: 2
    case .path, .query, .header, .body: 1
    }
  }

  fileprivate var name: String {
    switch self {
    case .method: "method"
    case .host: "host"
    case .path: "path"
    case .query(let name): "query '\(name)'"
    case .header(let name): "header '\(name)'"
    case .body: "body"
    }
  }
}

extension PathTemplate {
  fileprivate func differsByFinalSlash(from path: [String]) -> Bool {
    path.last == "" ? matches(path.dropLast()) : matches(path + [""])
  }

  /// Returns the template with captures replaced by the path's segments, as far as there are any.
  fileprivate func filledIn(from path: [String]) -> String {
    segments.enumerated().map { index, segment in
      switch segment {
      case .literal(let text): "/" + text
      case .capture: index < path.count && path[index] != "" ? "/" + path[index] : "/?"
      case .rest: path.dropFirst(index).map { "/" + $0 }.joined()
      }
    }.joined()
  }
}

/// The number of letters to change, add or remove.
enum EditDistance {
  /// Longer texts are compared by their beginnings. Requests come from outside, and this is only a
  /// hint.
  private static let longest = 200

  /// Computes the distance.
  ///
  /// - Returns: the distance, or any number that is at least `limit`.
  static func between(_ first: String, _ second: String, limit: Int) -> Int {
    let first = Array(first.utf8.prefix(longest))
    let second = Array(second.utf8.prefix(longest))
    guard abs(first.count - second.count) < limit else { return limit }
    var row = Array(0...second.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in second.enumerated() {
        let changed = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}
