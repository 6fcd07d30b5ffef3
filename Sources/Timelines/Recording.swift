/// What happened in a session, in order: the one source of every picture.
///
/// Events are in the order in which they happened; those of one instant keep that order.
public struct Recording: Sendable, Equatable {
  /// Members in the order in which they were created.
  public internal(set) var lanes: [Lane] = []
  /// What happened, in order.
  public internal(set) var events: [Event] = []
  /// What the session was told, command by command, in order.
  public internal(set) var records: [CommandRecord] = []
  /// How far the session has come, at least the time of the last event. A picture shows what is
  /// still in flight up to here.
  public private(set) var end: Duration = .zero

  /// What it had once and does not have any more. Numbers of events, command records and lanes count what is
  /// there.
  public internal(set) var omitted = Omission()

  /// The checks and commands that were not performed before its end, a sentence each.
  public package(set) var unperformed: [String] = []

  /// A session at its beginning, without members.
  public init() {}

  /// One row of a picture: a member's, or a request's.
  public struct Lane: Codable, Sendable, Equatable {
    /// As the member is called, or the method and the path of a request; two lanes share a name when it
    /// was used again.
    public let name: String
    /// What it is, as the shell calls it: `loadable`, `process`, `pipe`, `request`.
    public let word: String
    /// The state it began with, as the shell prints it: `absent`, `loaded 1`.
    public internal(set) var initial: String
    /// Which kind of state that is; nil where the lane has values and no states.
    public internal(set) var phase: Phase?
    /// The rules by which its state moves at first, as the shell calls them: `loadable latest`. Nil where
    /// it has no machine.
    public internal(set) var machine: String?
    /// For a request, the lane of the member that asked; nil for everything else.
    public package(set) var owner: Int?
    /// For a request, a digest of its header fields and its body: two requests with the same one send the same.
    public let sent: String?

    /// A row in which nothing has happened yet.
    public init(
      name: String,
      word: String,
      initial: String,
      phase: Phase? = nil,
      machine: String? = nil,
      owner: Int? = nil,
      sent: String? = nil
    ) {
      self.name = name
      self.word = word
      self.initial = initial
      self.phase = phase
      self.machine = machine
      self.owner = owner
      self.sent = sent
    }
  }

  /// One command, and what the session printed for it.
  public struct CommandRecord: Codable, Sendable, Equatable {
    /// Virtual time when it was given.
    public let time: Duration
    /// As it was written; may have several lines.
    public fileprivate(set) var command: String
    /// The index of the first event from there on; the command record's events end where the next one's begin.
    public internal(set) var firstEvent: Int
    /// The lines that it printed, without indentation. Empty where nobody keeps them.
    public fileprivate(set) var output: [String] = []
  }

  /// One thing that happened, with everything that a picture writes about it.
  public struct Event: Sendable, Equatable {
    /// Virtual time since the session began.
    public let time: Duration
    /// An index into `lanes`.
    public package(set) var lane: Int
    /// The number of the attempt that caused it, if one did.
    public let attempt: Int?
    /// What happened.
    public let kind: Kind
    /// The lane's state after the event, as the shell prints it, or nil where it did not change.
    public let state: String?
    /// Which kind of state that is, so that a picture can choose a mark.
    public let phase: Phase?
    /// What was delivered or thrown, dropped or not, as the shell prints it: `"old"`, `Boom`. A
    /// picture writes it beside the mark, and `state` where this is nil.
    public let answer: String?
    /// Where an attempt begins, the kind of process that it runs: `save`. Nil where there is but one.
    public let process: String?
    /// The index of the command record whose command did it, or had been told to do it later. Nil where
    /// nothing but time brought it.
    public package(set) var cause: Int?

    /// An event in words that are final: pictures only escape and cut them.
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

  /// What kind of state a lane is in; both families share these four.
  public enum Phase: String, Codable, Sendable, CaseIterable {
    case resting, inFlight, succeeded, failed
  }

  /// What happened. "The attempt" is the event's.
  public enum Kind: Sendable, Equatable {
    /// The attempt began; it may have cancelled and replaced another one.
    case started(replacing: Int?, silently: Bool)
    /// The attempt was created and waits for another one to be over.
    case queued
    /// A start that did nothing, or shared the attempt, which is in flight.
    case refused
    /// The attempt handed over a state and goes on. Dropped: it no longer counted.
    case yielded(dropped: Bool)
    /// An interrupt of the attempt fired. If that ended it, `stopped` follows.
    case interrupted
    /// A try of the attempt failed, and another one follows.
    case retrying
    /// An interrupt decided how the attempt ends; its block may run on for a while. Pending: the
    /// state changes only when the block has ended.
    case stopped(End, pending: Bool)
    /// The attempt's block ended, and so does its bar. Dropped: it no longer counted, and nothing
    /// changed.
    case ended(End, dropped: Bool)
    /// Cancelled from outside, or by another attempt; nothing was in flight where `attempt` is nil.
    case cancelled
    /// Reset from outside; nothing was in flight where `attempt` is nil.
    case reset
    /// The state was written by hand; `attempt` is the one that this cancelled, if any.
    case assigned
    /// The lane has another value: entered, or changed by code of its own. No attempt has to do with it.
    case changed
    /// From here on the lane's state moves by other rules, named as `Lane.machine` is. The state stays.
    case governed(by: String)
    /// The member is gone; nothing follows in its lane.
    case forgotten
  }

  /// How a block ended.
  public enum End: String, Codable, Sendable, CaseIterable {
    case succeeded, failed, cancelled, reset
    /// It returned without delivering anything.
    case empty
  }

  /// Adds a lane and returns its index.
  public mutating func addLane(_ lane: Lane) -> Int {
    lanes.append(lane)
    return lanes.count - 1
  }

  /// Adds what just happened.
  ///
  /// - Precondition: not earlier than the last event; time in a session never goes backwards.
  public mutating func append(_ event: Event) {
    precondition(
      events.last.map { $0.time <= event.time } ?? true,
      "An event cannot precede the one before it."
    )
    if events.isEmpty { events.reserveCapacity(8) }
    events.append(event)
    end = max(end, event.time)
  }

  /// Adds a command that is about to be performed.
  ///
  /// - Parameters:
  ///   - command: the command, as it is written.
  ///   - time: when it was given.
  ///   - firstEvent: the index of its first event, where that was there before it.
  /// - Returns: its index.
  public mutating func begin(_ command: String, at time: Duration, firstEvent: Int? = nil) -> Int {
    let firstEvent = firstEvent ?? events.count
    if records.isEmpty { records.reserveCapacity(8) }
    records.append(CommandRecord(time: time, command: command, firstEvent: firstEvent))
    end = max(end, time)
    return records.count - 1
  }

  /// Adds a line that the latest command printed; without any command it is lost.
  public mutating func print(_ line: String) {
    guard !records.isEmpty else { return }
    records[records.count - 1].output.append(line)
  }

  /// Says otherwise what the latest command was, since it was stopped on the way.
  public mutating func amendLatest(_ command: String) {
    guard !records.isEmpty else { return }
    records[records.count - 1].command = command
  }

  /// Notes that time has come as far as `time` without an event; an earlier time changes nothing.
  public mutating func advance(to time: Duration) {
    end = max(end, time)
  }
}
