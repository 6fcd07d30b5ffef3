import Pipelines
import Script
import Staging
import Timelines

/// A pipe: a publisher, and the session's own subscription to it, if it has one.
///
/// In the recording the subscription is an attempt. The publisher is made once, so whoever names this pipe
/// as a source has what it shares and its futures in common with it.
@MainActor final class PipeMember: ValueSource {
  let name: String
  let lane: Int
  /// Whether the session subscribes to it: `pipe`, and not `publisher`.
  let isSubscribed: Bool
  let values: ValuePublisher
  let sources: [any ValueSource]
  let stageCount: Int
  let log: PipeLog
  private let spec: PipeSpec
  private let loads: PipeLoads
  private unowned let session: Session
  private var history: ValueHistory
  private var valueCount = 0
  private var subscription: AnyCancellable?

  /// Makes a pipe, of which futures begin at once. `subscribe` does the rest.
  ///
  /// - Throws: `Diagnostic` for whatever does not fit in it.
  init(
    name: String,
    spec: PipeSpec,
    isSubscribed: Bool = true,
    session: Session
  ) throws(Diagnostic) {
    let builder = PipeBuilder(name: name, spec: spec, session: session)
    values = try builder.build(spec)
    sources = builder.sources.members
    stageCount = builder.stageCount(of: spec)
    log = builder.log
    loads = builder.loads
    self.name = name
    self.spec = spec
    self.isSubscribed = isSubscribed
    self.session = session
    history = ValueHistory(nil, at: session.stage.now.elapsed)
    lane = session.recording.addLane(
      .init(name: name, initial: isSubscribed ? Self.waiting : Self.unsubscribed)
    )
  }

  private static let waiting = "waiting"
  private static let unsubscribed = "not subscribed"

  var word: String { isSubscribed ? "pipe" : "publisher" }
  var declaration: String { name }
  var attemptCount: Int { isSubscribed ? 1 : 0 }

  var stateText: String {
    isSubscribed ? history.current.text(waiting: Self.waiting) : Self.unsubscribed
  }

  var facts: [(name: String, value: String)] {
    var facts = [
      ("state", stateText), ("pipe", spec.text),
      ("subscriptions", "\(log.subscriptions.last ?? 0)"),
    ]
    if isSubscribed { facts.append(("values", "\(valueCount)")) }
    let counts = loads.counts
    if counts.begun > 0 {
      let ends = [
        (counts.answered, "answered"), (counts.failed, "failed"), (counts.cancelled, "cancelled"),
      ].filter { $0.0 > 0 }
      facts.append(
        ("loads", (["\(counts.begun) begun"] + ends.map { "\($0) \($1)" }).joined(separator: ", "))
      )
    }
    if counts.futures > 0 { facts.append(("futures", "\(counts.futures) run")) }
    return facts
  }

  // MARK: The session's own subscription

  /// Subscribes, unless it is a publisher that stands by itself. Values may come at once.
  func subscribe() {
    guard isSubscribed, subscription == nil else { return }
    record(.started(replacing: nil, silently: false), phase: .inFlight)
    let sink = values.sink { [unowned self] completion in
      switch completion {
      case .finished: note(.finished)
      case .failure(let error): note(.failed(error))
      }
    } receiveValue: { [unowned self] in
      note($0)
    }
    if history.current.end == nil { subscription = sink }
  }

  private func note(_ value: JSONValue) {
    valueCount += 1
    history.note(value, at: session.stage.now.elapsed)
    let text = value.text(within: valueColumns)
    record(.yielded(dropped: false), phase: .succeeded, answer: text)
    session.announce("\(name)  \(text)", lane: lane)
  }

  private func note(_ end: ValueHistory.End) {
    subscription = nil
    history.note(end, at: session.stage.now.elapsed)
    switch end {
    case .finished:
      record(.ended(.succeeded, dropped: false), phase: .succeeded)
      session.announce("\(name)  finished", lane: lane)
    case .failed(let error):
      let text = errorText(error)
      record(.ended(.failed, dropped: false), phase: .failed, answer: text)
      session.announce("\(name)  failed: \(text)", lane: lane)
    case .cancelled:
      record(.cancelled, phase: .resting)
      record(.ended(.cancelled, dropped: false), phase: .resting)
      log.add(.cancelled, stage: log.stages.count - 1)
      session.announce("\(name)  cancelled", lane: lane)
    }
  }

  private func record(_ kind: Recording.Kind, phase: Recording.Phase, answer: String? = nil) {
    session.recording.append(
      Recording.Event(
        time: session.stage.now.elapsed,
        lane: lane,
        attempt: 1,
        kind: kind,
        state: stateText,
        phase: phase,
        answer: answer
      )
    )
  }

  /// Drops the subscription, and with it the loads that run for it.
  func cancel(at span: Range<Int>) {
    guard let subscription else {
      return session.announce("\(name)  \(stateText); cancel changes nothing", lane: lane)
    }
    subscription.cancel()
    note(.cancelled)
  }

  // MARK: Judging

  func satisfies(_ pattern: StatePattern) -> Bool { history.current.satisfies(pattern) }
  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) { try checkValues(pattern) }
  var visitCount: Int { history.count }

  func firstVisit(_ pattern: StatePattern, from visit: Int) -> Duration? {
    history.firstVisit(pattern, from: visit)
  }

  func tearDown() {
    subscription?.cancel()
    subscription = nil
  }
}
