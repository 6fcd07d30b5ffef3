import Loading
import RehearsalBase
import RemoteLoading
import Script
import Staging
import Timelines

/// A member that loads from a custom source: any `RemoteContent`, of the library or of the user.
///
/// It calls `load` and `cancel` like a view, and reports the states of the source in the terms of a
/// loadable.
@MainActor final class ContentMember<Value>: Member {
  let name: String
  let declaration: String
  let lane: Int

  private let content: any RemoteContent<Value, Double?>
  /// The number of loads that the source has begun; nil if the source does not count them.
  private let count: (() -> Int)?
  private unowned let session: Session
  private let resolver: LoadableResolver
  private var tracker: ContentTracker
  private var observation: RemoteContentObservation?
  /// The request that the source has not answered yet by writing its state.
  private var request: ContentTracker.Request?
  private var progress: Double?
  private var visits: Visits<Snapshot<LoadableState<JSONValue>>>

  init(
    name: String,
    content: any RemoteContent<Value, Double?>,
    count: (() -> Int)?,
    session: Session
  ) {
    self.name = name
    self.content = content
    self.count = count
    self.session = session
    declaration = "\(name): \(typeName(Value.self))"
    resolver = LoadableResolver(name: name, type: .any)
    tracker = ContentTracker(state: content.loadingState.asLoadable)
    visits = Visits(tracker.snapshot, at: session.stage.now.elapsed)
    lane = session.history.addLane(
      .init(
        name: name,
        word: "custom source",
        initial: tracker.snapshot.state,
        machine: "custom source"
      )
    )
    progress = content.loadingState.progress ?? nil
    observation = content.changes.observe { [unowned self] in self.note($0) }
  }

  var sort: MemberSort { .customSource }
  var isCustom: Bool { true }
  var actions: Set<MemberAction> { [.expect, .cancel, .retry, .view] }

  var stateText: String { tracker.snapshot.state.text(attempt: tracker.snapshot.attempt) }
  var stateWord: String? { tracker.snapshot.state.word }
  var stateKind: String? { tracker.snapshot.state.stateKind }
  var attemptCount: Int { tracker.attemptCount }
  var liveAttempts: [Attempt] { tracker.snapshot.attempt.map { [$0] } ?? [] }
  var stuckAttempts: [Attempt] { session.stage.nextInstant == nil ? liveAttempts : [] }

  /// Maximum number of columns of an error on its own line.
  private static var factColumns: Int { 400 }

  var facts: [(name: String, value: String)] {
    let flight = liveAttempts.first.map { "\($0) in flight" } ?? "none in flight"
    let state = tracker.snapshot.state
    var facts = [
      ("state", stateText),
      ("error", state.error.map { errorText($0, within: Self.factColumns) } ?? "none"),
      ("data", state.data?.text(within: valueColumns) ?? "none"),
    ]
    if let progress, tracker.snapshot.attempt != nil {
      facts.append(("progress", "\(Int(progress * 100))%"))
    }
    facts.append(("attempts", "\(attemptCount), \(flight)"))
    facts.append(("policy", "its own"))
    return facts
  }

  // MARK: States of the source

  private func note(_ state: RemoteContentLoadingState<Value, Double?>) {
    progress = state.progress ?? nil
    guard let finding = tracker.note(state.asLoadable, during: request) else { return }
    request = nil
    report(finding)
  }

  private func report(_ finding: ContentTracker.Finding) {
    visits.append(tracker.snapshot, at: session.stage.now.elapsed)
    session.output.report(finding.observation, of: self, isLate: finding.isLate)
  }

  // MARK: Commands

  func start(_ request: StartRequest) throws(Diagnostic) {
    precondition(request.outcome == nil, "A custom source says itself what it loads.")
    load()
  }

  func slot(at span: Range<Int>) -> ViewSlot { tracker.snapshot.state.slot(progress: progress) }

  func retry(at span: Range<Int>) -> Bool {
    guard attemptCount > 0 else { return false }
    load()
    return true
  }

  private func load() { ask(.load) { content.load() } }

  func cancel(at span: Range<Int>) { ask(.cancel) { content.cancel() } }

  /// Runs `body`, which acts on the source and may make it load again.
  func perform(_ body: () throws -> Void) rethrows {
    let countBefore = count?()
    request = .load
    defer { request = nil }
    try body()
    if request == .load, count?() != countBefore { report(tracker.noteSilentStart()) }
  }

  private func ask(_ asked: ContentTracker.Request, _ body: () -> Void) {
    let countBefore = count?()
    request = asked
    body()
    guard request == asked else { return }
    if asked == .load, count?() != countBefore {
      request = nil
      return report(tracker.noteSilentStart())
    }
    if asked == .cancel || count != nil, let refusal = tracker.noteRefusal(of: asked) {
      request = nil
      return report(refusal)
    }
    // The state may still change at this instant, in a task of the source.
    session.stage.schedule(at: session.stage.now, name: "the report of \(name)") { [weak self] in
      self?.reportNoChange(of: asked)
    }
  }

  private func reportNoChange(of asked: ContentTracker.Request) {
    guard request == asked else { return }
    request = nil
    let verb = liveAttempts.isEmpty ? "stays" : "still"
    session.output.printEvent("\(name)  \(asked) changes nothing; \(verb) \(stateText)", lane: lane)
  }

  func tearDown() {
    observation?.cancel()
    content.cancel()
  }

  // MARK: Checking

  func satisfies(_ pattern: StatePattern) -> Bool { Self.satisfies(tracker.snapshot, pattern) }

  private static func satisfies(
    _ snapshot: Snapshot<LoadableState<JSONValue>>,
    _ pattern: StatePattern
  ) -> Bool {
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

  func mapped(_ path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String {
    try resolver.mapped(tracker.snapshot.state, path: path, isCompact: isCompact)
  }
}

extension RemoteContentLoadingState {
  /// The state in the terms of a loadable, with its value as the shell prints it.
  fileprivate var asLoadable: LoadableState<JSONValue> {
    switch self {
    case .initial: .absent
    case .inProgress: .loading
    case .success(let value): .loaded(JSONValue(showing: value))
    case .failure(let error): .error(error)
    }
  }
}
