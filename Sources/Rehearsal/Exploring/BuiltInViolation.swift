import Exploring
import RehearsalBase
import Staging
import Timelines

/// A violation of a built-in check, and the search for such violations in the recording of a run.
struct BuiltInViolation: Sendable {
  let check: BuiltInCheck
  let culprit: Culprit
  let actual: ActualValue
  /// The start of an attempt that never ends; nil if unknown. In another order, another command may start the attempt with
  /// the same number.
  private(set) var start: Start?

  /// The command that planned an attempt, and the attempt's number among the live ones of that command, from 1.
  struct Start: Hashable, Sendable {
    let origin: AttemptOrigin
    let number: Int
  }

  enum Culprit: Hashable, Sendable {
    case member(String)
    /// The task with that number among the tasks at the same place. The stage's own task numbers
    /// differ between runs.
    case task(place: String, number: Int)
    case unknownTask
    /// A blocked thread, by its call and place.
    case thread(String)
  }

  /// A violation by a member.
  init(
    _ check: BuiltInCheck,
    by member: String,
    _ finding: MemberFinding,
    start: Start? = nil
  ) {
    self.check = check
    self.start = start
    culprit = .member(member)
    actual = .member(member, finding)
  }

  /// A violation by a task that nothing resumes. Its name identifies it, or the function that
  /// waits.
  init(_ task: WaitingTask, place: String, number: Int) {
    check = .noLeakedWork
    culprit = .task(place: place, number: number)
    actual = .tasks(WaitReport(tasks: [task]))
  }

  /// A violation by a thread, a queue or a group that waits forever.
  init(blocked text: String) {
    check = .noDeadlock
    culprit = .thread(text)
    actual = .blocked([BlockedCall(text: text)])
  }

  /// A violation by a scene that differs from its model.
  init(scene: String, _ finding: ModelFinding) {
    check = .matchesModel
    culprit = .member(scene)
    actual = .model(finding)
  }

  private init(culprit: Culprit, _ actual: ActualValue) {
    check = .noLeakedWork
    self.culprit = culprit
    self.actual = actual
  }

  /// The violation if the program cannot find waiting tasks.
  static let ofUnknownTasks = BuiltInViolation(culprit: .unknownTask, .unknownTasks)

  /// Whether the same member or task violates the same check.
  func isLike(_ other: BuiltInViolation) -> Bool {
    check == other.check && culprit == other.culprit
  }

  /// Whether the same attempts of a member violate the same check, or at most as many loads of a pipe.
  func isCovered(by other: BuiltInViolation) -> Bool {
    guard isLike(other) else { return false }
    guard case .member(_, let finding) = actual, case .member(_, let known) = other.actual else {
      return true
    }
    return switch (finding, known) {
    case (.wroteLate(let attempt, _, _, _, _), .wroteLate(let other, _, _, _, _)),
      (.changedOutcome(let attempt, _, _, _, _), .changedOutcome(let other, _, _, _, _)):
      attempt == other
    case (.attemptNeverEnds(let attempt), .attemptNeverEnds(let otherAttempt)):
      start == other.start && (start != nil || attempt == otherAttempt)
    case (.staleState(_, let shown, let asked), .staleState(_, let otherShown, let otherAsked)):
      shown == otherShown && asked == otherAsked
    case (.loadsNeverEnd(let count), .loadsNeverEnd(let other)): count <= other
    default: false
    }
  }

  var violation: Violation { Violation(.builtIn(check), actual) }
}

extension [BuiltInViolation] {
  /// The violations in their order, with all tasks in one violation.
  var violations: [Violation] {
    let tasks = flatMap { violation in
      if case .tasks(let report, _) = violation.actual { report.tasks } else { [WaitingTask]() }
    }
    return map { violation in
      guard case .tasks = violation.actual else { return violation.violation }
      return Violation(.builtIn(violation.check), .tasks(WaitReport(tasks: tasks)))
    }
  }
}

/// Finds the violations of built-in checks in a recording.
struct RecordingCheck {
  /// The first violation of each check by each attempt.
  private(set) var violations: [BuiltInViolation] = []
  private var lanes: [LaneReading]

  /// - Parameters:
  ///   - recording: the recording of the whole run.
  ///   - times: the format of instants.
  init(_ recording: Recording, _ times: TimeStyle) {
    lanes = recording.lanes.map { LaneReading($0, times) }
    for event in recording.events {
      guard let (check, finding) = lanes[event.lane].read(event) else { continue }
      add(check, lanes[event.lane], finding)
    }
    for lane in lanes { if let finding = lane.staleEnd { add(.latestRequestWins, lane, finding) } }
  }

  /// Adds a violation for an attempt that is still there at the end.
  ///
  /// - Parameters:
  ///   - attempt: the number of the attempt.
  ///   - start: its start, if it is known.
  ///   - isReplaced: whether another attempt has replaced it.
  ///   - isConstant: whether its member never changes its state.
  ///   - lane: the lane of its member.
  mutating func addEndless(
    _ attempt: Int,
    _ start: BuiltInViolation.Start?,
    isReplaced: Bool,
    isConstant: Bool,
    inLane lane: Int
  ) {
    let lane = lanes[lane]
    let isAsked = (lane.isInFlight || isConstant) && !isReplaced
    let check = isAsked ? BuiltInCheck.completes : .noLeakedWork
    add(BuiltInViolation(check, by: lane.name, .attemptNeverEnds(attempt), start: start))
  }

