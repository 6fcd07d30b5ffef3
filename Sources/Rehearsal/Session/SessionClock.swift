import Loading
import RehearsalBase
import Script
import Staging
import Timelines

/// The time of a session: `wait`, `settle` and `step`, live time, and when work counts as endless. It accepts results
/// from sockets while it advances time, and keeps scheduled commands.
@MainActor final class SessionClock {
  private let stage: Stage
  private let execution: CommandExecution
  private let options: SessionOptions
  private let history: SessionHistory
  private let output: SessionOutput
  private let members: SessionMembers
  private let scheduling: SessionScheduling
  /// Results of work over sockets. They are accepted only while a command advances time.
  let outside: OutsideQueue

  var scheduled = ScheduledCommands()
  var pace = Pace.virtual
  /// Whether live time is available, which needs a prompt.
  var canFlow = false
  /// The observer of passing time, if there is one.
  var audience: (any Audience)?
  /// Work outside of virtual time that has not been reported.
  private var submissions: [String] = []
  private var blocked: [String] = []
  /// The numbers of the waiting tasks that were printed.
  private var namedTasks: Set<Int> = []
  /// The waits whose reasons were returned, see `Session.waitsToExplain`.
  var explained: Set<String> = []
  /// Number of instants since the last one that was logged, in live time.
  private var silentInstants = 0

  /// What advances time.
  enum Pace: Sendable {
    /// Commands.
    case virtual
    /// The real clock, while the prompt waits for input.
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

  /// Maximum number of jobs that a command runs at one instant, and of instants that it visits.
  /// Beyond that, its work counts as endless.
  static let mostSteps = 100_000
  /// Maximum number of instants of a `settle` without a time.
  static let mostInstants = 10_000

  /// Runs the due jobs, unless the user chooses the next job.
  func runReady() throws(Diagnostic) {
    if scheduling.isByHand {
      if !stage.hasWorkNow { stage.lookAround() }
      return
    }
    try finish(stage.runReady(limit: Self.mostSteps), span: 0..<0)
  }

  func advance(by duration: Duration, span: Range<Int>) throws(Diagnostic) {
    try requireTime(for: duration, span: span)
    try takingFromOutside { () throws(Diagnostic) in
      try finish(stage.advance(by: duration, limit: Self.mostSteps), span: span)
    }
  }

  /// Throws if `duration` leads past the end of time. Time ends after 292 years, the limit of
  /// 64-bit nanoseconds.
  func requireTime(for duration: Duration, span: Range<Int>) throws(Diagnostic) {
    guard stage.now.elapsed + duration > .nanoseconds(Int64.max) else { return }
    let written = String(decoding: Array(execution.text.utf8)[span], as: UTF8.self)
    throw Diagnostic(
      .durationTooLong(written),
      at: span,
      hint: "it is \(options.text(stage.now.elapsed)) now, and time ends after 292 years"
    )
  }

  /// Runs until no work is left, for at most `duration`.
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

  /// Advances to the next instant; false if no work is left.
  func step(span: Range<Int>) throws(Diagnostic) -> Bool {
    if let next = stage.nextInstant { try requireTime(until: next.elapsed, span: span) }
    let stop = takingFromOutside { stage.step(limit: Self.mostSteps) }
    try finish(stop, span: span)
    return stop == .reached
  }

  /// Throws if an instant is the end of time.
  private func requireTime(until next: Duration, span: Range<Int>) throws(Diagnostic) {
    guard next >= .nanoseconds(Int64.max) else { return }
    throw Diagnostic(
      .neverSettles("the next event is after the end of time"),
      at: span,
      hint: "it is \(options.text(stage.now.elapsed)) now, and time ends after 292 years"
    )
  }

  // MARK: Job by job

  /// Returns the jobs that could run next, and lets the user choose one of them from now on.
  func chooseByHand(span: Range<Int>) throws(Diagnostic) -> NextJobs {
    let jobs = try nextJobs(span: span)
    try requireVirtualTime(span: span)
    try scheduling.chooseByHand(span)
    return jobs
  }

