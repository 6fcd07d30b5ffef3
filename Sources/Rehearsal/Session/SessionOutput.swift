import Exploring
import Loading
import RehearsalBase
import Script
import Staging
import Timelines

/// The output of a session: lines of commands, event lines with their time, diagnostics, and JSON
/// objects for programs.
@MainActor final class SessionOutput {
  private let stage: Stage
  private let history: SessionHistory
  private let execution: CommandExecution
  private let options: SessionOptions
  private let sink: (any OutputSink)?
  /// Changes of observed properties, which are printed before any other event line.
  let changes: SessionChanges
  /// The objects of the latest command for programs; nil if no program reads them.
  var objects: [JSONLine]?
  /// Called after each event line; nil if nothing needs it.
  var afterEventLine: (() -> Void)?

  /// Number of lines of the current command.
  private var count = 0
  /// The latest lines beyond the limit. They are printed when the command ends.
  private var tail: [(line: OutputLine, kind: LineKind)] = []
  private var hidden = HiddenLines()
  /// The kind of the latest line.
  private(set) var lineKind = LineKind.text
  /// The diagnostic of an interrupted wait. It is not part of the session.
  private var deferredLines: [OutputLine] = []

  /// The kind of a line.
  enum LineKind: Sendable {
    case text
    /// An event, with its time at the beginning.
    case event
    /// The first line of a diagnostic.
    case diagnostic
    /// A remark about a command that succeeds.
    case note
  }

  /// The lines of a command that are neither its first nor its latest ones.
  private struct HiddenLines {
    private(set) var count = 0
    private(set) var digest = FNV1a()
    /// The first error lines among them, which are printed all the same.
    private(set) var errors: [OutputLine] = []
    private static let mostErrors = 10

    mutating func add(_ line: OutputLine, _ kind: LineKind) {
      count += 1
      digest.combine(text: line.text)
      digest.combine(UInt8.lineFeed)
      let isError = kind == .diagnostic || line.label?.kind == .error
      if isError, errors.count < Self.mostErrors { errors.append(line) }
    }
  }

  /// Maximum number of lines that a command prints immediately, and of its last lines that follow
  /// at its end.
  static let mostLines = (first: 990, last: 10)

  init(
    stage: Stage,
    history: SessionHistory,
    execution: CommandExecution,
    options: SessionOptions,
    sink: (any OutputSink)?
  ) {
    (self.stage, self.history, self.execution) = (stage, history, execution)
    (self.options, self.sink) = (options, sink)
    changes = SessionChanges(stage: stage)
  }

  /// Prints a line, unless the command has printed too many. If the line differs between machines,
  /// a transcript gets `pattern` instead.
  func print(_ line: String, writtenAs pattern: String? = nil, kind: LineKind = .text) {
    print(OutputLine(line), writtenAs: pattern, kind: kind)
  }

  /// Prints an error, a hint or a note in the same way.
  func print(_ line: OutputLine) {
    print(line, kind: line.label?.kind == .note ? .note : .text)
  }

  private func print(_ line: OutputLine, writtenAs pattern: String? = nil, kind: LineKind) {
    count += 1
    if count > Self.mostLines.first, pattern == nil {
      tail.append((line, kind))
      if tail.count > Self.mostLines.last {
        let (line, kind) = tail.removeFirst()
        hidden.add(line, kind)
      }
      return
    }
    lineKind = kind
    if kind != .event { execution.notePrinted(line) }
    if !history.isReplaying { sink?.print(line) }
    history.addLine(pattern.map { OutputLine($0, isPattern: true) } ?? line)
  }

  /// Prints a line that is not part of the session.
  func printAside(_ line: OutputLine) {
    lineKind = .text
    sink?.print(line)
  }

  /// Prints the remaining lines of a command that ends.
  func endCommand() {
    guard count > 0 else { return }
    let (lines, hidden) = (tail, hidden)
    (count, tail, self.hidden) = (0, [], HiddenLines())
    if hidden.count > 0 {
      print(
        "… \("more line".counted(hidden.count)), digest \(hidden.digest.shortDigest); 'log last N' shows the latest"
      )
      for line in hidden.errors { print(line, kind: .diagnostic) }
    }
    for (line, kind) in lines { print(line, kind: kind) }
    count = 0
  }

  /// Adds an object for programs, if a program reads them. A replayed command added its object
  /// before.
  func addObject(_ object: @autoclosure () -> JSONLine) {
    if objects != nil, !history.isReplaying { objects?.append(object()) }
  }

