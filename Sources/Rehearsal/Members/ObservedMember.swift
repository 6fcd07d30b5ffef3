import Loading
import Script
import Staging
import Timelines

/// A loadable or a process that the user's own code loads. The session observes it, and can cancel
/// it.
@MainActor final class ObservedMember<State: LifecycleState, Shown: ShellState>: Member {
  let name: String
  let declaration: String
  let lane: Int
  private let driver: LoadDriver<State>
  private let resolver: any Resolver<Shown>
  private unowned let session: Session
  /// Converts an observation to the terms of the shell.
  private let show: (LoadObservation<State>) -> LoadObservation<Shown>
  private var snapshot: Snapshot<Shown>
  private var late = LateAttempts()
  private var visits: Visits<Snapshot<Shown>>

  init(
    name: String,
    declaration: String,
    driver: LoadDriver<State>,
    resolver: any Resolver<Shown>,
    session: Session,
    show: @escaping (LoadObservation<State>) -> LoadObservation<Shown>
  ) {
    self.name = name
    self.declaration = declaration
    self.driver = driver
    self.resolver = resolver
    self.session = session
    self.show = show
    let now = driver.snapshot
    snapshot =
      show(LoadObservation(change: .assigned(cancelling: nil), before: now, after: now)).after
    lane = session.history.addLane(
      .init(
        name: name,
        word: Shown.memberSort.rawValue,
        initial: snapshot.state,
        machine: Recording.Lane.machine(Shown.memberSort, policy: driver.policy)
      )
    )
    visits = Visits(snapshot, at: session.stage.now.elapsed)
    driver.observer = { [unowned self] in self.note(self.show($0)) }
  }

  var sort: MemberSort { Shown.memberSort }
  var isCustom: Bool { true }
  var actions: Set<MemberAction> { [.expect, .cancel, .reset, .view, .policy] }
  var stateText: String { snapshot.state.text(attempt: snapshot.attempt) }
  var stateWord: String? { snapshot.state.word }
  var stateKind: String? { snapshot.state.stateKind }
  var attemptCount: Int { driver.attemptCount }
  var liveAttempts: [Attempt] { driver.liveAttempts }
  var stuckAttempts: [Attempt] { session.stage.pending.isEmpty ? liveAttempts : [] }

  var attemptTasks: [Task<Void, Never>] { driver.tasks }

  var facts: [(name: String, value: String)] {
    let live = liveAttempts
    let flight =
      live.isEmpty
      ? "none in flight" : live.map(\.description).joined(separator: ", ") + " in flight"
    return [("state", stateText)] + resolver.payload(of: snapshot.state)
      + [("attempts", "\(attemptCount), \(flight)"), ("policy", driver.policy.name)]
  }

  private func note(_ observation: LoadObservation<Shown>) {
    snapshot = observation.after
    visits.append(snapshot, at: session.stage.now.elapsed)
    session.output.report(observation, of: self, isLate: late.isLate(observation.change))
    if let attempt = late.discarded(by: observation.change) {
      session.output.reportEnd(of: attempt, in: lane, state: observation.after.state)
    }
    late.note(observation.change)
  }

  func cancel(at span: Range<Int>) { driver.cancel() }
  func reset(at span: Range<Int>) { driver.reset() }
  func choose(_ policy: LoadingPolicy, at span: Range<Int>) {
    session.output.report(policy, of: self, insteadOf: driver.policy)
    driver.policy = policy
  }
  func slot(at span: Range<Int>) -> ViewSlot { snapshot.state.slot(progress: nil) }

  func mapped(_ path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String {
    try resolver.mapped(snapshot.state, path: path, isCompact: isCompact)
  }

  func satisfies(_ pattern: StatePattern) -> Bool { Self.satisfies(snapshot, pattern) }

  private static func satisfies(_ snapshot: Snapshot<Shown>, _ pattern: StatePattern) -> Bool {
    snapshot.state.satisfies(pattern)
      && pattern.attempt.map { $0 == snapshot.attempt?.number } ?? true
  }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) { try resolver.check(pattern) }

  var visitCount: Int { visits.count }
  var visitsKnownSince: Duration? { visits.knownSince }
  func forgetVisits(before time: Duration, most: Int) { visits.forget(before: time, most: most) }

  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration? {
    visits.firstTime(from: visit) { Self.satisfies($0, pattern) == isSo }
  }

  func tearDown() {
    driver.observer = nil
    driver.cancel()
    driver.cancelTasks()
  }
}
