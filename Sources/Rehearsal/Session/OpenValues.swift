import MockHTTP

/// The values that commands leave to the scheduler, and whether a run asked for each. The server
/// has those of routes and injections.
struct OpenValues {
  struct Value: Hashable {
    /// The number of the command record whose command leaves the value open.
    let cause: Int?
    let text: String
    /// Whether it is an answer without open values.
    var isAnswer = false
  }

  private(set) var values: [Value] = []
  private(set) var isAsked: [Bool] = []
  private var places: [Value: Int] = [:]

  mutating func add(_ value: Value) -> Int {
    if let place = places[value] { return place }
    places[value] = values.count
    values.append(value)
    isAsked.append(false)
    return values.count - 1
  }

  mutating func ask(_ place: Int) { isAsked[place] = true }
}

@MainActor extension Session {
  /// Adds a route.
  ///
  /// - Parameters:
  ///   - route: the route.
  ///   - isOnly: whether the current command adds no other route.
  /// - Returns: the number of the route.
  @discardableResult func add(_ route: Route, isOnly: Bool = false) -> Int {
    http.server.add(route, from: scheduling.openValueSource(namesRoutes: !isOnly))
  }

  /// Answers a share of the requests instead of their routes.
  func inject(_ answer: ScriptedAnswer, rate: Double, seed: UInt64?) {
    http.server.inject(answer, rate: rate, seed: seed, from: scheduling.openValueSource())
  }

  /// The values that were left open so far, and whether the scheduler was asked for each.
  var openValuesSoFar: [(value: OpenValues.Value, isAsked: Bool)] {
    let ofServer = httpIfUsed?.server.openValues.compactMap { value in
      value.source.map { source in
        (
          OpenValues.Value(cause: source.record, text: value.text, isAnswer: value.isAnswer),
          value.isAsked
        )
      }
    }
    return scheduling.openValuesSoFar + (ofServer ?? [])
  }
}
