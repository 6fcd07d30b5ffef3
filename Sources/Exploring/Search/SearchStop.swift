import Workers

/// When a search ends early: at a time limit, or at a signal.
package struct SearchStop {
  private let now: () -> Duration
  private let start: Duration
  /// How long the search may take, in milliseconds.
  package let limitInMilliseconds: Int?

  /// Starts the time.
  ///
  /// - Parameters:
  ///   - limitInMilliseconds: how long the search may take.
  ///   - now: the real time since some moment.
  package init(limitInMilliseconds: Int?, now: @escaping () -> Duration) {
    self.limitInMilliseconds = limitInMilliseconds
    self.now = now
    start = now()
  }

  /// The time since the search began, in milliseconds.
  package var milliseconds: Int { Int((now() - start) / .milliseconds(1)) }

  /// Whether the search ends now.
  package var isDue: Bool { StopSignals.caught != nil || isOver(times: 1) }

  /// How long a search that was stopped by a signal shortens its findings, in milliseconds of real time.
  private static let shorteningInMilliseconds = 2_000

  /// Whether findings are not shortened further. The time for that is the limit of the search once more, or short after
  /// a signal.
  package var isDueForShortening: Bool {
    isOver(times: 2) || (StopSignals.age.map { $0 >= Self.shorteningInMilliseconds } ?? false)
  }

  private func isOver(times: Int) -> Bool {
    guard let limit = limitInMilliseconds else { return false }
    return now() - start >= .milliseconds(limit) * times
  }

  /// Returns a condition that holds while failures are shortened: until the limit, and until a signal if there was none
  /// before.
  package func whileShortening() -> () -> Bool {
    let wasStopped = StopSignals.caught != nil
    return { !isDueForShortening && (wasStopped || StopSignals.caught == nil) }
  }
}
