import RehearsalBase

/// One answer of a route: its content, delay, pace and failures.
public struct ScriptedAnswer: Sendable, Hashable {
  /// The response or the failure.
  public var outcome: Outcome
  /// The time before the first byte.
  public var delay: Delay
  /// The pace of the body after the first byte.
  public var pace: Pace
  /// The answers that exploration can choose in place of this one. Other runs never use them.
  public var alternatives: [ScriptedAnswer] = []

  /// The result of a request.
  public enum Outcome: Sendable, Hashable {
    /// A response, with any status.
    case response(ScriptedResponse)
    /// No response: the connection or its data fails.
    case fault(Fault)
  }

  /// The pace of a body.
  public enum Pace: Sendable, Hashable {
    /// The whole body at once, together with the head.
    case atOnce
    /// In `pieces` of about the same size, the last one after `duration`.
    case drip(pieces: Int, over: Duration)
  }

  /// Creates an answer, by default without delay and at once.
  public init(_ outcome: Outcome, delay: Delay = .fixed(.zero), pace: Pace = .atOnce) {
    self.outcome = outcome
    self.delay = delay
    self.pace = pace
  }
}

/// A response of a route.
public struct ScriptedResponse: Sendable, Hashable {
  /// The status, of three digits. Adding a route with another status is a programming error.
  public var status: Int
  /// Header fields in addition to those that the body implies: type, length and encoding.
  public var headers: [Header]
  /// The body. It is not sent if the status does not allow one.
  public var body: ScriptedBody
  /// How the body's end differs from the head.
  public var ending: Ending
  /// Whether the body is sent in chunks, without a length.
  public var isChunked: Bool

  /// A header field of a route, not validated yet.
  public struct Header: Sendable, Hashable {
    /// The name, in any case. A field with an invalid name is not sent.
    public var name: String
    /// The value. `{name}` echoes a part of the request.
    public var value: String

    /// Creates a field without validating it.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The end of a body. Byte counts refer to the transmitted, possibly compressed bytes.
  public enum Ending: Sendable, Hashable {
    /// Complete, as announced.
    case complete
    /// The connection is closed after this number of bytes.
    case closed(afterBytes: Int)
    /// The connection is reset after this number of bytes.
    case reset(afterBytes: Int)
    /// The connection stays open without data after this number of bytes.
    case silent(afterBytes: Int)
    /// The head announces this length, in bytes, but the body has another.
    case claiming(bytes: Int)
  }

  /// Creates a response, by default complete, with no body and an announced length.
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
