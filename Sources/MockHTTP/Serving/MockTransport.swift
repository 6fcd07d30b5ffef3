import HTTPTypes
public import RemoteLoading

/// The mock in memory: requests go straight to a `MockServer`, and its delays pass on a clock; on a stage's
/// clock, in virtual time.
///
/// What every request takes is inlinable: with the clock known, a load costs a twentieth less.
public struct MockTransport<C: Clock>: HTTPTransport where C.Duration == Duration {
  /// Who answers.
  public let server: MockServer
  /// In whose time answers come.
  public let clock: C
  /// Who asks, for routes that are there only for them.
  public let scope: String?
  /// When the server's time is zero.
  @usableFromInline let beginning: C.Instant

  /// A way to the server in the clock's time.
  ///
  /// - Parameters:
  ///   - server: who answers.
  ///   - clock: in whose time.
  ///   - beginning: when the server's time is zero; nil for now.
  ///   - scope: who asks.
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

  /// Asks the server, and lets its answer come in the clock's time. A task that is cancelled already asks
  /// nothing.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the answer, also one that says that something failed.
  /// - Throws: `TransportError` for a fault, for a body that ends too early and where there is no route;
  ///   `CancellationError` when the task is cancelled, which ends the exchange at that instant.
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

  /// The answer at once, where it comes whole and nothing holds it. Most do, and this spares them the rest.
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
  /// What goes out whole after its delay, and is not held.
  @usableFromInline var plainDelivery: Delivery? {
    guard !isHeld, case .response(let delivery) = outcome, delivery.isPlain else { return nil }
    return delivery
  }
}
