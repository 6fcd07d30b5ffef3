import Loading
import RehearsalBase
import Script
import Staging
import Timelines

/// The time of a session: moves it, takes in what sockets bring meanwhile, and keeps the commands that are scheduled.
@MainActor final class SessionClock {
  private let stage: Stage
  private let execution: CommandExecution
  private let options: SessionOptions
  private let history: SessionHistory
  private let output: SessionOutput
  private let members: SessionMembers
  private let scheduling: SessionScheduling
  /// Work over sockets, which is taken in only while a command lets time pass.
  let outside: OutsideQueue

  var scheduled = ScheduledCommands()
  var pace = Pace.virtual
  /// Whether time can flow by itself, which only a prompt makes possible.
  var canFlow = false
  /// Who sees time pass, if anyone does.
  var audience: (any Audience)?
  /// Work outside of virtual time that has not been reported.
  private var submissions: [String] = []
  /// The numbers of the waiting tasks that were named.
  private var namedTasks: Set<Int> = []
  /// Number of instants since the last written one, while time flows by itself.
  private var silentInstants = 0

  /// What time waits for.
  enum Pace: Sendable {
    /// For commands.
    case virtual
    /// For real time, while a prompt stands.
    case live
  }

  init(
    stage: Stage,
    execution: CommandExecution,
    options: SessionOptions,
    history: SessionHistory,
    output: SessionOutput,
    members: SessionMembers,
    scheduling: SessionScheduling
  ) {
    (self.stage, self.execution, self.options) = (stage, execution, options)
    (self.history, self.output, self.members) = (history, output, members)
    self.scheduling = scheduling
    outside = OutsideQueue(stage: stage)
  }

  /// How many jobs a command may run at one instant, and how many instants it may visit, before what
  /// it waits for is taken for endless.
  static let mostSteps = 100_000
  /// How many instants a 'settle' may visit that names no time.
  static let mostInstants = 10_000

  /// Runs what is due now.
  func runReady() throws(Diagnostic) {
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
      hint: "it is \(options.text(stage.now.elapsed)) now, and time ends after 292 years"
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
      try settleCompletely(span: span)
    }
    printStuckAttempts()
  }

  private func settleCompletely(span: Range<Int>) throws(Diagnostic) {
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
        hint: "it is \(options.text(stage.now.elapsed)) now, and time ends after 292 years"
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
    return try outside.whileOpen(body)
  }

  private var inFlight: String {
    let flight = members.flight
    return flight.isEmpty ? "" : "; in flight: " + flight
  }

  /// Names the attempts that wait for something that does not come by itself.
  func printStuckAttempts() {
    for member in members.all {
      let stuck = member.stuckAttempts
      guard !stuck.isEmpty else { continue }
      let attempts = stuck.map { "#\($0.number)" }.joined(separator: ", ")
      output.printEvent(
        member.name + "  \(attempts) still waiting, with nothing left to run",
        lane: member.lane
      )
    }
    printWaitingTasks()
  }

  /// Names the tasks of scenes that nothing resumes, each once.
  private func printWaitingTasks() {
    guard stage.keepsTasks, stage.pending.isEmpty else { return }
    disownAttempts()
    let tasks = (stage.unfinishedTasks() ?? []).filter { namedTasks.insert($0.number).inserted }
    for task in tasks.prefix(Self.mostNamedTasks) {
      output.printEvent(
        "\(task.withoutOwnNumber) still waiting, with nothing left to run".printable(atMost: 400),
        lane: nil
      )
    }
    let more = tasks.count - Self.mostNamedTasks
    if more > 0 { output.printEvent("\(more) more tasks still waiting", lane: nil) }
  }

  private static let mostNamedTasks = 10

  /// Leaves the tasks of attempts out of the waiting tasks, because they are checked with their members.
  func disownAttempts() {
    for task in members.all.flatMap(\.attemptTasks) { stage.disown(task) }
  }

  /// Names the work that does not come back to the stage.
  private func printSubmissions() {
    for submission in stage.takeSubmissions().map(\.description) {
      if !submissions.contains(submission) { submissions.append(submission) }
      output.printEvent(
        "\(submission) is outside of virtual time".printable(atMost: 400),
        lane: nil
      )
    }
  }

  /// Returns the work given to Dispatch, run loops and threads since the last call.
  func takeSubmissions() -> [String] {
    defer { submissions = [] }
    return submissions
  }

  private func finish(_ stop: Stage.Stop, span: Range<Int>) throws(Diagnostic) {
    printSubmissions()
    switch stop {
    case .idle, .reached: try scheduling.requireFit(span: span)
    case .interrupted:
      noteInterruption()
      // An error, so that whatever the command was about to do next is not done either.
      throw Diagnostic(
        .neverSettles("interrupted at \(options.text(stage.now.elapsed))"),
        at: 0..<0
      )
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

  // MARK: Time that passes by itself

  /// Lets time pass until `time` has come, instant by instant. It stands still for as long as something is
  /// on its way over a socket.
  ///
  /// - Parameters:
  ///   - time: the instant.
  ///   - begin: called before each part that may print something.
  func flow(to time: Duration, begin: () -> Void) {
    if outside.isBusy {
      flow("wait 0s", begin) { outside.whileOpen { _ = stage.runReady(limit: Self.mostSteps) } }
    }
    while pace == .live, !outside.isBusy, let next = stage.nextInstant?.elapsed, next <= time {
      flow("wait \((next - history.concludedTime).compact)", begin) { () throws(Diagnostic) in
        _ = try step(span: 5..<execution.text.utf8.count)
      }
    }
    guard pace == .live, !outside.isBusy, time > stage.now.elapsed else { return }
    stage.advance(by: time - stage.now.elapsed, limit: Self.mostSteps, waitingForOutside: false)
  }

  /// How many instants may print nothing before they are written down all the same: a 'wait' visits only
  /// so many.
  private static let mostSilentInstants = mostSteps / 10

  private func flow(
    _ command: String,
    _ begin: () -> Void,
    _ body: () throws(Diagnostic) -> Void
  ) {
    execution.text = command
    execution.interruption = .none
    begin()
    let isWritten = history.whilePausing(command) {
      do throws(Diagnostic) {
        try body()
      } catch {
        output.fail(error)
        pace = .virtual
        output.printAside("note: time stands still again")
      }
      output.endCommand()
    }
    execution.text = ""
    silentInstants = isWritten ? 0 : silentInstants + 1
    if silentInstants >= Self.mostSilentInstants { writePause() }
  }

  /// Writes the time that has passed by itself since the last command.
  func writePause() {
    history.writePause()
    silentInstants = 0
  }
}