  /// Returns the jobs that could run next.
  func nextJobs(span: Range<Int>) throws(Diagnostic) -> NextJobs {
    let next = takingFromOutside(ifQuiet: true) { stage.nextSteps() }
    if next.stop == .interrupted { try finish(next.stop, span: span) }
    if !next.steps.isEmpty { try requireTime(until: next.instant.elapsed, span: span) }
    return NextJobs(next, naming: members.tasksOfAttempts)
  }

  /// Runs one of the jobs that could run next, and lets the user choose the next one.
  func runJob(_ number: Located<Int>) throws(Diagnostic) {
    let jobs = try nextJobs(span: number.span)
    guard jobs.all.indices.contains(number.value - 1) else {
      throw Diagnostic(
        .misfit(
          jobs.all.isEmpty
            ? "nothing is left to do"
            : "there \(jobs.all.count == 1 ? "is only 1 job" : "are only \(jobs.all.count) jobs") to choose from"
        ),
        at: number.span,
        hint: jobs.all.isEmpty ? "'waiting' prints what still waits" : "'step list' lists them"
      )
    }
    try requireVirtualTime(span: number.span)
    try scheduling.chooseByHand(number.span)
    let stop = takingFromOutside(ifQuiet: true) { stage.runStep(number.value - 1) }
    guard let stop else {
      throw Diagnostic(
        .misfit("the jobs have changed, because an answer came over a socket"),
        at: number.span,
        hint: "'step list' lists them"
      )
    }
    scheduling.hasRunByHand = true
    try finish(stop, span: number.span)
  }

  private func requireVirtualTime(span: Range<Int>) throws(Diagnostic) {
    guard pace == .live else { return }
    throw Diagnostic(
      .misfit("time passes by itself, and runs the jobs"),
      at: span,
      hint: "'clock virtual' stops it"
    )
  }

  /// Runs `body`, which advances time, and accepts results of real sockets meanwhile.
  ///
  /// - Parameters:
  ///   - ifQuiet: whether results wait until no job is ready, so that their speed does not change the next jobs.
  ///   - body: the work.
  /// - Returns: the result of the work.
  /// - Throws: the error of the work.
  private func takingFromOutside<T, Failure: Error>(
    ifQuiet: Bool = false,
    _ body: () throws(Failure) -> T
  ) throws(Failure) -> T {
    // Time causes these events, not a command.
    let outer = history.cause
    history.cause = nil
    defer { history.cause = outer }
    if ifQuiet, stage.hasWorkNow { return try body() }
    return try outside.whileOpen(body)
  }

  private var inFlight: String {
    let flight = members.flight
    return flight.isEmpty ? "" : "; in flight: " + flight
  }

  /// Prints the attempts that wait for an event that no pending work will cause.
  func printStuckAttempts() {
    for member in members.all {
      let stuck = member.stuckAttempts
      guard !stuck.isEmpty else { continue }
      execution.hasNamedWaits = true
      let attempts = stuck.map { "#\($0.number)" }.joined(separator: ", ")
      output.printEvent(
        member.name + "  \(attempts) still waiting, with nothing left to run",
        lane: member.lane
      )
    }
    printBlocked(stage.takeBlocked())
    printWaitingTasks()
  }

  /// Prints blocking calls that never end.
  private func printBlocked(_ waits: [String]) {
    blocked += waits
    if !waits.isEmpty { execution.hasNamedWaits = true }
    for wait in waits { output.printEvent(wait.printable(atMost: 400), lane: nil) }
  }

  /// Returns the blocking calls that never end, since the last call.
  func takeBlocked() -> [String] {
    defer { blocked = [] }
    return blocked
  }

  /// Prints the tasks of scenes that no pending work resumes, each once.
  private func printWaitingTasks() {
    let tasks = unnamedWaitingTasks
    if !tasks.isEmpty { execution.hasNamedWaits = true }
    namedTasks.formUnion(tasks.compactMap(\.number))
    for line in Self.lines(about: tasks) { output.printEvent(line, lane: nil) }
  }

