/// The real time.
package enum RealTime {
  private static let start = ContinuousClock.now

  // Written once, before there is a second thread, by tests that control the time.
  nonisolated(unsafe) package static var source: () -> Duration = {
    start.duration(to: .now)
  }

  /// The time since an arbitrary instant.
  static var now: Duration { source() }
}
