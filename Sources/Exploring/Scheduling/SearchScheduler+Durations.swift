package import Staging

extension SearchScheduler {
  /// How long something takes that is left open: together with something else that is due then, or that was in the
  /// default schedule, or so that what may come of it does, or else anything.
  ///
  /// - Parameters:
  ///   - range: the shortest and the longest duration.
  ///   - drawn: the default; nil for the shortest.
  ///   - start: when it begins, after the present instant.
  ///   - stage: whose alarms it may meet.
  /// - Returns: a duration of the range.
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
  /// How many instants of the default schedule are tried within one range, and how many for what comes later: they
  /// multiply.
  private static var mostLandmarks: Int { 16 }

  /// What makes it end together with something of the default schedule.
  fileprivate func meetings(_ landmarks: [Duration], from begin: Duration) -> [Duration] {
    Array(landmarks.lazy.map { $0 - begin }.filter(contains).prefix(Self.mostLandmarks))
  }

  /// What makes that which came behind its end in the default schedule, and so may come of it, meet something else of
  /// that run.
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