  /// Notes about such tasks that were not printed, because no command has let all time pass.
  var notesOnWaitingTasks: [String] {
    Self.lines(about: unnamedWaitingTasks.filter { !explained.contains($0.key) })
  }

  private var unnamedWaitingTasks: [WaitingTask] {
    guard stage.keepsTasks, stage.pending.isEmpty else { return [] }
    disownAttempts()
    return (stage.waitingTasks()?.tasks ?? []).filter { task in
      task.number.map { !namedTasks.contains($0) } ?? true
    }
  }

  private static func lines(about tasks: [WaitingTask]) -> [String] {
    let more = tasks.count - mostNamedTasks
    return tasks.prefix(mostNamedTasks).map {
      "\($0.withoutOwnNumber) still waiting, with nothing left to run".printable(atMost: 400)
    } + (more > 0 ? ["\(more) more tasks still waiting"] : [])
  }

  private static let mostNamedTasks = 10

  /// Leaves the tasks of attempts out of the waiting tasks, because they are checked with their
  /// members.
  func disownAttempts() {
    for task in members.all.flatMap(\.attemptTasks) { stage.disown(task) }
  }

  /// Prints the work that left the stage.
  private func printSubmissions() {
    for submission in stage.takeSubmissions().map(\.description) + stage.takeRealWaits() {
      if !submissions.contains(submission) { submissions.append(submission) }
      output.printEvent(
        "\(submission) is outside of virtual time".printable(atMost: 400),
        lane: nil
      )
    }
  }

  /// Returns the work outside of virtual time since the last call: what threads, files and other processes do.
  func takeSubmissions() -> [String] {
    defer { submissions = [] }
    return submissions
  }

  private func finish(_ stop: Stage.Stop, span: Range<Int>) throws(Diagnostic) {
    printSubmissions()
    printBlocked(stage.takeDeadlocks())
    switch stop {
    case .idle, .reached: try scheduling.requireFit(span: span)
    case .interrupted:
      noteInterruption()
      // An error, so that the command stops here.
      throw Diagnostic(
        .neverSettles("interrupted at \(options.text(stage.now.elapsed))"),
        at: 0..<0
      )
    case .bound(let bound):
      if case .jobsAtOneInstant = bound.limit { throw neverWaiting(bound, span) }
      throw endless(bound.description, span)
    }
  }

  /// Finishes the instant of an interruption if that is possible, so that a replay can reach the
  /// same state.
  private func noteInterruption() {
    switch stage.runReady(limit: Self.mostJobsOfStoppedInstant) {
    case .idle, .reached: execution.interruption = .afterInstant
    case .interrupted, .bound: execution.interruption = .anywhere
    }
  }

  private static let mostJobsOfStoppedInstant = 10_000

  /// Returns the diagnostic for work that waits repeatedly without end, such as an endless poll.
  func endless(_ report: String, _ span: Range<Int>) -> Diagnostic {
    Diagnostic(
      .neverSettles(report + inFlight),
      at: span,
      hint: "'wait D' or 'settle within D' stops at a time; 'cancel NAME' cancels a load or run"
    )
  }

  /// Returns the diagnostic for work that runs without ever waiting, so that time cannot advance.
  private func neverWaiting(_ bound: Stage.Bound, _ span: Range<Int>) -> Diagnostic {
    Diagnostic(
      .neverSettles(bound.description + inFlight),
      at: span,
      hint: "a task that never waits stops time; 'cancel NAME' cancels a load or run"
    )
  }

  // MARK: Live time

  /// Advances live time until `time`, instant by instant. Time stops while a result is on its way
  /// over a socket.
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

  /// Maximum number of instants without output before a `wait` is logged nevertheless, because a
  /// `wait` visits a limited number of instants.
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
        output.printAside(.note("the clock is virtual again"))
      }
      output.endCommand()
    }
    execution.text = ""
    silentInstants = isWritten ? 0 : silentInstants + 1
    if silentInstants >= Self.mostSilentInstants { writePause() }
  }

  /// Logs the time that has passed since the last command, in live time.
  func writePause() {
    history.writePause()
    silentInstants = 0
  }
}
