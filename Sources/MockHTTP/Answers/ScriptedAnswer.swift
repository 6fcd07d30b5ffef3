/// One answer of a route: what is sent, when, at which pace, and how it goes wrong.
public struct ScriptedAnswer: Sendable, Hashable {
  public var outcome: Outcome
  /// Before the first byte.
  public var delay: Delay
  public var pace: Pace

  public enum Outcome: Sendable, Hashable {
    case response(ScriptedResponse)
    case fault(Fault)
  }

  /// How the body goes out.
  public enum Pace: Sendable, Hashable {
    case atOnce
    /// In so many pieces of about the same size, the last one after `duration`.
    case drip(pieces: Int, over: Duration)
  }

  public init(_ outcome: Outcome, delay: Delay = .fixed(.zero), pace: Pace = .atOnce) {
    self.outcome = outcome
    self.delay = delay
    self.pace = pace
  }
}

/// A response as a route words it.
public struct ScriptedResponse: Sendable, Hashable {
  public var status: Int
  /// Beside what the body needs: its type, its length, its encoding.
  public var headers: [Header]
  public var body: ScriptedBody
  /// How the body's end differs from what its head announces.
  public var ending: Ending
  /// Sent in chunks without a length, so that nobody knows how much will come.
  public var isChunked: Bool

  public struct Header: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public enum Ending: Sendable, Hashable {
    case complete
    /// The connection is closed after so many bytes of the body.
    case closed(afterBytes: Int)
    case reset(afterBytes: Int)
    /// The connection stays open and silent after so many bytes of the body.
    case silent(afterBytes: Int)
    /// The head announces this length, in bytes, and the body has another.
    case claiming(bytes: Int)
  }

  public init(
    status: Int,
    headers: [Header] = [],
    body: ScriptedBody = .empty,
    ending: Ending = .complete,
    isChunked: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.ending = ending
    self.isChunked = isChunked
  }
}
