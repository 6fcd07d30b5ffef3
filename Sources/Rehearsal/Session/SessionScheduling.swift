import Exploring
import Loading
import RehearsalBase
import Script
import Staging

/// The schedule that the session follows, the scheduler of a search, and the values that commands
/// leave open.
@MainActor final class SessionScheduling {
  private let stage: Stage
  private let execution: CommandExecution
  private let history: SessionHistory
  /// The schedule that the session follows; nil for the default schedule.
  private(set) var following: Following?
  /// Whether `schedule` and `explore` in sourced files take effect.
  var takesSchedulesOfFiles = true
  /// The `schedule` commands in sourced files that were ignored.
  private(set) var schedulesLeftOut: [String] = []
  /// The scheduler; nil for the default schedule.
  private var scheduler: SearchScheduler?
  private var openValues = OpenValues()
  /// Whether the user has run a job by hand.
  var hasRunByHand = false
  /// The state of the session when it was last explored.
  var explored: Explored?

  init(stage: Stage, execution: CommandExecution, history: SessionHistory) {
    (self.stage, self.execution, self.history) = (stage, execution, history)
  }

  /// Whether this session is one of the runs of a search.
  var isInSearch: Bool { scheduler != nil && following == nil && !isByHand }
  /// Whether the user chooses the next job, so that commands leave their jobs waiting.
  var isByHand: Bool { scheduler is ManualScheduler }

  /// The state of a session when it was explored. Until another event happens, the search has
  /// performed and checked everything that is still pending.
  struct Explored {
    /// Number of scheduled commands and of run assertions.
    let scheduled: Int
    let assertions: Int
    let footprint: SessionFootprint
    /// Whether something was still pending.
    let hadPending: Bool
  }

  /// A schedule that the session follows, and its progress.
  struct Following {
    let schedule: Schedule
    let scheduler: ReplayScheduler
    /// The number of nested sourced files that contain the command.
    let depth: Int
    /// The given command.
    let given: String
    /// The sourced file and line of the command; empty if it is in no sourced file.
    let place: String

    /// The text of the choices that are still to come.
    var rest: Schedule { scheduler.rest }
  }

  /// The reason why an explored run cannot follow a schedule.
  nonisolated static let choosesOrderInSearch = Problem.misfit(
    "the search chooses the order of jobs"
  )

  /// Follows a schedule from now on; nil returns to the default schedule. A schedule of a sourced
  /// file is ignored while the session follows one of an outer file.
  ///
  /// - Throws: a diagnostic if another scheduler makes the choices.
  func follow(_ schedule: Located<Schedule>?, _ span: Range<Int>) throws(Diagnostic) {
    if !takesSchedulesOfFiles, !execution.sources.isEmpty {
      schedulesLeftOut.append(execution.text)
      return
    }
    if let outer = following?.depth, outer < execution.sources.count { return }
    guard !isInSearch else {
      throw Diagnostic(
        Self.choosesOrderInSearch,
        at: span,
        hint: "remove this command"
      )
    }
    following = schedule.map {
      Following(
        schedule: $0.value,
        scheduler: ReplayScheduler($0.value),
        depth: execution.sources.count,
        given: execution.given,
        place: execution.sourceSuffix
      )
    }
    decide(by: following?.scheduler)
  }

  /// Lets the user choose the next job from now on.
  ///
  /// - Throws: a diagnostic if a search or a schedule chooses it.
  func chooseByHand(_ span: Range<Int>) throws(Diagnostic) {
    if isByHand { return }
    guard !isInSearch else {
      throw Diagnostic(
        Self.choosesOrderInSearch,
        at: span,
        hint: "'step' runs everything at the next instant"
      )
    }
    if let rest = following?.rest, !rest.isDefault {
      throw Diagnostic(
        .misfit("the session follows a schedule, and \(rest) is still to come"),
        at: span,
        hint: "'schedule default' ends it"
      )
    }
    following = nil
    decide(by: ManualScheduler())
    stage.keepTasks()
  }

  /// Lets a scheduler make all choices, from the order at an instant to the value of a load; nil
  /// returns to the default schedule. Routes ask the scheduler of the stage.
  func decide(by scheduler: SearchScheduler?) {
    self.scheduler = scheduler
    stage.schedule(by: scheduler)
  }

  /// Chooses one of several alternatives, from 0.
  ///
  /// - Parameters:
  ///   - count: the number of alternatives.
  ///   - open: the number of the open value; nil if it is fixed.
  ///   - text: returns an alternative as text.
  /// - Returns: the index of the alternative.
  func choose(among count: Int, for open: Int?, _ text: (Int) -> String) -> Int {
    ask(open)
    guard let scheduler, count > 1 else { return 0 }
    let choice = scheduler.choose(among: count)
    if scheduler.keepsTexts { scheduler.noteValue(value(open, text(choice))) }
    return choice
  }

