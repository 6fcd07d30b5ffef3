package import Staging

/// Decides which lengths a search tries for an open duration: mostly those that end together with another event.
extension SearchScheduler {
  /// Chooses a duration that is left open. It offers durations that end together with another
  /// event, now or in the default schedule; durations that move later events of the default
  /// schedule onto each other; and others.
  ///
  /// - Parameters:
  ///   - range: the shortest and the longest duration.
  ///   - drawn: the default; nil for the shortest.
  ///   - start: the beginning of the duration, counted from the present instant.
  ///   - stage: the stage whose sleepers the end may coincide with.
  /// - Returns: a duration in the range.
  package final func choose(
    _ range: ClosedRange<Duration>,
    drawn: Duration? = nil,
    from start: Duration = .zero,
    on stage: Stage
  ) -> Duration {
    guard range.lowerBound < range.upperBound else { return range.lowerBound }
    let begin = stage.now.advanced(by: start)
    let alarms = stage.alarms(
      from: begin.advanced(by: range.lowerBound),
      through: begin.advanced(by: range.upperBound)
    )
    let direct =
      alarms.map { begin.duration(to: $0) } + range.meetings(landmarks, from: begin.elapsed)
    let steps = DurationSteps(range)
    if steps.leavesValuesOut { willLeaveValuesOut() }
    let marked = steps.places(
      of: (direct + range.laterMeetings(landmarks, from: begin.elapsed, plain: drawn)).sorted()
    )
    guard let drawn else { return steps[choose(among: steps.count, marked: marked)] }
    let behindDrawn = ([0] + marked.drop { $0 == 0 }).map { $0 + 1 }
    let choice = choose(among: steps.count + 1, marked: behindDrawn)
    return choice == 0 ? drawn : steps[choice - 1]
  }
}

extension ClosedRange<Duration> {
  /// Maximum number of instants of the default schedule for one range, and for later events. The
  /// numbers of nested ranges multiply.
  private static var mostLandmarks: Int { 16 }

  /// Returns durations that end together with an event of the default schedule.
  fileprivate func meetings(_ landmarks: [Duration], from begin: Duration) -> [Duration] {
    Array(landmarks.lazy.map { $0 - begin }.filter(contains).prefix(Self.mostLandmarks))
  }

  /// Returns durations that shift later events of the default schedule, which may depend on this
  /// one, onto other events of that run.
  fileprivate func laterMeetings(
    _ landmarks: [Duration],
    from begin: Duration,
    plain: Duration?
  ) -> [Duration] {
    let plain = plain ?? lowerBound
    let later = landmarks.drop { $0 <= begin + plain }.prefix(2 * Self.mostLandmarks)
    let delays = later.flatMap { end in
      later.lazy.filter { $0 != end }.map { plain + ($0 - end) }.filter(contains)
    }
    return Array(Set(delays).sorted().prefix(Self.mostLandmarks))
  }
}
