import Exploring
import RehearsalBase
import Script

/// The entries of a session: each command with its output and effect, comments and options; which of them belong to a transcript.
struct SessionLog: Sendable {
  private(set) var entries: [Entry] = []
  /// Number of commands that are still in the log, and of their output lines.
  private(set) var commandCount = 0
  private var lineCount = 0
  /// Number of commands that were removed, and of the bytes of their text.
  private(set) var goneCount = 0
  private(set) var goneBytes = 0

  struct Entry: Sendable {
    var command: String
    var kind: SessionLog.Kind
    /// The effects that the command declares; empty if it could not be parsed.
    private(set) var effects: CommandEffects
    var output: [String] = []
    /// The labels of lines of the output, by their indices.
    fileprivate var labels: [Int: OutputLine.Label] = [:]
    /// The indices of lines that are patterns.
    fileprivate var patterns: Set<Int> = []
    /// The problems of its diagnostics.
    var problems: [CommandProblem] = []
    /// Whether recordings show its output.
    var isRecorded = true
    /// Its begin and end, in session time.
    var began: Duration
    var ended: Duration
    /// The options before it. Entries share one object as long as no option changes.
    private let kept: KeptSettings
    var settings: SessionSettings { kept.settings }
    var effect = Effect.looked
    /// The files that it read.
    var readings: [FileMemory.Reading] = []
    /// Whether its output is still unknown.
    var isUnseen = false
    /// Whether it, or an event during it, had effects outside of the session.
    var reachedOutside = false

    init(
      _ command: String,
      _ kind: SessionLog.Kind,
      effects: CommandEffects,
      at time: Duration,
      _ kept: KeptSettings
    ) {
      self.command = command
      self.kind = kind
      self.effects = effects
      began = time
      ended = time
      self.kept = kept
    }

    /// The output with its labels.
    var lines: [OutputLine] {
      output.enumerated().map { index, text in
        OutputLine(text, label: labels[index], isPattern: patterns.contains(index))
      }
    }

    /// Whether `undo` counts it as a step.
    var isUndoable: Bool { kind == .command && effect == .changed }
  }

  enum Kind: Sendable, Equatable {
    case command, comment
    /// An option that was set by another source than a command, as the session logged it.
    case option
    /// Time that passed in live time.
    case pause
  }

  /// The effect of a command on the session.
  enum Effect: Sendable, Equatable {
    /// It changed nothing: a replay would print the same.
    case looked
    /// It failed before it had any effect.
    case failed
    case changed
  }

  init(_ entries: [Entry] = []) {
    self.entries = entries
    commandCount = entries.count { $0.kind != .comment }
    lineCount = entries.reduce(0) { $0 + $1.output.count }
  }

  mutating func begin(_ entry: consuming Entry) {
    // Most sessions are short. Reserving space avoids several copies of their first entries.
    if entries.isEmpty { entries.reserveCapacity(8) }
    if entry.kind != .comment { commandCount += 1 }
    lineCount += entry.output.count
    entries.append(entry)
  }

  /// Adds a line to the output of the latest command.
  mutating func add(_ line: OutputLine, isRecorded: Bool) {
    guard !entries.isEmpty else { return }
    if let label = line.label {
      entries[entries.count - 1].labels[entries[entries.count - 1].output.count] = label
    }
    if line.isPattern {
      entries[entries.count - 1].patterns.insert(entries[entries.count - 1].output.count)
    }
    entries[entries.count - 1].output.append(line.text)
    lineCount += 1
    if !isRecorded { entries[entries.count - 1].isRecorded = false }
  }

  /// Adds a problem to the latest command.
  mutating func add(_ problem: CommandProblem) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].problems.append(problem)
  }

  /// Changes the latest entry.
  mutating func amendLatest(_ change: (inout Entry) -> Void) {
    guard !entries.isEmpty else { return }
    lineCount -= entries[entries.count - 1].output.count
    change(&entries[entries.count - 1])
    lineCount += entries[entries.count - 1].output.count
  }

  // MARK: Removing entries

  /// The reason why a part of the session is missing; nil if nothing is missing.
  var missing: String? {
    goneCount == 0
      ? nil
      : "the first \("command".counted(goneCount)) of the session are not kept any more"
  }

  func isFull(_ limits: SessionLimits) -> Bool {
    entries.count > limits.commands || lineCount > limits.lines
  }

  /// Removes the oldest commands if a limit is exceeded.
  mutating func forget(_ limits: SessionLimits) {
    let (most, mostLines) = (
      SessionLimits.kept(of: limits.commands), SessionLimits.kept(of: limits.lines)
    )
    var gone = 0
    while gone < entries.count, entries.count - gone > most || lineCount > mostLines {
      let entry = entries[gone]
      gone += 1
      lineCount -= entry.output.count
      goneBytes += entry.text.utf8.count
      if entry.kind != .comment { (commandCount, goneCount) = (commandCount - 1, goneCount + 1) }
    }
    entries.removeFirst(gone)
  }

  /// Returns the first entries as a transcript, and the number of their commands.
  func text(ofFirst count: Int) -> (text: String, commands: Int) {
    let chosen = entries.prefix(count)
    return (chosen.map(\.text).joined(), chosen.count(where: \.isCommand))
  }

  /// The options among the first entries that no command has set.
  func options(ofFirst count: Int) -> [String] {
    entries.prefix(count).filter { $0.kind == .option }.map(\.command)
  }

  /// The first entries as a transcript without mistakes and without commands that only look.
  func shortText(ofFirst count: Int) -> (text: String, commands: Int) {
    let chosen = entries.prefix(count).filter(\.isWorthSaving)
    return (chosen.map(\.text).joined(), chosen.count(where: \.isCommand))
  }
}

extension SessionLog.Entry {
  /// Whether it only advances time, so that 'wait' leads to the same state.
  var advancesTime: Bool { effects.contains(.advancesTime) }

  /// Whether a person typed it, or passed time.
  fileprivate var isCommand: Bool { kind == .command || kind == .pause }

  /// Whether the session would end differently, or check less, without it.
  fileprivate var isWorthSaving: Bool {
    if kind != .command || effect == .changed { return true }
    return effects.contains(.asserts) && problems.allSatisfy(\.isFailedExpectation)
  }

  /// Returns a `wait` from the entry's beginning to an instant; nil if the instant is not later.
  /// Only for entries that only advance time.
  func asWaiting(until time: Duration) -> SessionLog.Entry? {
    guard began < time else { return nil }
    var part = self
    part.command = "wait \((time - began).compact)"
    part.effects = .advancesTime
    part.output = []
    part.problems = []
    part.isUnseen = true
    part.ended = time
    part.effect = .changed
    return part
  }

  /// The entry in the format of a transcript. A carriage return cannot be in one, and its command has failed.
  var text: String {
    if command.utf8.contains(UInt8(ascii: "\r")) {
      let escaped = command.escapingControls
      return "# left out, because a transcript has no carriage returns: \(escaped)\n"
    }
    return (kind == .comment ? command + "\n" : TranscriptText.command(command))
      + lines.map(TranscriptText.output).joined()
  }
}
