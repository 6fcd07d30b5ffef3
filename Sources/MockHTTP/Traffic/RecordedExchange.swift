public import RemoteLoading

/// One request that was really made, and what came of it.
///
/// A browser's HAR file holds them, and a proxy that records makes them.
public struct RecordedExchange: Sendable, Hashable {
  /// With scheme, authority and path, as far as they are known.
  public var request: RemoteRequest
  /// The response with its body decoded, or why there was none.
  public var outcome: Outcome
  /// From the request to the first byte of the response. Never negative.
  public var wait: Duration
  /// From the first byte of the response to its last. Never negative.
  public var receive: Duration

  /// What came of a request.
  public enum Outcome: Sendable, Hashable {
    /// A response, with its body.
    case response(RemoteResponse)
    /// The body was not recorded, only its size in bytes.
    case responseWithoutBody(RemoteResponse, size: Int)
    /// No response, or none that could be read.
    case failure(TransportError)
  }

  /// A recorded exchange. A negative time counts as none.
  public init(
    request: RemoteRequest,
    outcome: Outcome,
    wait: Duration = .zero,
    receive: Duration = .zero
  ) {
    self.request = request
    self.outcome = outcome
    self.wait = max(.zero, wait)
    self.receive = max(.zero, receive)
  }
}
