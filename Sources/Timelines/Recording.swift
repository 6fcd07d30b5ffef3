package import RehearsalBase

/// The events of a session, in order. Every picture is drawn from a recording.
///
/// Events that happen at the same instant keep their order.
public struct Recording: Sendable, Equatable {
  /// Members in the order in which they were created.
  public internal(set) var lanes: [Lane] = []
  /// The events, in order.
  public internal(set) var events: [Event] = []
  /// The session's commands, in order.
  public internal(set) var records: [CommandRecord] = []
  /// The time that the session has reached, at least that of the last event. A picture draws
  /// attempts in flight up to here.
  public private(set) var end: Duration = .zero

  /// The discarded beginning of a long session. Indices of events, records and lanes count only
  /// what remains.
  public internal(set) var omitted = Omission()

  /// The checks and commands that the session did not reach, one sentence each.
  public package(set) var unperformed: [String] = []

  /// Creates the recording of a new session without members.
  public init() {}

  /// One row of a picture, for a member or a request.
  public struct Lane: Codable, Sendable, Equatable {
    /// The name of the member, or the method and path of the request. Two lanes share a name if it
    /// was used again.
    public let name: String
    /// The kind of lane, as the shell calls it: `loadable`, `process`, `pipe`, `request`.
    public let word: String
    /// The initial state, as the shell prints it: `absent`, `loaded 1`.
    public internal(set) var initial: String
    /// The phase of the initial state, nil for a lane with values instead of states.
    public internal(set) var phase: Phase?
    /// The name of the state machine that governs the lane at first, as the shell calls it:
    /// `loadable latest`. Nil for a lane without a machine.
    public internal(set) var machine: String?
    /// The lane of the member that sent the request, nil for other lanes.
    public package(set) var owner: Int?
    /// A digest of the request's header fields and body. Requests with equal digests are the same.
    public let sent: String?
    /// The kind of values, for a lane whose values are drawn as bars; nil for other lanes.
    public let values: Values?

    /// The kind of values that are drawn as bars.
    public enum Values: String, Codable, Sendable, CaseIterable {
      /// `true` and `false`: a bar while true.
      case flag
      /// The cases of an enum: a bar for each, with its name.
      case cases
    }

    /// Whether the lane has the commands of scenes, such as taps.
    package static let commandsWord = "commands"

    /// Creates a row without events.
    public init(
      name: String,
      word: String,
      initial: String,
      phase: Phase? = nil,
      machine: String? = nil,
      owner: Int? = nil,
      sent: String? = nil,
      values: Values? = nil
    ) {
      self.name = name
      self.word = word
      self.initial = initial
      self.phase = phase
      self.machine = machine
      self.owner = owner
      self.sent = sent
      self.values = values
    }
  }

  /// One command with its output.
  public struct CommandRecord: Codable, Sendable, Equatable {
    /// The virtual time of the command.
    public let time: Duration
    /// The source text of the command, possibly several lines.
    public fileprivate(set) var command: String
    /// The index of the first event after the command. The command's events end at the next
    /// command's.
    public internal(set) var firstEvent: Int
    /// The lines that the command printed, without indentation. Empty if output is not kept.
    public fileprivate(set) var output: [String] = []
    /// The labels of errors, hints and notes among these lines, by the indices of the lines. Only
    /// the session that has printed them knows them; a file of a recording does not have them.
    package fileprivate(set) var labels: [Int: OutputLine.Label] = [:]

    private enum CodingKeys: CodingKey {
      case time, command, firstEvent, output
    }

    /// Whether both are equal, apart from labels.
    public static func == (one: CommandRecord, other: CommandRecord) -> Bool {
      one.time == other.time && one.command == other.command && one.firstEvent == other.firstEvent
        && one.output == other.output
    }

    fileprivate init(time: Duration, command: String, firstEvent: Int) {
      (self.time, self.command, self.firstEvent) = (time, command, firstEvent)
    }
  }

  /// One event, with every text that a picture shows for it.
  public struct Event: Sendable, Equatable {
    /// Virtual time since the session began.
    public let time: Duration
    /// The index in `lanes`.
    public package(set) var lane: Int
    /// The number of the attempt that caused the event, if any.
    public let attempt: Int?
    /// The kind of event.
    public let kind: Kind
    /// The lane's state after the event, as the shell prints it; nil if the state did not change.
    public let state: String?
    /// The phase of that state, from which a picture chooses a mark.
    public let phase: Phase?
    /// The value or error that the attempt produced, dropped or not, as the shell prints it:
    /// `"old"`, `Boom`. A picture writes it next to the mark, or `state` if this is nil.
    public let answer: String?
    /// The kind of process at the beginning of an attempt: `save`. Nil if there is only one kind.
    public let process: String?
    /// The index of the record whose command caused the event, immediately or as a scheduled step.
    /// Nil if only the passing of time caused it.
    public package(set) var cause: Int?

