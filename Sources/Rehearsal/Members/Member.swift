import Loading
import Script
import Timelines

/// A named object on the stage that commands act upon.
///
/// A member implements only the requirements that it supports. The default implementations throw a
/// diagnostic that names members that do.
@MainActor protocol Member: AnyObject {
  var name: String { get }
  /// Its lane in the recording.
  var lane: Int { get }
  var sort: MemberSort { get }
  /// The declaration as `list` prints it: `profile: String`.
  var declaration: String { get }
  /// Whether it never changes.
  var isConstant: Bool { get }
  /// Whether its own code changes its state, not the session.
  var isCustom: Bool { get }
  /// The kinds of a process; empty unless there are several.
  var kinds: [String] { get }
  var actions: Set<MemberAction> { get }

  var stateText: String { get }
  /// Everything about the member, one fact per line.
  var facts: [(name: String, value: String)] { get }
  var attemptCount: Int { get }
  /// Attempts whose blocks still run, including replaced and cancelled ones.
  var liveAttempts: [Attempt] { get }
  /// Whether all live attempts are in flight, as under 'parallel', and not only the latest.
  var isParallel: Bool { get }
  /// Returns the command that planned a live attempt; nil if unknown. 'retry' repeats a plan.
  func origin(of attempt: Attempt) -> AttemptOrigin?
  /// The commands of interrupts that may still happen, for the attempts in flight; in no order.
  var commandsOfInterrupts: [ScheduledCommand] { get }
  /// The attempts that end if the member is forgotten, as text; empty if there are none.
  var unfinished: String { get }
  /// Attempts that wait for an event that no pending work will cause.
  var stuckAttempts: [Attempt] { get }
  /// The tasks of the live attempts, in any order.
  var attemptTasks: [Task<Void, Never>] { get }
  /// The state without its value: `loading`, `error`; nil if it is a value.
  var stateWord: String? { get }
  /// The state without its value, and with the kind of its error: `error timeout`; nil if it is a
  /// value.
  var stateKind: String? { get }

  func satisfies(_ pattern: StatePattern) -> Bool
  /// Throws if the member can never be in such a state.
  func check(_ pattern: Located<StatePattern>) throws(Diagnostic)
  /// Number of states that the member has been in.
  var visitCount: Int { get }
  /// Returns when the member first was in a state that matches (`isSo`) or does not match the
  /// pattern, from this visit on.
  func firstVisit(_ pattern: StatePattern, isSo: Bool, from visit: Int) -> Duration?
  /// The start of the its known visits; nil if all are known.
  var visitsKnownSince: Duration? { get }
  /// Removes visits that ended before a time, and those beyond the limit `most`.
  func forgetVisits(before time: Duration, most: Int)
  /// Returns the state with its value replaced by one of its fields.
  func mapped(_ path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String
  /// Reads the state of the user's code again, if it may change without a notice.
  func refresh()
  /// Ends all its work. Nothing is reported afterwards.
  func tearDown()

  // MARK: Requirements of some members

  /// Returns the slot of a view that shows it.
  func slot(at span: Range<Int>) throws(Diagnostic) -> ViewSlot
  func start(_ request: StartRequest) throws(Diagnostic)
  /// Repeats the latest start; false if there was none.
  func retry(at span: Range<Int>) throws(Diagnostic) -> Bool
  func cancel(at span: Range<Int>) throws(Diagnostic)
  /// Cancels the task that awaits the newest `async` start; false if there is none.
  func cancelCaller(at span: Range<Int>) throws(Diagnostic) -> Bool
  func reset(at span: Range<Int>) throws(Diagnostic)
  func assign(_ assignment: Located<Assignment>, at span: Range<Int>) throws(Diagnostic)
  /// Makes the newest live attempt fail; false if there is none.
  func inject(_ error: ErrorSpec, at span: Range<Int>) throws(Diagnostic) -> Bool
  func choose(_ policy: LoadingPolicy, at span: Range<Int>) throws(Diagnostic)
}

extension Member {
  /// Whether a pattern is about the value of a part that no value of the member has had: its name may be misspelt.
  func hasNeverHadPart(of pattern: StatePattern) -> Bool {
    guard !pattern.path.isEmpty, pattern.value != nil, visitsKnownSince == nil else { return false }
    var anyValue = pattern
    (anyValue.value, anyValue.attempt) = (nil, nil)
    return !satisfies(anyValue) && firstVisit(anyValue, isSo: true, from: 0) == nil
  }

  /// `loadable`, `process`, `pipe` …
  var word: String { sort.rawValue }
  var isConstant: Bool { false }
  var isCustom: Bool { false }
  var kinds: [String] { [] }
  var attemptCount: Int { 0 }
  var liveAttempts: [Attempt] { [] }
  var isParallel: Bool { false }
  func origin(of attempt: Attempt) -> AttemptOrigin? { nil }
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

  /// Returns the diagnostic for an operation that only other members support.
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
