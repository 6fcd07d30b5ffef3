import HTTPTypes
public import RemoteLoading

/// The mock in memory: requests go directly to a `MockServer`, and delays pass on a clock. On a
/// stage's clock, they pass in virtual time.
///
/// Code that every request runs is inlinable: if the clock's type is known, a load takes 5 % less
/// time.
public struct MockTransport<C: Clock>: HTTPTransport where C.Duration == Duration {
  /// The server.
  public let server: MockServer
  /// The clock for delays.
  public let clock: C
  /// The member or scope that makes the requests, for routes with a scope.
  public let scope: String?
  /// The instant at which the server's time is zero.
  @usableFromInline let beginning: C.Instant

  /// Creates a transport to a server.
  ///
  /// - Parameters:
  ///   - server: the server.
  ///   - clock: the clock for delays.
  ///   - beginning: the instant at which the server's time is zero, nil for now.
  ///   - scope: the member or scope that makes the requests.
  public init(
    server: MockServer,
    clock: C,
    beginning: C.Instant? = nil,
    scope: String? = nil
  ) {
    self.server = server
    self.clock = clock
    self.beginning = beginning ?? clock.now
    self.scope = scope
  }

  /// Sends a request to the server and waits for the answer in the clock's time. If the task is
  /// already cancelled, sends nothing.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the answer, including one with an error status.
  /// - Throws: `TransportError` for a fault, for a truncated body and if there is no route;
  ///   `CancellationError` if the task is cancelled, which ends the exchange at that instant.
  @inlinable
  public func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try Task.checkCancellation()
    let exchange = server.receive(request, scope: scope, at: time)
    guard let delivery = exchange.plainDelivery else {
      return try await carryOut(exchange, progress)
    }
    do {
      if exchange.delay > .zero { try await sleep(exchange.delay, from: clock.now) }
    } catch {
      server.finish(exchange.id, .cancelled, bytesSent: 0, at: time)
      throw error
    }
    if let response = complete(exchange.id, delivery, progress) { return response }
    return try await carryOut(exchange, delayIsOver: true, progress)
  }

  @inlinable var time: Duration { beginning.duration(to: clock.now) }

  @inlinable
  func sleep(_ duration: Duration, from start: C.Instant) async throws {
    try await clock.sleep(until: start.advanced(by: duration), tolerance: nil)
  }

  /// Returns an answer that is complete, immediate and not held. This is the fast path for most
  /// requests.
  @inlinable
  func complete(
    _ id: Int,
    _ delivery: Exchange.Delivery,
    _ progress: (TransferProgress) -> Void
  ) -> RemoteResponse? {
    let count = delivery.body.count
    guard server.complete(id, bytesSent: count, at: time) else { return nil }
    progress(delivery.progress(after: 0))
    if count > 0 { progress(delivery.progress(after: count)) }
    return RemoteResponse(delivery.head, body: delivery.body)
  }
}

extension Exchange {
  /// The response, if it is sent at once after its delay and is not held.
  @usableFromInline var plainDelivery: Delivery? {
    guard !isHeld, case .response(let delivery) = outcome, delivery.isPlain else { return nil }
    return delivery
  }
}