  /// Chooses a duration for work that begins after `start`; without a scheduler, the lower bound.
  ///
  /// - Parameters:
  ///   - range: the possible durations.
  ///   - start: the time until the work begins.
  ///   - open: the number of the open value; nil for one of the current command.
  /// - Returns: the duration.
  func choose(
    _ range: DurationRange,
    from start: Duration = .zero,
    for open: Int? = nil
  ) -> Duration {
    ask(open)
    guard let scheduler else { return range.lowerBound }
    let duration = scheduler.choose(range, from: start, on: stage)
    note(duration, of: range, for: open)
    return duration
  }

  /// Chooses the delay before the next attempt; random if there is jitter and no scheduler.
  ///
  /// - Parameters:
  ///   - retry: the policy.
  ///   - number: the number of the failed try.
  ///   - open: the number of the open value; nil if it is fixed.
  ///   - random: draws the jitter.
  /// - Returns: the delay.
  func delay(
    of retry: RetryPolicy,
    afterFailedTry number: Int,
    for open: Int?,
    using random: inout some RandomNumberGenerator
  ) -> Duration {
    ask(open)
    let drawn = retry.delay(afterFailedTry: number, using: &random)
    let range = retry.delays(afterFailedTry: number)
    guard let scheduler else { return drawn }
    let delay = scheduler.choose(range, drawn: drawn, on: stage)
    note(delay, of: range, for: open)
    return delay
  }

  private func note(_ duration: Duration, of range: DurationRange, for open: Int?) {
    guard let scheduler, scheduler.keepsTexts, range.isOpen else { return }
    scheduler.noteValue(value(open, duration.compact))
  }

  /// Returns the value that a command left open, for a report. Without a number, it is the time of the current command.
  private func value(_ open: Int?, _ text: String) -> ChosenValue {
    let value = open.map { openValues.values[$0] }
    let name = value?.text ?? openValueSource()?.name("the time") ?? "the time"
    return ChosenValue(name, text, record: value?.cause ?? history.cause ?? history.latestRecord)
  }

  /// Notes what the current step does, for a report about a run.
  func note(_ effect: @autoclosure () -> StepEffect) {
    if let scheduler, scheduler.keepsTexts { scheduler.noteEffect(effect()) }
  }

  /// The output of `schedule` without arguments.
  var scheduleInWords: String {
    if isByHand { return "by hand: 'step N' runs the next job; 'schedule default' ends this" }
    guard let following else { return "default: jobs run in the order in which they became ready" }
    let count = following.scheduler.choices.count
    let rest = following.rest
    return "\(following.schedule); \("scheduling point".counted(count)) so far"
      + (rest.isDefault ? "" : ", so \(rest) \(rest.deviations == 1 ? "is" : "are") still to come")
  }

  /// Notes that a command begins, whose tasks no other task creates.
  func beginCommand() { (scheduler as? ReplayScheduler)?.willRunCaller() }

  /// Throws if the schedule has a choice that was not possible.
  func requireFit(span: Range<Int>) throws(Diagnostic) {
    guard let misfit = following?.scheduler.takeMisfit() else { return }
    throw Diagnostic(
      .misfit("the schedule does not fit: \(misfit.text)"),
      at: span,
      hint:
        "the script was changed since the schedule was found; 'schedule default' continues without it"
    )
  }

  // MARK: Open values

  /// Notes that the current command leaves a value open.
  ///
  /// - Returns: its number; nil without a scheduler.
  func leaveOpen(_ what: String) -> Int? {
    guard let source = openValueSource() else { return nil }
    return openValues.add(OpenValues.Value(cause: source.record, text: source.name(what)))
  }

  /// Returns the current command as the source of open values; nil without a scheduler.
  ///
  /// - Parameter namesRoutes: whether the command may add several routes.
  /// - Returns: the source, or nil.
  func openValueSource(namesRoutes: Bool = true) -> OpenValueSource? {
    guard scheduler != nil else { return nil }
    return OpenValueSource(
      record: history.cause ?? history.latestRecord,
      place: execution.sourceLocation.map { $0 + ": " } ?? "",
      command: execution.commandText.printable(atMost: 120),
      namesRoutes: namesRoutes
    )
  }

  /// Notes that the scheduler was asked for a value.
  func ask(_ place: Int?) {
    if let place { openValues.ask(place) }
  }

  /// Notes a command that is performed later or never. Its open values and checks are unknown until
  /// then.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - interrupt: the number of its interrupt, from 1; nil if there is only one.
  /// - Returns: its number; nil without a scheduler.
  func leaveOpen(_ command: ParsedCommand, atInterrupt interrupt: Int? = nil) -> Int? {
    guard scheduler != nil else { return nil }
    let place = interrupt.map { " at interrupt \($0)" } ?? ""
    return leaveOpen("'\(command.text.printable(atMost: 120))'\(place)")
  }

  /// The values that commands have left open so far, and whether a run asked for each.
  var openValuesSoFar: [(value: OpenValues.Value, isAsked: Bool)] {
    Array(zip(openValues.values, openValues.isAsked))
  }
}
