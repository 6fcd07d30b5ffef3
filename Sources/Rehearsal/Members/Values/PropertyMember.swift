import Loading
import Pipelines
import RehearsalBase
import Script
import Staging
import Timelines

/// A property of the user's own code that the session observes. Each of its values is reported.
@MainActor final class PropertyMember: ValueMember, ValueSource {
  let name: String
  let declaration: String
  let lane: Int
  private unowned let session: Session
  private(set) var history: ValueHistory
  private let subject: OrderedSubject<JSONValue, any Error>
  private let write: Write?
  /// Ends the observation.
  var onTearDown: @MainActor () -> Void = {}

  /// Reads the value again.
  var read: (@MainActor () -> JSONValue)?
  /// Tracks what the value depends on now.
  var track: @MainActor () -> Void = {}
  private var hasChangedUntracked = false

  /// Sets the property to a value of the script.
  typealias Write = @MainActor (Located<JSONValue>) throws(Diagnostic) -> Void

  /// - Parameters:
  ///   - name: the name of the member.
  ///   - type: the type of its values, as text.
  ///   - value: its current value.
  ///   - session: the session of the member.
  ///   - write: sets the property; nil if it is read-only.
  ///   - values: the kind of values that pictures draw as bars, nil for others.
  init(
    name: String,
    type: String,
    value: JSONValue,
    session: Session,
    write: Write?,
    values: Recording.Lane.Values? = nil
  ) {
    self.name = name
    self.session = session
    self.write = write
    declaration = "\(name): \(type)"
    lane = session.history.addLane(
      .init(
        name: name,
        word: "property",
        initial: value.text(within: valueColumns),
        values: values
      )
    )
    history = ValueHistory(value, at: session.stage.now.elapsed)
    subject = OrderedSubject(value)
    // The first value has a bar too, which needs a beginning.
    if values == .cases || values == .flag && value == .bool(true) { record() }
  }

  var sort: MemberSort { .property }
  var isCustom: Bool { true }
  var isSilencedByForgetting: Bool { true }
  var undemanded: UndemandedValues { .keepLatest }
  var actions: Set<MemberAction> { write == nil ? [.expect] : [.expect, .set] }
  var values: ValuePublisher { subject.eraseToAnyPublisher() }
  var stateText: String { history.current.text(waiting: "none") }

  var facts: [(name: String, value: String)] {
    [
      ("value", stateText),
      ("changes", "\(history.count - 1)"),
      ("set", write == nil ? "only by its own code" : "by 'set \(name) VALUE' too"),
    ]
  }

  /// Reports a value, if it differs from the one before.
  func note(_ value: JSONValue) {
    guard history.current.value != value else { return }
    let before = stateText
    history.note(value, at: session.stage.now.elapsed)
    record()
    session.output.printEvent("\(name)  \(before) → \(stateText)", lane: lane)
    subject.send(value)
  }

  private func record() {
    session.history.append(.changed, lane: lane, state: stateText, phase: .resting)
  }

  /// Prints a change that Observation has not reported, such as one by the time or by an object
  /// without `@Observable`.
  func refresh() {
    guard let value = read?(), history.current.value != value else { return }
    note(value)
    track()
    guard !hasChangedUntracked else { return }
    hasChangedUntracked = true
    session.output.printEvent(
      "\(name)  may have changed before: Observation does not track all of it",
      lane: lane
    )
  }

  func check(_ pattern: Located<StatePattern>) throws(Diagnostic) {
    guard pattern.value.word != "value" else { return }
    throw Diagnostic(
      .expected("a value", found: pattern.value.word),
      at: pattern.span,
      hint: "a property has values, as in 'expect \(name) \(stateText)'"
    )
  }

  func assign(_ assignment: Located<Assignment>, at span: Range<Int>) throws(Diagnostic) {
    guard case .value(let value) = assignment.value else {
      throw Diagnostic(
        .expected("a value", found: nil),
        at: assignment.span,
        hint: "a property is set to a value, as in 'set \(name) \(stateText)'"
      )
    }
    guard let write else { throw unsuited("property", at: span) }
    try write(value)
  }

  func forgetVisits(before time: Duration, most: Int) { history.forget(before: time, most: most) }

  func tearDown() { onTearDown() }
}

extension Recording.Lane.Values {
  /// The kind of values of a property with this value: `nil` unless it is a Bool or an enum. An
  /// optional counts as the value in it.
  init?<Value>(of value: Value) {
    guard Value.self != Bool.self, Value.self != Bool?.self else {
      self = .flag
      return
    }
    let mirror = Mirror(reflecting: value)
    let shown = mirror.displayStyle == .optional ? mirror.children.first?.value : value
    guard let shown, Mirror(reflecting: shown).displayStyle == .enum else { return nil }
    self = .cases
  }
}
