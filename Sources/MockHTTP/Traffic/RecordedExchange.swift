public import RemoteLoading

/// A real request and its result, from a browser's HAR file or a recording proxy.
public struct RecordedExchange: Sendable, Hashable {
  /// The request with scheme, authority and path, as far as they are known.
  public var request: RemoteRequest
  /// The response with its body decoded, or the failure.
  public var outcome: Outcome
  /// The time from the request to the first byte of the response. Never negative.
  public var wait: Duration
  /// The time from the first byte of the response to the last. Never negative.
  public var receive: Duration

  /// The number of bytes at the end of the response's body that the recording lacks. Never negative.
  public var missingByteCount: Int

  /// The result of a request.
  public enum Outcome: Sendable, Hashable {
    /// A response with its body.
    case response(RemoteResponse)
    /// A response whose body was not recorded, with the body's size in bytes.
    case responseWithoutBody(RemoteResponse, size: Int)
    /// No response, or an unreadable one.
    case failure(TransportError)
  }

  /// Creates a recorded exchange. Negative times and numbers become zero.
  public init(
    request: RemoteRequest,
    outcome: Outcome,
    wait: Duration = .zero,
    receive: Duration = .zero,
    missingByteCount: Int = 0
  ) {
    self.request = request
    self.outcome = outcome
    self.wait = max(.zero, wait)
    self.receive = max(.zero, receive)
    self.missingByteCount = max(0, missingByteCount)
  }
}
