import Script

/// A session's commands and output so far: for `save`, for a `record` that begins late, and to perform
/// them again.
struct SessionLog: Sendable {
  private(set) var entries: [Entry] = []

  struct Entry: Sendable {
    var command: String
    var kind: SessionLog.Kind
    var output: [String] = []
    /// Whether recordings show what it printed.
    var isRecorded = true
    /// When it was given, and when it was over, in the session's time.
    var began: Duration
    var ended: Duration
    /// What the options were set to before it.
    let settings: SessionSettings
    var effect = Effect.looked
    /// The files that it read.
    var readings: [FileMemory.Reading] = []
    /// Whether nobody knows yet what it prints.
    var isUnseen = false
    /// Whether it, or what happened meanwhile, reached beyond the session.
    var reachedOutside = false

    init(_ command: String, _ kind: SessionLog.Kind, at time: Duration, _ settings: SessionSettings)
    {
      self.command = command
      self.kind = kind
      began = time
      ended = time
      self.settings = settings
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
  }

  mutating func begin(_ entry: Entry) {
    // Many sessions are short, and all of them would move their first few entries again and again.
    if entries.isEmpty { entries.reserveCapacity(8) }
    entries.append(entry)
  }

  /// Adds a line to what the latest command printed.
  mutating func add(_ line: String, isRecorded: Bool) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].output.append(line)
    if !isRecorded { entries[entries.count - 1].isRecorded = false }
  }

  /// Says more about the latest entry.
  mutating func amendLatest(_ change: (inout Entry) -> Void) {
    guard !entries.isEmpty else { return }
    change(&entries[entries.count - 1])
  }

  /// The first entries as a transcript, and how many commands they are.
  func text(ofFirst count: Int) -> (text: String, commands: Int) {
    let chosen = entries.prefix(count)
    return (chosen.map(\.text).joined(), chosen.count { $0.kind != .comment })
  }
}

extension SessionLog.Entry {
  /// Whether it does no more than letting time pass: 'wait' leads to the same.
  var letsTimePass: Bool {
    ["wait", "settle", "step", "expect", "watch"].contains(command.prefix { $0 != " " })
  }

  /// The waiting that leads from its beginning to a moment in its midst; nil where none does.
  func asWaiting(until time: Duration) -> SessionLog.Entry? {
    guard began < time else { return nil }
    var part = self
    part.command = "wait \((time - began).compact)"
    part.output = []
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
