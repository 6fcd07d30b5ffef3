/// How real time is told.
package enum RealTime {
  private static let start = ContinuousClock.now

  // Written once, before there is a second thread, by tests whose time is made.
  nonisolated(unsafe) package static var source: () -> Duration = {
    start.duration(to: .now)
  }

  /// Since some moment.
  static var now: Duration { source() }
}
