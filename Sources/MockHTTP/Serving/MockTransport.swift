public import RemoteLoading

/// The mock in memory: requests go straight to a `MockServer`, and its delays pass on a clock; on a stage's
/// clock, in virtual time.
public struct MockTransport<C: Clock>: HTTPTransport where C.Duration == Duration {
  public let server: MockServer
  public let clock: C
  /// Who asks, for routes that are there only for them.
  public let scope: String?
  /// When the server's time is zero.
  private let beginning: C.Instant

  public init(server: MockServer, clock: C, beginning: C.Instant, scope: String? = nil) {
    self.server = server
    self.clock = clock
    self.beginning = beginning
    self.scope = scope
  }

  public func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse { preconditionFailure("to come") }
}
