import HTTPTypes
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

  /// Asks the server, and lets its answer come in the clock's time. A task that is cancelled already asks
  /// nothing.
  public func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try Task.checkCancellation()
    let exchange = server.receive(request, scope: scope, at: time)
    var sent = 0
    do {
      if exchange.isHeld { try await waitForRelease(exchange.id) }
      if exchange.delay > .zero { try await sleep(exchange.delay, from: clock.now) }
      if let response = completed(exchange, progress) { return response }
      if server.isHeld(exchange.id) { try await waitForRelease(exchange.id) }
      return try await carryOut(exchange, sent: &sent, progress)
    } catch let error as TransportError {
      throw error
    } catch {
      server.finish(exchange.id, .cancelled, bytesSent: sent, at: time)
      throw error
    }
  }

  private var time: Duration { beginning.duration(to: clock.now) }

  /// The answer, where it comes whole and nothing holds it: most do, and this spares them the rest.
  private func completed(
    _ exchange: Exchange,
    _ progress: (TransferProgress) -> Void
  ) -> RemoteResponse? {
    guard case .response(let delivery) = exchange.outcome, delivery.isPlain,
      server.complete(exchange.id, bytesSent: delivery.body.count, at: time)
    else { return nil }
    let expected = delivery.announcedBytes
    progress(TransferProgress(received: 0, expected: expected))
    if !delivery.body.isEmpty {
      progress(TransferProgress(received: delivery.body.count, expected: expected))
    }
    return RemoteResponse(delivery.head, body: delivery.body)
  }

  private func waitForRelease(_ id: Int) async throws {
    let release = Latch()
    server.whenReleased(id) { release.open() }
    try await release.wait()
  }

  private func sleep(_ duration: Duration, from start: C.Instant) async throws {
    try await clock.sleep(until: start.advanced(by: duration), tolerance: nil)
  }

  private func carryOut(
    _ exchange: Exchange,
    sent: inout Int,
    _ progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    switch exchange.outcome {
    case .failure(let error):
      server.finish(exchange.id, .unmatched, bytesSent: 0, at: time)
      throw error
    case .fault(let fault):
      guard let error = fault.error else { try await Latch().waitForever() }
      server.finish(exchange.id, .failed, bytesSent: 0, at: time)
      throw error
    case .response(let delivery):
      server.begin(exchange.id, at: time)
      try await deliver(delivery, sent: &sent, progress)
      return try await conclude(exchange.id, delivery)
    }
  }

  /// Lets the pieces of the body come.
  private func deliver(
    _ delivery: Exchange.Delivery,
    sent: inout Int,
    _ progress: (TransferProgress) -> Void
  ) async throws {
    let start = clock.now
    var report = TransferProgress(
      received: 0,
      expected: delivery.announcedBytes,
      status: delivery.head.status.code
    )
    let (limit, conclusion) = delivery.course
    progress(report)
    for piece in delivery.pieces {
      if sent >= limit, conclusion != .complete { return }
      if piece.time > .zero { try await sleep(piece.time, from: start) }
      let end = min(piece.end, limit)
      if end > sent {
        sent = end
        report.received = sent
        progress(report)
      }
    }
  }

  private func conclude(
    _ id: Int,
    _ delivery: Exchange.Delivery
  ) async throws -> RemoteResponse {
    let (count, conclusion) = delivery.course
    guard let error = conclusion.error else {
      if conclusion == .silent { try await Latch().waitForever() }
      server.finish(id, .answered, bytesSent: count, at: time)
      let body = count == delivery.body.count ? delivery.body : Array(delivery.body[..<count])
      return RemoteResponse(delivery.head, body: body)
    }
    server.finish(id, .failed, bytesSent: count, at: time)
    throw error
  }
}

extension Fault {
  /// What a client is told; nil where it is told nothing.
  public var error: TransportError? {
    switch self {
    case .refused: .refused
    case .reset: .reset
    case .empty: .empty
    case .garbage: .malformed
    case .tls: .insecure
    case .never: nil
    }
  }
}

extension Exchange.Delivery.Conclusion {
  fileprivate var error: TransportError? {
    switch self {
    case .truncated: .truncated
    case .reset: .reset
    case .complete, .silent: nil
    }
  }
}
