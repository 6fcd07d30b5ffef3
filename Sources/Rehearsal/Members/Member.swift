import Loading
import Script
import Timelines

/// A named thing on the stage that commands act upon.
@MainActor protocol Member: AnyObject {
  var name: String { get }
  /// Its lane in the recording.
  var lane: Int { get }
  /// `loadable` or `process`.
  var word: String { get }
  /// The declaration in short, as `list` prints it: `profile: String`.
  var declaration: String { get }
  var policy: LoadingPolicy { get set }
  var isConstant: Bool { get }
  /// Whether it is a custom source: moved by its own code, and not by the session.
  var isCustom: Bool { get }
  /// What it can be told to do.
  var actions: [SceneAction] { get }
  /// The kinds of a process that has several.
  var kinds: [String] { get }

  var stateText: String { get }
  /// Where a view shows it.
  var slot: ViewSlot { get }
  /// Everything about the member, a line a fact.
  var facts: [(name: String, value: String)] { get }
  var attemptCount: Int { get }
  /// Attempts whose blocks still run, also those that no longer count.
  var liveAttempts: [Attempt] { get }
  /// Attempts that wait for something that never comes by itself.
  var stuckAttempts: [Attempt] { get }

  func satisfies(_ pattern: StatePattern) -> Bool
  /// Whether a state can be this member's at all.
  func check(_ pattern: Located<StatePattern>) throws(Diagnostic)
  /// How many states the member has been in so far.
  var visitCount: Int { get }
  /// When the member first was in such a state, among its visits from this one on.
  func firstVisit(_ pattern: StatePattern, from visit: Int) -> Duration?

  func start(_ request: StartRequest) throws(Diagnostic)
  func retry() -> Bool
  func cancel()
  /// Cancels the task that awaits the newest `async` start; false where there is none.
  func cancelCaller() -> Bool
  func reset()
  func assign(_ assignment: Located<Assignment>) throws(Diagnostic)
  /// Makes the newest live attempt fail; false where there is none.
  func inject(_ error: ErrorSpec) -> Bool
  func mapped(_ path: [Located<String>], isCompact: Bool) throws(Diagnostic) -> String
  /// Lets an action act on it.
  func perform(_ body: () throws -> Void) rethrows
  /// Ends everything that still runs; nothing is reported any more.
  func tearDown()
}

extension Member {
  var isCustom: Bool { false }
  var actions: [SceneAction] { [] }
  func perform(_ body: () throws -> Void) rethrows { try body() }
}

/// A `load` or `run` as it was typed.
struct StartRequest {
  var kind: Located<String>?
  /// Nil: what the member always does.
  var answer: Answer?
  /// Where the member is named.
  var span: Range<Int>
  var after: Located<Duration>?
  var isSilent = false
  var isAwaited = false
  var isCallerCancelled = false
  var isStubborn = false
  var whenCancelled: Located<Answer.Outcome>?
  var interrupts: [Interrupt] = []
  var timeout: Located<Duration>?
  var retry: RetryPolicy?
  var backoff: Located<Duration>?
  var failing: (error: ErrorSpec, tries: Int)?
  var priority: TaskPriority?

  struct Interrupt {
    /// After the start of the attempt.
    var time: Duration
    /// Where its delay was written.
    var span: Range<Int>
    var action: Action

    enum Action {
      case note
      case command(ParsedCommand)
      case outcome(Answer.Outcome)
    }
  }
}
