import RehearsalBase

/// One answer of a route: what is sent, when, at which pace, and how it goes wrong.
public struct ScriptedAnswer: Sendable, Hashable {
  /// What is sent, or goes wrong in its place.
  public var outcome: Outcome
  /// How long it takes before the first byte.
  public var delay: Delay
  /// How the body goes out, once the first byte has.
  public var pace: Pace
  /// What may come in its place, where somebody explores what else could happen; otherwise it never does.
  public var alternatives: [ScriptedAnswer] = []

  /// What an answer can come to.
  public enum Outcome: Sendable, Hashable {
    /// A response, whatever its status.
    case response(ScriptedResponse)
    /// No response: the connection or what comes over it fails.
    case fault(Fault)
  }

  /// How the body goes out.
  public enum Pace: Sendable, Hashable {
    /// All of it together with the head.
    case atOnce
    /// In so many pieces of about the same size, the last one after `duration`.
    case drip(pieces: Int, over: Duration)
  }

  /// An answer, by default without delay and at once.
  public init(_ outcome: Outcome, delay: Delay = .fixed(.zero), pace: Pace = .atOnce) {
    self.outcome = outcome
    self.delay = delay
    self.pace = pace
  }
}

/// A response as a route words it.
public struct ScriptedResponse: Sendable, Hashable {
  /// Three digits; others end the program when the route is added.
  public var status: Int
  /// Fields beside what the body needs: its type, its length, its encoding.
  public var headers: [Header]
  /// What is sent; nothing is, where the status allows no body.
  public var body: ScriptedBody
  /// How the body's end differs from what its head announces.
  public var ending: Ending
  /// Sent in chunks without a length, so that nobody knows how much will come.
  public var isChunked: Bool

  /// A header field as it is written in a route, before anybody has looked whether it can be one.
  public struct Header: Sendable, Hashable {
    /// In any case; one that no field can have is left out of the response.
    public var name: String
    /// `{name}` echoes a part of the request.
    public var value: String

    /// A field whose name is not checked yet.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// How a body can end. Bytes are counted as they go out, compressed if it is.
  public enum Ending: Sendable, Hashable {
    /// With its last byte, as announced.
    case complete
    /// The connection is closed after so many bytes of the body.
    case closed(afterBytes: Int)
    /// The connection is reset after so many bytes of the body.
    case reset(afterBytes: Int)
    /// The connection stays open and silent after so many bytes of the body.
    case silent(afterBytes: Int)
    /// The head announces this length, in bytes, and the body has another.
    case claiming(bytes: Int)
  }

  /// A response, by default whole, without a body and with its length announced.
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
