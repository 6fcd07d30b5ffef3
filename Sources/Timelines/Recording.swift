/// What happened in a session, in order: the one source of every picture.
///
/// Events are in the order in which they happened; those of one instant keep that order.
public struct Recording: Sendable, Equatable {
  /// Members in the order in which they were created.
  public private(set) var lanes: [Lane] = []
  public private(set) var events: [Event] = []

  public init() {}

  /// One member's row in a picture.
  public struct Lane: Sendable, Equatable {
    public let name: String
    /// The state it began with, as the shell prints it: `absent`, `loaded 1`.
    public let initial: String

    public init(name: String, initial: String) {
      self.name = name
      self.initial = initial
    }
  }

  public struct Event: Sendable, Equatable {
    /// Virtual time since the session began.
    public let time: Duration
    /// An index into `lanes`; nil for what concerns the session as a whole.
    public let lane: Int?
    /// The number of the attempt that caused it, if one did.
    public let attempt: Int?
    public let kind: Kind
    /// The lane's state after the event, as the shell prints it, or nil where it did not change.
    public let state: String?
    /// Which kind of state that is, so that a picture can choose a mark.
    public let phase: Phase?

    public init(
      time: Duration, lane: Int?, attempt: Int?, kind: Kind, state: String?, phase: Phase?
    ) {
      self.time = time
      self.lane = lane
      self.attempt = attempt
      self.kind = kind
      self.state = state
      self.phase = phase
    }
  }

  /// What kind of state a lane is in.
  public enum Phase: Sendable, Hashable {
    case resting, inFlight, succeeded, failed
  }

  public enum Kind: Sendable, Equatable {
    /// An attempt began; it may have replaced another one.
    case started(replacing: Int?, silently: Bool)
    case queued
    /// A start that did nothing, or shared the attempt in flight.
    case refused
    case yielded
    case interrupted
    case retrying
    /// The attempt ended; its bar ends here.
    case ended(End)
    /// It answered after it no longer counted, and nothing changed.
    case dropped
    case cancelled
    case reset
    case assigned
    /// A command was typed; `state` holds nothing, `text` the command.
    case command(text: String)
    case forgotten
  }

  public enum End: Sendable, Equatable {
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
    events.append(event)
  }
}