  /// Adds a violation for loads of a pipe that never end.
  mutating func addEndlessLoads(_ count: Int, ofPipe name: String) {
    add(BuiltInViolation(.completes, by: name, .loadsNeverEnd(count)))
  }

  private mutating func add(_ check: BuiltInCheck, _ lane: LaneReading, _ finding: MemberFinding) {
    add(BuiltInViolation(check, by: lane.name, finding))
  }

  private mutating func add(_ violation: BuiltInViolation) {
    if !violations.contains(where: violation.isCovered) { violations.append(violation) }
  }
}

/// The events of a member's lane that concern its attempts.
private struct LaneReading {
  /// The end of an attempt's effect on the state.
  private struct Superseded {
    let attempt: Int
    let how: MemberFinding.Supersession
    let time: ShownTime

    /// Whether the attempt may still restore the state from before it.
    var isCancelled: Bool {
      switch how {
      case .cancelled, .reset: true
      case .replaced, .assigned: false
      }
    }
  }

  /// A state of the member, and when it was entered.
  private struct Write {
    let attempt: Int
    let state: StateValue
    let time: ShownTime
  }

  let name: String
  private let times: TimeStyle
  private(set) var isInFlight: Bool
  private let hasMachine: Bool
  private var superseded: [Superseded] = []
  private var outcomes: [Write] = []
  /// The attempt of the latest start; nil after everything was stopped.
  private var asked: Int?
  /// The state that the attempt wrote, if it did.
  private var answer: String?
  /// The attempt that wrote the state since the latest start.
  private var writer: Int?
  private var state: String
  private var phase: Recording.Phase?

  init(_ lane: Recording.Lane, _ times: TimeStyle) {
    name = lane.name
    self.times = times
    isInFlight = lane.phase == .inFlight
    state = lane.initial
    phase = lane.phase
    hasMachine = lane.machine != nil
  }

  private var stateValue: StateValue { StateValue(text: state, kind: phase?.rawValue ?? "") }

  /// - Returns: the violation of a check by the event, if there is one.
  mutating func read(_ event: Recording.Event) -> (BuiltInCheck, MemberFinding)? {
    if let phase = event.phase {
      isInFlight = phase == .inFlight
      self.phase = phase
    }
    let before = state
    state = event.state ?? before
    guard hasMachine else { return nil }
    switch event.kind {
    case .started(let replaced, _):
      if let replaced, let attempt = event.attempt {
        supersede(replaced, .replaced(by: attempt), event)
      }
      ask(event.attempt)
    case .cancelled: stop(event, .cancelled)
    case .reset: stop(event, .reset)
    case .assigned: stop(event, .assigned)
    case .yielded(let dropped):
      return dropped ? nil : write(event, over: before, end: nil)
    case .stopped(let end, let pending):
      return pending ? nil : write(event, over: before, end: end)
    case .ended(let end, let dropped):
      return dropped ? nil : write(event, over: before, end: end)
    default: break
    }
    return nil
  }

  private mutating func ask(_ attempt: Int?) {
    (asked, answer, writer) = (attempt, nil, nil)
  }

  private mutating func stop(_ event: Recording.Event, _ how: MemberFinding.Supersession) {
    if let attempt = event.attempt { supersede(attempt, how, event) }
    ask(nil)
  }

  private mutating func supersede(
    _ attempt: Int,
    _ how: MemberFinding.Supersession,
    _ event: Recording.Event
  ) {
    superseded.append(Superseded(attempt: attempt, how: how, time: ShownTime(event.time, times)))
  }

  /// An attempt writes a state; `end` if that is its last one.
  private mutating func write(
    _ event: Recording.Event,
    over before: String,
    end: Recording.End?
  ) -> (BuiltInCheck, MemberFinding)? {
    guard let attempt = event.attempt else { return nil }
    let time = ShownTime(event.time, times)
    let outcome = outcomes.first { $0.attempt == attempt }
    if end != nil, outcome == nil {
      outcomes.append(Write(attempt: attempt, state: stateValue, time: time))
    }
    if attempt == asked { answer = state }
    // A state that replaces itself is not visible.
    guard state != before else { return nil }
    let lost = superseded.last { $0.attempt == attempt }
    if let lost, lost.isCancelled, end?.settlesBack == true { return nil }
    writer = attempt
    if let lost {
      let finding = MemberFinding.wroteLate(
        attempt: attempt,
        lost.how,
        at: lost.time,
        wrote: stateValue,
        wroteAt: time
      )
      return (.noStaleWrites, finding)
    }
    return outcome.map { outcome in
      let finding = MemberFinding.changedOutcome(
        attempt: attempt,
        outcome.state,
        at: outcome.time,
        wrote: stateValue,
        wroteAt: time
      )
      return (.singleOutcome, finding)
    }
  }

  /// The finding if the final state does not come from the latest start.
  var staleEnd: MemberFinding? {
    guard let writer, writer != asked, state != answer else { return nil }
    return .staleState(stateValue, of: writer, asked: asked)
  }
}

extension Recording.End {
  /// Whether the state returns to the one before the attempt.
  fileprivate var settlesBack: Bool {
    switch self {
    case .cancelled, .reset, .empty: true
    case .succeeded, .failed: false
    }
  }
}
