import Loading
import RehearsalBase
import Script
import Staging
import Timelines

/// Moving the time of a session.
extension Session {
  /// How many jobs a command may run at one instant, and how many instants it may visit, before what
  /// it waits for is taken for endless.
  static let mostSteps = 100_000
  /// How many instants a 'settle' may visit that names no time.
  static let mostInstants = 10_000

  /// Runs what is due now.
  func driveWhatIsReady() throws(Diagnostic) {
    try finish(stage.runReady(limit: Self.mostSteps), span: 0..<0)
  }

  func advance(by duration: Duration, span: Range<Int>) throws(Diagnostic) {
    try requireTime(for: duration, span: span)
    try takingFromOutside { () throws(Diagnostic) in
      try finish(stage.advance(by: duration, limit: Self.mostSteps), span: span)
    }
  }

  /// Time ends where its nanoseconds no longer fit 64 bits, after 292 years.
  func requireTime(for duration: Duration, span: Range<Int>) throws(Diagnostic) {
    guard stage.now.elapsed + duration > .nanoseconds(Int64.max) else { return }
    let written = String(decoding: Array(execution.text.utf8)[span], as: UTF8.self)
    throw Diagnostic(
      .durationTooLong(written),
      at: span,
      hint: "it is \(nowText) now, and time ends after 292 years"
    )
  }

  /// Runs until nothing is left to do, or for `duration` at most.
  func settle(within duration: Duration?, span: Range<Int>) throws(Diagnostic) {
    if let duration {
      try requireTime(for: duration, span: span)
      let stop = takingFromOutside { stage.settle(within: duration, limit: Self.mostSteps) }
      if case .bound(let bound) = stop, case .time = bound.limit {
        output.printEvent("not settled within \(duration.compact)" + inFlight, lane: nil)
      } else {
        try finish(stop, span: span)
      }
    } else {
      try settle(span: span)
    }
    sayWhatIsLeft()
  }

  private func settle(span: Range<Int>) throws(Diagnostic) {
    for _ in 0..<Self.mostInstants {
      guard try step(span: span) else { return }
    }
    guard !stage.pending.isEmpty else { return }
    throw endless("more than \(Self.mostInstants) instants by \(stage.now): \(stage.pending)", span)
  }

  /// Goes to the next instant; false where nothing is left to do.
  func step(span: Range<Int>) throws(Diagnostic) -> Bool {
    if let next = stage.nextInstant, next.elapsed >= .nanoseconds(Int64.max) {
      throw Diagnostic(
        .neverSettles("what comes next is beyond the end of time"),
        at: span,
        hint: "it is \(nowText) now, and time ends after 292 years"
      )
    }
    let stop = takingFromOutside { stage.step(limit: Self.mostSteps) }
    try finish(stop, span: span)
    return stop == .reached
  }

  /// Lets time pass, and with it what real sockets have brought.
  private func takingFromOutside<T, Failure: Error>(
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    // What time brings, no command did.
    let outer = history.cause
    history.cause = nil
    defer { history.cause = outer }
    guard let http = httpIfUsed else { return try body() }
    return try http.outside.whileOpen(body)
  }

  private var inFlight: String { flight.isEmpty ? "" : "; in flight: " + flight }

  /// The attempts in flight, of the first few members that have any.
  var flight: String {
    let busy = members.filter { !$0.liveAttempts.isEmpty }
    if busy.isEmpty { return "" }
    let texts = busy.prefix(5).map { member in
      member.name + " " + member.liveAttempts.prefix(5).map(\.description).joined(separator: ", ")
    }
    return texts.joined(separator: "; ") + (busy.count > 5 ? "; …" : "")
  }

  /// Names the attempts that wait for something that does not come by itself.
  func sayWhatIsLeft() {
    for member in members {
      let stuck = member.stuckAttempts
      guard !stuck.isEmpty else { continue }
      let attempts = stuck.map { "#\($0.number)" }.joined(separator: ", ")
      output.printEvent(
        member.name + "  \(attempts) still waiting, with nothing left to run",
        lane: member.lane
      )
    }
  }

  /// Names the work that does not come back to the stage.
  private func sayWhatIsSubmitted() {
    for submission in stage.takeSubmissions().map(\.description) {
      if !submitted.contains(submission) { submitted.append(submission) }
      output.printEvent(
        "\(submission) is outside of virtual time".printable(atMost: 400),
        lane: nil
      )
    }
  }

  /// Returns the work given to Dispatch, run loops and threads since the last call.
  func takeSubmitted() -> [String] {
    defer { submitted = [] }
    return submitted
  }

  private func finish(_ stop: Stage.Stop, span: Range<Int>) throws(Diagnostic) {
    sayWhatIsSubmitted()
    switch stop {
    case .idle, .reached: try requireFit(span: span)
    case .interrupted:
      noteInterruption()
      // An error, so that whatever the command was about to do next is not done either.
      throw Diagnostic(.neverSettles("interrupted at \(nowText)"), at: 0..<0)
    case .bound(let bound):
      if case .jobsAtOneInstant = bound.limit { throw breathless(bound, span) }
      throw endless(bound.description, span)
    }
  }

  /// Finishes the instant of an interruption, if that is possible, so that a replay can come to the same state.
  private func noteInterruption() {
    switch stage.runReady(limit: Self.mostJobsOfStoppedInstant) {
    case .idle, .reached: execution.interruption = .afterInstant
    case .interrupted, .bound: execution.interruption = .anywhere
    }
  }

  private static let mostJobsOfStoppedInstant = 10_000

  /// Something waits again and again: an endless poll.
  func endless(_ report: String, _ span: Range<Int>) -> Diagnostic {
    Diagnostic(
      .neverSettles(report + inFlight),
      at: span,
      hint: "'wait D' or 'settle within D' stops at a time; 'cancel' ends what is in flight"
    )
  }

  /// Something goes on without ever waiting, so that no time passes.
  private func breathless(_ bound: Stage.Bound, _ span: Range<Int>) -> Diagnostic {
    Diagnostic(
      .neverSettles(bound.description + inFlight),
      at: span,
      hint: "a task that never waits keeps time from moving; 'cancel' ends what is in flight"
    )
  }
}
