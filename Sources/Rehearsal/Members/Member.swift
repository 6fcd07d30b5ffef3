import Loading
import Script
import Timelines

/// A named thing on the stage that commands act upon.
///
/// What a member cannot do it need not implement: asked for it, it says what could.
@MainActor protocol Member: AnyObject {
  var name: String { get }
  /// Its lane in the recording.
  var lane: Int { get }
  var sort: MemberSort { get }
  /// The declaration in short, as `list` prints it: `profile: String`.
  var declaration: String { get }
  /// Whether it never changes.
  var isConstant: Bool { get }
  /// Whether its own code moves it, and not the session.
  var isCustom: Bool { get }
  /// The kinds of a process that has several.
  var kinds: [String] { get }
  var actions: Set<MemberAction> { get }

  var stateText: String { get }
  /// Everything about the member, a line a fact.
  var facts: [(name: String, value: String)] { get }
  var attemptCount: Int { get }
  /// Attempts whose blocks still run, also those that no longer count.
  var liveAttempts: [Attempt] { get }
  /// The commands of interrupts that may still come, of attempts in flight; in no order.
  var commandsOfInterrupts: [ScheduledCommand] { get }
  /// What ends when it is forgotten, in words; empty for nothing.
  var unfinished: String { get }
  /// Attempts that wait for something that never comes by itself.
  var stuckAttempts: [Attempt] { get }
  /// The tasks of the live attempts, in any order.
  var attemptTasks: [Task<Void, Never>] { get }
  /// The state without its value: `loading`, `error`; nil if it is a value.
  var stateWord: String? { get }
  /// The state without its value, and with the kind of its error: `error timeout`; nil if it is a value.
  var stateKind: String? { get }

  func satisfies(_ pattern: StatePattern) -> Bool
  /// Whether a state can be this member's at all.
  func check(_ pattern: Located<StatePattern>) throws(Diagnostic)
  /// How many states the member has been in so far.
  var visitCount: Int { get }
  /// When the member first was in such a state, or in another one, among its visits from this one on.
  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration?
  /// Since when its visits are known; nil for always.
  var visitsKnownSince: Duration? { get }
  /// Forgets the visits that were over before a time, and more than so many.
  func forgetVisits(before time: Duration, most: Int)
  /// The state with its value replaced by a field of it.
  func mapped(_ path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String
  /// Reads the state of the user's code again, if it may change without a notice.
  func refresh()
  /// Ends everything that still runs; nothing is reported any more.
  func tearDown()

  // MARK: What not every member can

  /// Where a view shows it.
  func slot(at span: Range<Int>) throws(Diagnostic) -> ViewSlot
  func start(_ request: StartRequest) throws(Diagnostic)
  /// Starts the latest start once more; false where there was none.
  func retry(at span: Range<Int>) throws(Diagnostic) -> Bool
  func cancel(at span: Range<Int>) throws(Diagnostic)
  /// Cancels the task that awaits the newest `async` start; false where there is none.
  func cancelCaller(at span: Range<Int>) throws(Diagnostic) -> Bool
  func reset(at span: Range<Int>) throws(Diagnostic)
  func assign(_ assignment: Located<Assignment>, at span: Range<Int>) throws(Diagnostic)
  /// Makes the newest live attempt fail; false where there is none.
  func inject(_ error: ErrorSpec, at span: Range<Int>) throws(Diagnostic) -> Bool
  func choose(_ policy: LoadingPolicy, at span: Range<Int>) throws(Diagnostic)
}

extension Member {
  /// `loadable`, `process`, `pipe` …
  var word: String { sort.rawValue }
  var isConstant: Bool { false }
  var isCustom: Bool { false }
  var kinds: [String] { [] }
  var attemptCount: Int { 0 }
  var liveAttempts: [Attempt] { [] }
  var commandsOfInterrupts: [ScheduledCommand] { [] }
  var unfinished: String { liveAttempts.map(\.description).joined(separator: ", ") }
  var stuckAttempts: [Attempt] { [] }
  var attemptTasks: [Task<Void, Never>] { [] }
  var stateWord: String? { nil }
  var stateKind: String? { stateWord }
  var visitsKnownSince: Duration? { nil }
  func forgetVisits(before time: Duration, most: Int) {}
  func refresh() {}
  func tearDown() {}

  func mapped(_ path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String {
    throw unsuited("loadable", at: path.first?.span ?? 0..<0)
  }
  func slot(at span: Range<Int>) throws(Diagnostic) -> ViewSlot {
    throw unsuited("loadable or a process", at: span)
  }
  func start(_ request: StartRequest) throws(Diagnostic) {
    throw unsuited("loadable or a process", at: request.span)
  }
  func retry(at span: Range<Int>) throws(Diagnostic) -> Bool {
    throw unsuited("loadable or a process", at: span)
  }
  func cancel(at span: Range<Int>) throws(Diagnostic) {
    throw unsuited("loadable, a process or a pipe", at: span)
  }
  func cancelCaller(at span: Range<Int>) throws(Diagnostic) -> Bool {
    throw unsuited("loadable or a process", at: span)
  }
  func reset(at span: Range<Int>) throws(Diagnostic) {
    throw unsuited("loadable or a process", at: span)
  }
  func assign(_ assignment: Located<Assignment>, at span: Range<Int>) throws(Diagnostic) {
    throw unsuited("loadable or a process", at: span)
  }
  func inject(_ error: ErrorSpec, at span: Range<Int>) throws(Diagnostic) -> Bool {
    throw unsuited("loadable or a process", at: span)
  }
  func choose(_ policy: LoadingPolicy, at span: Range<Int>) throws(Diagnostic) {
    throw unsuited("loadable or a process", at: span)
  }

  /// A mistake: something was asked for that only other members can.
  func unsuited(_ needed: String, at span: Range<Int>) -> Diagnostic {
    guard isCustom else {
      return Diagnostic(.wrongMember(name, is: word, needed: needed), at: span)
    }
    return Diagnostic(
      .movedByItsCode(name, is: word),
      at: span,
      hint: "'help' lists the commands of its scene"
    )
  }
}
