public import RemoteLoading

/// Carries out an exchange in memory: its delay, its release, the pieces of its body, and all its possible ends.
extension MockTransport {
  /// Waits for the delay and the release, then sends the outcome.
  @usableFromInline
  func carryOut(
    _ exchange: Exchange,
    delayIsOver: Bool = false,
    _ progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    var sent = 0
    do {
      if !delayIsOver { try await waitForTurn(exchange) }
      if server.isHeld(exchange.id) { try await waitForRelease(exchange.id) }
      return try await answer(exchange, sent: &sent, progress)
    } catch let error as TransportError {
      throw error
    } catch {
      server.finish(exchange.id, .cancelled, bytesSent: sent, at: time)
      throw error
    }
  }

  private func waitForTurn(_ exchange: Exchange) async throws {
    if exchange.isHeld { try await waitForRelease(exchange.id) }
    if exchange.delay > .zero { try await sleep(exchange.delay, from: clock.now) }
  }

  private func waitForRelease(_ id: Int) async throws {
    let release = SingleLatch()
    server.whenReleased(id) { release.open() }
    try await server.wait(for: release)
  }

  private func answer(
    _ exchange: Exchange,
    sent: inout Int,
    _ progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    switch exchange.outcome {
    case .failure(let error):
      server.finish(exchange.id, .unmatched, bytesSent: 0, at: time)
      throw error
    case .fault(let fault):
      guard let error = fault.error else { try await server.waitForever() }
      server.finish(exchange.id, .failed, bytesSent: 0, at: time)
      throw error
    case .response(let delivery):
      server.begin(exchange.id, at: time)
      try await deliver(delivery, sent: &sent, progress)
      return try await conclude(exchange.id, delivery)
    }
  }

  /// Delivers the pieces of the body.
  private func deliver(
    _ delivery: Exchange.Delivery,
    sent: inout Int,
    _ progress: (TransferProgress) -> Void
  ) async throws {
    let start = clock.now
    let (limit, conclusion) = delivery.course
    if conclusion == .malformed { return }
    progress(delivery.progress(after: 0))
    for piece in delivery.pieces {
      if sent >= limit, conclusion != .complete { return }
      if piece.time > .zero { try await sleep(piece.time, from: start) }
      let end = min(piece.end, limit)
      if end > sent {
        sent = end
        progress(delivery.progress(after: sent))
      }
    }
  }

  private func conclude(
    _ id: Int,
    _ delivery: Exchange.Delivery
  ) async throws -> RemoteResponse {
    let (count, conclusion) = delivery.course
    guard let error = conclusion.error else {
      if conclusion == .silent { try await server.waitForever() }
      server.finish(id, .answered, bytesSent: count, at: time)
      let body = count == delivery.body.count ? delivery.body : Array(delivery.body[..<count])
      return RemoteResponse(delivery.head, body: body)
    }
    server.finish(id, .failed, bytesSent: count, at: time)
    throw error
  }
}

extension Fault {
  /// The error for the client, nil if the exchange has none.
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
    case .malformed: .malformed
    case .complete, .silent: nil
    }
  }
}

extension Exchange.Delivery {
  /// Returns the progress to report after `count` bytes of the body.
  @usableFromInline
  func progress(after count: Int) -> TransferProgress {
    TransferProgress(received: count, expected: announcedBytes, status: status)
  }
}
