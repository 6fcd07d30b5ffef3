import HTTPTypes

/// A route in a server with its state. The server's lock guards it.
final class RouteCell {
  let number: Int
  let route: Route
  let matcher: PatternMatcher
  private let answers: [PreparedAnswer]
  private(set) var useCount = 0

  init(number: Int, route: Route) {
    precondition(!route.answers.isEmpty, "A route needs at least one answer.")
    self.number = number
    self.route = route
    matcher = PatternMatcher(route.pattern)
    answers = route.answers.map { PreparedAnswer($0, pattern: route.pattern) }
  }

  /// Whether the route is ignored.
  var hasPassed: Bool { route.afterLast == .pass && isUsedUp }

  var isUsedUp: Bool {
    switch route.afterLast {
    case .repeatLast, .cycle: false
    case .pass, .fail: useCount >= answers.count
    }
  }

  /// Returns the next answer and advances; nil if the route is used up.
  func takeAnswer() -> PreparedAnswer? {
    guard let place = nextAnswer else { return nil }
    useCount += 1
    return answers[place]
  }

  /// The index of the next answer, nil if the route is used up.
  var nextAnswer: Int? {
    if isUsedUp { return nil }
    return switch route.afterLast {
    case .repeatLast: min(useCount, answers.count - 1)
    case .cycle: useCount % answers.count
    case .pass, .fail: useCount
    }
  }

  /// Returns whether this route takes precedence over another one with the same path.
  func precedes(_ other: RouteCell) -> Bool {
    rank == other.rank ? number > other.number : other.rank.lexicographicallyPrecedes(rank)
  }

  private var rank: [Int] {
    let pattern = route.pattern
    let method = pattern.method.map { $0 == .head ? 2 : 1 } ?? 0
    return [pattern.host == nil ? 0 : 1, method, pattern.conditionCount]
  }
}

extension RequestPattern {
  /// The number of conditions other than method, host and path.
  var conditionCount: Int { query.count + headers.count + (body == nil ? 0 : 1) }
}
