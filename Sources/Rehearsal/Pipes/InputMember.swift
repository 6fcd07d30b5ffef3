import Pipelines
import RehearsalBase
import Script
import Staging
import Timelines

/// A source of values that commands enter: a text field, a toggle.
///
/// With an initial value it behaves like a `@Published` property: each new subscriber receives the
/// current value.
@MainActor final class InputMember: ValueMember, ValueSource {
  let name: String
  let declaration: String
  let lane: Int
  let type: ValueType
  private let hasCurrent: Bool
  private unowned let session: Session
  private let subject: OrderedSubject<JSONValue, any Error>
  private(set) var history: ValueHistory
  private var valueCount = 0
  /// The scheduled keys or signs.
  private var coming: [Scheduled] = []
  private var comingCount = 0
  private var comingWord = "key"

  /// Creates an input. Throws if the initial value has another type.
  init(name: String, type: ValueType = .any, value: JSONValue? = nil, session: Session) {
    self.name = name
    self.type = type
    self.session = session
    declaration = type == .any ? name : "\(name): \(type.text)"
    hasCurrent = value != nil
    subject = value.map { OrderedSubject($0) } ?? OrderedSubject()
    history = ValueHistory(value, at: session.stage.now.elapsed)
    lane = session.history.addLane(
      .init(name: name, word: "input", initial: history.current.text(waiting: Self.waiting))
    )
  }

  private static let waiting = "no value"

  var sort: MemberSort { .input }
  var valueType: ValueType { type }
  var undemanded: UndemandedValues { hasCurrent ? .keepLatest : .drop }
  var isSilencedByForgetting: Bool { history.current.end == nil }
  var unfinished: String {
    comingCount == 0 ? "" : comingWord.counted(comingCount)
  }
  var values: ValuePublisher { subject.eraseToAnyPublisher() }
  var stateText: String { history.current.text(waiting: Self.waiting) }
  var facts: [(name: String, value: String)] {
    [
      ("state", stateText), ("values", "\(valueCount)"),
      ("subscribers", "\(subject.subscriberCount)"),
    ]
  }

  // MARK: Entering

  /// Sends a value.
  ///
  /// - Throws: `Diagnostic` for a value of another type, and after the end.
  func enter(_ value: Located<JSONValue>) throws(Diagnostic) {
    try check(value, typedIn: value.span)
    replaceTyping()
    send(value.value)
  }

  /// Types a text key by key: sends each beginning of the text, the first one immediately. Replaces
  /// typing that is in progress.
  ///
  /// All keys are scheduled now, so each key comes before a timer that an earlier key starts.
  func type(_ text: Located<String>, every interval: Duration) throws(Diagnostic) {
    try check(Located(.string(text.value), at: text.span), typedIn: text.span)
    replaceTyping()
    let text = text.value
    guard !text.isEmpty else { return send(.string("")) }
    let start = session.stage.now
    comingWord = "key"
    for (number, end) in text.indices.dropFirst().enumerated() {
      schedule(at: start.advanced(by: interval * (number + 1))) { [unowned self] in
        send(.string(String(text[..<text.index(after: end)])))
      }
    }
    send(.string(String(text.prefix(1))))
  }

  /// Plays a diagram from now on. Replaces typing that is in progress. `values` has the values of
  /// letters, which otherwise are their own values. `error` is the error of `#`.
  func play(
    _ marble: Located<Marble>,
    tick: Duration,
    values: [Character: JSONValue] = [:],
    error: ErrorSpec = MarbleMember.usualError
  ) throws(Diagnostic) {
    for case .value(let name) in marble.value.moments.map(\.event) {
      try check(Located(MarbleMember.value(of: name, in: values), at: marble.span))
    }
    replaceTyping()
    let start = session.stage.now
    comingWord = "sign"
    for moment in marble.value.moments {
      schedule(at: start.advanced(by: tick * moment.tick)) { [unowned self] in
        switch moment.event {
        case .value(let name): send(MarbleMember.value(of: name, in: values))
        case .finished: finish(nil)
        case .failed: finish(error)
        }
      }
    }
  }

  /// Ends the input, finished or with an error.
  ///
  /// - Throws: `Diagnostic` if the input has already ended.
  func end(_ error: ErrorSpec?, at span: Range<Int>) throws(Diagnostic) {
    try requireOpen(at: span)
    replaceTyping()
    finish(error)
  }

  private func schedule(at instant: StageInstant, _ body: @escaping @MainActor () -> Void) {
    comingCount += 1
    let scheduled = session.stage.schedule(at: instant, name: "the input of \(name)") {
      [unowned self] in
      comingCount -= 1
      body()
    }
    coming.append(scheduled)
  }

  /// Ends typing that is in progress, and notes its missing keys, because no line of output shows them.
  private func replaceTyping() {
    if comingCount > 0, session.execution.leftOut.count < CommandExecution.mostNotes {
      session.execution.leftOut.append(
        "\(unfinished) of '\(name)' never came, because of '\(session.execution.text.printable(atMost: 80))'"
      )
    }
    stopTyping()
  }

  private func stopTyping() {
    for key in coming { key.cancel() }
    coming = []
    comingCount = 0
  }

  private func check(_ value: Located<JSONValue>, typedIn span: Range<Int>) throws(Diagnostic) {
    try requireOpen(at: span)
    try check(value)
  }

  private func check(_ value: Located<JSONValue>) throws(Diagnostic) {
    try requireOpen(at: value.span)
    if let problem = type.mismatch(with: value.value) { throw Diagnostic(problem, at: value.span) }
  }

  private func requireOpen(at span: Range<Int>) throws(Diagnostic) {
    guard history.current.end != nil else { return }
    throw Diagnostic(.hasEnded(name), at: span, hint: "'forget \(name)' makes the name free")
  }

  // MARK: Sending

  private func send(_ value: JSONValue) {
    guard history.current.end == nil else { return }
    let text = value.text(within: valueColumns)
    let before = hasCurrent ? stateText + " → " : ""
    history.note(value, at: session.stage.now.elapsed)
    valueCount += 1
    record(.changed, phase: .resting)
    session.output.printEvent("\(name)  \(before)\(text)", lane: lane)
    subject.send(value)
  }

  private func finish(_ error: ErrorSpec?) {
    guard history.current.end == nil else { return }
    let error = error?.error
    history.note(error.map { .failed($0) } ?? .finished, at: session.stage.now.elapsed)
    record(
      .ended(error == nil ? .succeeded : .failed, dropped: false),
      phase: error == nil ? .succeeded : .failed,
      answer: error.map(errorText)
    )
    let text = error.map { "failed: \(errorText($0))" } ?? "finished"
    session.output.printEvent("\(name)  \(text)", lane: lane)
    subject.send(completion: error.map { .failure($0) } ?? .finished)
  }

  private func record(_ kind: Recording.Kind, phase: Recording.Phase, answer: String? = nil) {
    session.history.append(kind, lane: lane, state: stateText, phase: phase, answer: answer)
  }

  func forgetVisits(before time: Duration, most: Int) { history.forget(before: time, most: most) }

  func tearDown() { stopTyping() }
}
