import Exploring
import RehearsalBase
import Script

/// A session's commands and output so far: for `save`, for a `record` that begins late, and to perform
/// them again.
struct SessionLog: Sendable {
  private(set) var entries: [Entry] = []
  /// How many commands of it are left, and how many lines those printed.
  private(set) var commandCount = 0
  private var lineCount = 0
  /// How many commands it had before those, and how many bytes their text.
  private(set) var goneCount = 0
  private(set) var goneBytes = 0

  struct Entry: Sendable {
    var command: String
    var kind: SessionLog.Kind
    /// What it declares to do; nothing if it could not be read.
    private(set) var effects: CommandEffects
    var output: [String] = []
    /// The problems of its diagnostics.
    var problems: [CommandProblem] = []
    /// Whether recordings show what it printed.
    var isRecorded = true
    /// When it was given, and when it was over, in the session's time.
    var began: Duration
    var ended: Duration
    /// What the options were set to before it: one object for all that were given while they were.
    private let kept: KeptSettings
    var settings: SessionSettings { kept.settings }
    var effect = Effect.looked
    /// The files that it read.
    var readings: [FileMemory.Reading] = []
    /// Whether nobody knows yet what it prints.
    var isUnseen = false
    /// Whether it, or what happened meanwhile, reached beyond the session.
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

    /// Whether `undo` counts it.
    var isUndoable: Bool { kind == .command && effect == .changed }
  }

  enum Kind: Sendable, Equatable {
    case command, comment
    /// What somebody else than a command set an option to, as the session wrote it down.
    case option
    /// Time that passed by itself.
    case pause
  }

  /// What a command did to the session.
  enum Effect: Sendable, Equatable {
    /// It only looked: performed again, it would print the same and do nothing else.
    case looked
    /// It failed before it did anything.
    case failed
    case changed
  }

  init(_ entries: [Entry] = []) {
    self.entries = entries
    commandCount = entries.count { $0.kind != .comment }
    lineCount = entries.reduce(0) { $0 + $1.output.count }
  }

  mutating func begin(_ entry: consuming Entry) {
    // Many sessions are short, and all of them would move their first few entries again and again.
    if entries.isEmpty { entries.reserveCapacity(8) }
    if entry.kind != .comment { commandCount += 1 }
    lineCount += entry.output.count
    entries.append(entry)
  }

  /// Adds a line to what the latest command printed.
  mutating func add(_ line: String, isRecorded: Bool) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].output.append(line)
    lineCount += 1
    if !isRecorded { entries[entries.count - 1].isRecorded = false }
  }

  /// Adds a problem of the latest command.
  mutating func add(_ problem: CommandProblem) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].problems.append(problem)
  }

  /// Says more about the latest entry.
  mutating func amendLatest(_ change: (inout Entry) -> Void) {
    guard !entries.isEmpty else { return }
    lineCount -= entries[entries.count - 1].output.count
    change(&entries[entries.count - 1])
    lineCount += entries[entries.count - 1].output.count
  }

  // MARK: Forgetting

  /// Why not all of the session is there; nil where it is.
  var missing: String? {
    goneCount == 0
      ? nil
      : "the first \(goneCount) command\(goneCount == 1 ? "" : "s") of the session are not kept any more"
  }

  func isFull(_ limits: SessionLimits) -> Bool {
    entries.count > limits.commands || lineCount > limits.lines
  }

  /// Forgets the oldest commands, so that there is room for more.
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

  /// The first entries as a transcript, and how many commands they are.
  func text(ofFirst count: Int) -> (text: String, commands: Int) {
    let chosen = entries.prefix(count)
    return (chosen.map(\.text).joined(), chosen.count { $0.kind != .comment })
  }

  /// The first entries as a transcript without mistakes and without commands that only look.
  func shortText(ofFirst count: Int) -> (text: String, commands: Int) {
    let chosen = entries.prefix(count).filter(\.isWorthSaving)
    return (chosen.map(\.text).joined(), chosen.count { $0.kind != .comment })
  }
}

extension SessionLog.Entry {
  /// Whether it only advances time, so that 'wait' leads to the same state.
  var advancesTime: Bool { effects.contains(.advancesTime) }

  /// Whether the session would end differently, or check less, without it.
  fileprivate var isWorthSaving: Bool {
    kind != .command || effect == .changed || effects.contains(.asserts)
  }

  /// The waiting that leads from its beginning to a moment in its midst; nil where none does.
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

  /// The entry as a transcript has it.
  var text: String {
    (kind == .comment ? command + "\n" : TranscriptText.command(command))
      + output.map(TranscriptText.output).joined()
  }
}
