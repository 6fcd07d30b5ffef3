/// Records the end of a request, and begins and ends the holds of requests.
extension ServerState {
  mutating func finish(
    _ id: Int,
    _ fate: RequestLog.Fate,
    bytesSent: Int,
    at time: Duration
  ) {
    holds.forget(id)
    ring.update(id) { entry in
      entry.ended = time
      entry.bytesSent = bytesSent
      entry.fate = fate
    }
  }

  // MARK: Holding

  mutating func hold(_ pattern: RequestPattern, command: String? = nil) {
    for id in holds.hold(pattern, unbegun: ring.unbegun, command: command) {
      ring.update(id) { $0.fate = .held }
    }
  }

  /// Removes waiting exchanges.
  ///
  /// - Returns: the waiting exchanges with their continuations, nil if `whenReleased` was not
  ///   called yet.
  mutating func release(
    _ pattern: RequestPattern?,
    atMost count: Int,
    endsHolding: Bool
  ) -> [(exchange: Int, continuation: Holds.Continuation?)] {
    if endsHolding { holds.endHolding(pattern) }
    return holds.take(pattern, atMost: count).map { id, continuation in
      ring.update(id) { $0.fate = .inFlight }
      return (id, continuation)
    }
  }
}
