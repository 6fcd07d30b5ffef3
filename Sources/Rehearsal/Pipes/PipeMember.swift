import Pipelines
import Script
import Staging
import Timelines

/// A pipe: a publisher, and the session's own subscription to it, if it has one.
///
/// In the recording the subscription is an attempt. The publisher is made once, so whoever names this pipe
/// as a source has what it shares and its futures in common with it.
@MainActor final class PipeMember: ValueMember, ValueSource {
  /// Whether the session subscribes to it: `pipe`, and not `publisher`.
  let isSubscribed: Bool
  let values: ValuePublisher
  let sources: [any ValueSource]
  let valueType: ValueType
  let stageCount: Int
  let log: PipeLog
  private let spec: PipeSpec
  private let loads: PipeLoads
  /// Number of loads that have begun and have neither ended nor been cancelled.
  var loadsInFlight: Int {
    loads.counts.begun - loads.counts.answered - loads.counts.failed - loads.counts.cancelled
  }
  private let followed: FollowedValues
  private var subscription: AnyCancellable?
  /// Those from which nothing more comes.
  var forgottenSources: [String] = []

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
    (values, valueType) = try builder.build(spec)
    sources = builder.sources.members
    stageCount = builder.stageCount
    log = builder.log
    loads = builder.loads
    self.spec = spec
    self.isSubscribed = isSubscribed
    followed = FollowedValues(
      name: name,
      word: isSubscribed ? "pipe" : "publisher",
      initial: isSubscribed ? FollowedValues.waiting : Self.unsubscribed,
      session: session
    )
  }

  private static let unsubscribed = "not subscribed"

  var name: String { followed.name }
  var lane: Int { followed.lane }
  var sort: MemberSort { isSubscribed ? .pipe : .publisher }
  var declaration: String { name }
  var attemptCount: Int { isSubscribed ? 1 : 0 }

  var history: ValueHistory { followed.history }
  var hasEnded: Bool { followed.hasEnded }
  var stateText: String {
    let state = isSubscribed ? followed.text : Self.unsubscribed
    let forgotten = hasEnded ? [] : forgottenSources.map(Self.text(ofForgotten:))
    return ([state] + forgotten).joined(separator: ", ")
  }

  static func text(ofForgotten source: String) -> String { "its source '\(source)' was forgotten" }

  var facts: [(name: String, value: String)] {
    var facts = [
      ("state", stateText), ("pipe", spec.text),
      ("subscriptions", "\(log.subscriptions[log.lastStage])"),
    ]
    if isSubscribed { facts.append(("values", "\(followed.count)")) }
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
    followed.begin()
    let sink = values.sink { [unowned self] completion in
      switch completion {
      case .finished: note(.finished)
      case .failure(let error): note(.failed(error))
      }
    } receiveValue: { [unowned self] in
      followed.note($0)
    }
    if !followed.hasEnded { subscription = sink }
  }

  private func note(_ end: ValueHistory.End) {
    subscription = nil
    followed.note(end)
  }

  /// Drops the subscription, and with it the loads that run for it.
  func cancel(at span: Range<Int>) {
    guard let subscription else { return followed.noteIdleCancel(stateText) }
    subscription.cancel()
    note(.cancelled)
    log.add(.cancelled, stage: log.lastStage)
  }

  func forgetVisits(before time: Duration, most: Int) { followed.forget(before: time, most: most) }

  func tearDown() {
    subscription?.cancel()
    subscription = nil
  }
}
