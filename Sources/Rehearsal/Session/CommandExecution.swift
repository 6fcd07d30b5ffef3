import Exploring
import Harness
import RehearsalBase
import Script

/// The command that runs: its text, the scripts that contain it, and its failures.
@MainActor final class CommandExecution {
  /// The command of the prompt, script or transcript. For a scheduled command: the command that
  /// scheduled it.
  var given = ""
  /// The text that is being performed. The place of a diagnostic refers to it.
  var text = ""
  /// The command that is being performed, from its verb to its end. If a command contains another
  /// one, the inner one.
  var commandText = ""
  /// The text of the scheduled command that is being performed.
  var scheduledCommand: String? { didSet { turns += 1 } }
  /// Number of times that a scheduled command has begun or ended.
  private(set) var turns = 0
  /// Number of earlier scheduled commands with the same text as the current one.
  var repetition = 0

  /// The scripts that are being sourced, outermost first.
  var sources: [Source] = []
  /// The commands that scripts have performed since the latest given command.
  var sourcedEntries: [SessionLog.Entry] = []

  /// Whether the latest command failed.
  var hasFailed = false
  /// The reasons of the failure, at most `mostFailures`.
  var failures: [SessionFailure] = []
  /// The error lines of the latest command, or its last line that is no event; empty if there is none.
  var failureLines: [String] { errorLines.isEmpty ? [lastLine].compactMap(\.self) : errorLines }
  private var errorLines: [String] = []
  private var lastLine: String?
  /// Whether there were more failures.
  private(set) var hasUnnotedFailures = false
  /// Whether the latest command has printed what waits with nothing left to run.
  var hasNamedWaits = false
  /// Commands that end in `?`, so that they have only listed possible continuations.
  var listed: [(command: String, isCheck: Bool)] = []
  /// Notes about the rest of sourced scripts after an error, and of typing that was replaced.
  var leftOut: [String] = []
  var interruption = Interruption.none
  /// Whether the latest command only looks, although commands of its kind can change the session.
  var onlyLooks = false
  /// Whether a command has ended the session.
  var isOver = false

  /// Maximum number of notes in `leftOut` about replaced typing.
  nonisolated static let mostNotes = 100

  /// Maximum number of failures that are kept for one command.
  nonisolated static let mostFailures = 10_000

  struct Source {
    let path: String
    let identity: String
    /// The line that is being performed, from 1.
    var line: Int
  }

  /// The moment at which a command was interrupted by the user.
  enum Interruption {
    case none
    /// Between two jobs: no command leads to this state.
    case anywhere
    /// After all jobs of an instant: waiting for that instant leads to the same state.
    case afterInstant
  }

  /// Begins the next given command.
  func begin() {
    hasFailed = false
    interruption = .none
    onlyLooks = false
    failures = []
    (errorLines, lastLine) = ([], nil)
    hasUnnotedFailures = false
    hasNamedWaits = false
    sourcedEntries = []
  }

  func notePrinted(_ line: OutputLine) {
    lastLine = line.text
    if line.label?.kind == .error { errorLines.append(line.text) }
  }

  func addFailure(
    _ diagnostic: Diagnostic,
    of assertion: (text: String, actual: ActualValue)?,
    repetition: Int?,
    lines: [String],
    at time: Duration
  ) {
    guard failures.count < Self.mostFailures else {
      hasUnnotedFailures = true
      return
    }
    failures.append(
      SessionFailure(
        diagnostic: diagnostic,
        text: text,
        laterCommand: scheduledCommand,
        assertion: assertion,
        repetition: repetition ?? self.repetition,
        place: sources.last,
        lines: lines,
        time: time
      )
    )
  }

  /// The sourced file and line that are being performed: `setup.rehearse:3`.
  var sourceLocation: String? {
    sources.last.map { "\($0.path.printable(atMost: 80)):\($0.line)" }
  }

  /// The source location in parentheses, after a space; empty if there is none.
  var sourceSuffix: String { sourceLocation.map { " (\($0))" } ?? "" }
}