  // MARK: Events

  /// Whether anything reads event lines. If not, they are not formatted.
  private var readsLines: Bool {
    sink != nil || afterEventLine != nil || history.keepsLines
      || stage.jobScheduler?.keepsTexts == true
  }

  /// Records a change of a member's state, and prints its event line unless it is quiet.
  @inline(__always)
  func report<State: ShellState>(
    _ observation: LoadObservation<State>,
    of member: some Member,
    isLate: Bool,
    isQuiet: Bool = false
  ) {
    changes.tell()
    history.append(
      observation.change.recordedKind,
      attempt: observation.change.attempt?.number,
      lane: member.lane,
      state: observation.after.state.text(attempt: nil),
      phase: Recording.Phase(observation.after.state.phase),
      answer: observation.change.recordedAnswer,
      process: observation.change.recordedProcess
    )
    guard !isQuiet, readsLines else { return }
    let formatter = EventFormatter(
      observation: observation,
      isOfLateAttempt: isLate,
      isOfConstant: member.isConstant
    )
    guard let text = formatter.text else { return }
    printEvent(member.name + "  " + text, lane: member.lane)
  }

  /// Records the end of an attempt that was cancelled before its block began.
  func reportEnd(of attempt: Attempt, in lane: Int, state: some ShellState) {
    history.append(
      .ended(.cancelled, dropped: true),
      attempt: attempt.number,
      lane: lane,
      state: state.text(attempt: nil),
      phase: Recording.Phase(state.phase)
    )
  }

  /// Records that a member's policy has changed.
  func report(_ policy: LoadingPolicy, of member: some Member, insteadOf former: LoadingPolicy) {
    guard policy != former, !member.isConstant else { return }
    let machine = Recording.Lane.machine(member.sort, policy: policy)
    history.append(.governed(by: machine), lane: member.lane)
  }

  /// Prints an event line, with its time at the beginning, and keeps it for `log`.
  func printEvent(_ text: @autoclosure () -> String, lane: Int?) {
    changes.tell()
    guard readsLines else { return }
    let text = text()
    let now = stage.now.elapsed
    history.add(EventLines.Line(lane: lane, time: now, text: text))
    if let scheduler = stage.jobScheduler, scheduler.keepsTexts {
      let text = text.printable(atMost: 120)
      scheduler.noteEffect(StepEffect("the output '\(text)'", row: "→ \(text)"))
    }
    print(OutputLine(line(text, at: now)), kind: .event)
    afterEventLine?()
  }

  /// Returns a line with its time at the beginning, right-aligned in a column, up to 99999.999s.
  func line(_ text: String, at time: Duration) -> String {
    Self.line(text, options.text(time))
  }

  nonisolated private static func line(_ text: String, _ time: String) -> String {
    var (text, time) = (text, time)
    let indentation = max(0, 9 - time.utf8.count)
    // Most output goes through here: allocate only once.
    return time.withUTF8 { time in
      text.withUTF8 { text in
        let count = indentation + time.count + 2 + text.count
        return String(unsafeUninitializedCapacity: count) { line in
          line[..<indentation].initialize(repeating: UInt8(ascii: " "))
          let end = line[indentation...].initialize(fromContentsOf: time)
          line[end..<end + 2].initialize(repeating: UInt8(ascii: " "))
          _ = line[(end + 2)...].initialize(fromContentsOf: text)
          return count
        }
      }
    }
  }

  // MARK: Diagnostics

  /// Prints a diagnostic and fails the current command or a run assertion. The failure's identity
  /// is the text and the actual value.
  func fail(
    _ diagnostic: Diagnostic,
    assertion: (text: String, actual: ActualValue)? = nil,
    repetition: Int? = nil
  ) {
    execution.hasFailed = true
    let lines =
      readsLines ? diagnostic.lines(in: execution.text, place: execution.sourceLocation) : []
    execution.addFailure(
      diagnostic,
      of: assertion,
      repetition: repetition,
      lines: lines.map(\.text),
      at: stage.now.elapsed
    )
    if history.isInterruptedWait {
      deferredLines = lines
    } else {
      history.add(CommandProblem(diagnostic.problem, at: execution.sources.last))
      for (index, line) in lines.enumerated() {
        print(line, kind: index == 0 ? .diagnostic : .text)
      }
    }
  }

  /// Prints the diagnostic of an interrupted wait, after the log has replaced its command.
  func printDeferredLines() {
    for line in deferredLines { printAside(line) }
    deferredLines = []
  }
}