    /// Creates an event. Pictures escape and cut its texts but do not change them otherwise.
    public init(
      time: Duration,
      lane: Int,
      attempt: Int?,
      kind: Kind,
      state: String? = nil,
      phase: Phase? = nil,
      answer: String? = nil,
      process: String? = nil,
      cause: Int? = nil
    ) {
      self.time = time
      self.lane = lane
      self.attempt = attempt
      self.kind = kind
      self.state = state
      self.phase = phase
      self.answer = answer
      self.process = process
      self.cause = cause
    }
  }

  /// The kind of state. Loadables and processes share these four.
  public enum Phase: String, Codable, Sendable, CaseIterable {
    case resting, inFlight, succeeded, failed
  }

  /// The kind of event. "The attempt" means the event's attempt.
  public enum Kind: Sendable, Equatable {
    /// The attempt began. It may have cancelled and replaced another one.
    case started(replacing: Int?, silently: Bool)
    /// The attempt was created and waits for another one to end.
    case queued
    /// A start had no effect, or joined the attempt in flight.
    case refused
    /// The attempt yielded a state and continues. If dropped, it had lost its influence before.
    case yielded(dropped: Bool)
    /// An interrupt of the attempt fired. If it ended the attempt, `stopped` follows.
    case interrupted
    /// A try of the attempt failed, and another one follows.
    case retrying
    /// An interrupt decided the attempt's end; the block may continue for a while. If pending, the
    /// state changes when the block ends.
    case stopped(End, pending: Bool)
    /// The attempt's block ended, and so does its bar. If dropped, the attempt had lost its
    /// influence before and nothing changed.
    case ended(End, dropped: Bool)
    /// A caller or another attempt cancelled. If `attempt` is nil, nothing was in flight.
    case cancelled
    /// A caller reset the state. If `attempt` is nil, nothing was in flight.
    case reset
    /// A caller set the state directly. `attempt` is the one that this cancelled, if any.
    case assigned
    /// The lane has a new value, entered or set by code. No attempt is involved.
    case changed
    /// From here on, another machine governs the lane; its name is like `Lane.machine`. The state
    /// stays.
    case governed(by: String)
    /// The member was forgotten; no event follows in its lane.
    case forgotten
  }

  /// The end of a block.
  public enum End: String, Codable, Sendable, CaseIterable {
    case succeeded, failed, cancelled, reset
    /// The block returned without a value.
    case empty
  }

  /// Adds a lane and returns its index.
  public mutating func addLane(_ lane: Lane) -> Int {
    lanes.append(lane)
    return lanes.count - 1
  }

  /// Adds an event.
  ///
  /// - Precondition: the event is not earlier than the last one; time in a session never goes
  ///   backwards.
  public mutating func append(_ event: Event) {
    precondition(
      events.last.map { $0.time <= event.time } ?? true,
      "An event cannot precede the one before it."
    )
    if events.isEmpty { events.reserveCapacity(8) }
    events.append(event)
    end = max(end, event.time)
  }

  /// Adds a command before the session performs it.
  ///
  /// - Parameters:
  ///   - command: its source text.
  ///   - time: its virtual time.
  ///   - firstEvent: the index of its first event, if that precedes the command.
  /// - Returns: its index.
  public mutating func begin(_ command: String, at time: Duration, firstEvent: Int? = nil) -> Int {
    let firstEvent = firstEvent ?? events.count
    if records.isEmpty { records.reserveCapacity(8) }
    records.append(CommandRecord(time: time, command: command, firstEvent: firstEvent))
    end = max(end, time)
    return records.count - 1
  }

  /// Adds a line to the latest command's output. Without any command, the line is discarded.
  public mutating func print(_ line: String) {
    guard !records.isEmpty else { return }
    records[records.count - 1].output.append(line)
  }

  /// Adds a line, with its label, to the latest command's output. Without any command, the line is
  /// discarded.
  package mutating func print(_ line: OutputLine) {
    guard !records.isEmpty else { return }
    if let label = line.label {
      records[records.count - 1].labels[records[records.count - 1].output.count] = label
    }
    print(line.text)
  }

  /// Replaces the text of the latest command, because it was stopped before its end.
  public mutating func amendLatest(_ command: String) {
    guard !records.isEmpty else { return }
    records[records.count - 1].command = command
  }

  /// Records that time has reached `time` without an event. An earlier time changes nothing.
  public mutating func advance(to time: Duration) {
    end = max(end, time)
  }
}
