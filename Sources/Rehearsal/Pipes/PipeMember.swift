import Pipelines
import Script
import Staging
import Timelines

/// A pipe: a publisher, and the session's subscription to it, if there is one.
///
/// In the recording, the subscription is an attempt. The publisher is created once, so all pipes
/// with this source share its futures and its shared stages.
@MainActor final class PipeMember: ValueMember, ValueSource {
  /// Whether the session subscribes to it: true for `pipe`, false for `publisher`.
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
  /// The forgotten sources, which send nothing more.
  var forgottenSources: [String] = []

  /// Creates a pipe without a subscription, and starts its futures.
  ///
  /// - Throws: `Diagnostic` for any mistake in the pipe.
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

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    guard isSubscribed else {
      throw Diagnostic(
        .wrongMember(name, is: word, needed: "member with states or values"),
        at: pattern.span,
        hint: "a pipe with this source has values"
      )
    }
    try checkWordAndType(of: pattern)
  }

  // MARK: The subscription of the session

  /// Subscribes, unless it is a `publisher`. Values may arrive immediately.
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

  /// Cancels the subscription, and its loads.
  func cancel(at span: Range<Int>) {
    guard let subscription else { return followed.noteIdleCancel(stateText) }
    subscription.cancel()
    note(.cancelled)
    log.add(.cancelled, stage: log.lastStage)
  }

  func forgetVisits(before time: Duration, most: Int) { followed.forget(before: time, most: most) }

  func tearDown() {
    log.isSilent = true
    subscription?.cancel()
    subscription = nil
  }
}
