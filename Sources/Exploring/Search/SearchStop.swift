import Workers

/// The end of a search at a time limit or a signal.
package struct SearchStop {
  private let now: () -> Duration
  private let start: Duration
  /// The time limit of the search, in milliseconds; nil for none.
  package let limitInMilliseconds: Int?

  /// Starts the time limit.
  ///
  /// - Parameters:
  ///   - limitInMilliseconds: the time limit; nil for none.
  ///   - now: returns the real time since an arbitrary moment.
  package init(limitInMilliseconds: Int?, now: @escaping () -> Duration) {
    self.limitInMilliseconds = limitInMilliseconds
    self.now = now
    start = now()
  }

  /// The time since the search began, in milliseconds.
  package var milliseconds: Int { Int((now() - start) / .milliseconds(1)) }

  /// Whether the search ends now.
  package var isDue: Bool { StopSignals.caught != nil || isOver(times: 1) }

  /// The time for shrinking after a signal, in milliseconds of real time.
  private static let shorteningInMilliseconds = 2_000

  /// Whether shrinking ends. Its time is the limit of the search once more, or a short time after a
  /// signal.
  package var isDueForShortening: Bool {
    isOver(times: 2) || (StopSignals.age.map { $0 >= Self.shorteningInMilliseconds } ?? false)
  }

  private func isOver(times: Int) -> Bool {
    guard let limit = limitInMilliseconds else { return false }
    return now() - start >= .milliseconds(limit) * times
  }

  /// Returns a condition that holds while failures may be shrunk: until the limit, and until a
  /// signal if there was none before.
  package func whileShortening() -> () -> Bool {
    let wasStopped = StopSignals.caught != nil
    return { !isDueForShortening && (wasStopped || StopSignals.caught == nil) }
  }
}
