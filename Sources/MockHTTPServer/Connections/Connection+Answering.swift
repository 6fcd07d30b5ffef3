import HTTPTypes
import MockHTTP
import RemoteLoading

/// Determines the answer to a request on a socket, waits for its time or its release, and logs its end.
extension Connection {
  /// Determines the answer to a request, and sends it when it is due.
  func begin(_ request: ReceivedRequest) {
    switch service.source {
    case .routes(let server):
      let exchange = server.receive(
        request.remote,
        scope: request.remote.head.headerFields[.rehearseMember],
        channel: .socket,
        at: service.now()
      )
      let answer = ServedAnswer(request: RequestInfo(request.head), exchange: exchange.id)
      self.answer = answer
      answer.reply = Reply(exchange.outcome)
      if exchange.isHeld {
        whenReleased(answer, by: server) { $0.begin(answer, after: exchange.delay) }
      } else {
        begin(answer, after: exchange.delay)
      }
    case .upstream(let upstream):
      let answer = ServedAnswer(request: RequestInfo(request.head), exchange: nil)
      self.answer = answer
      ask(upstream, request.remote, for: answer)
    }
  }

  private func begin(_ answer: ServedAnswer, after delay: Duration) {
    guard delay > .zero else { return sendIfFree(answer) }
    wait(answer, until: .now + min(delay, Self.longestDelay)) { $0.sendIfFree(answer) }
  }

  /// Ten years, the longest time of a timer.
  private static let longestDelay = Duration.seconds(315_360_000)

  /// Sends an answer, unless it became held during its delay.
  private func sendIfFree(_ answer: ServedAnswer) {
    if let exchange = answer.exchange, case .routes(let server) = service.source,
      server.isHeld(exchange)
    {
      whenReleased(answer, by: server) { $0.send(answer) }
    } else {
      send(answer)
    }
  }

  private func whenReleased(
    _ answer: ServedAnswer,
    by server: MockServer,
    _ body: @escaping @Sendable (Connection) -> Void
  ) {
    guard let exchange = answer.exchange else { return }
    server.whenReleased(exchange) { self.execute(for: answer, body) }
  }

  private func ask(_ upstream: Upstream, _ request: RemoteRequest, for answer: ServedAnswer) {
    let now = service.now
    answer.task = Task {
      // Closing the connection cancels this task.
      guard let reply = await upstream.answer(request, now: now), !Task.isCancelled else { return }
      self.execute(for: answer) { $0.deliver(reply, to: answer) }
    }
  }

  /// Runs `body` on the loop's thread, unless the answer ends before.
  private func execute(
    for answer: ServedAnswer,
    _ body: @escaping @Sendable (Connection) -> Void
  ) {
    loop.execute { if self.answer === answer { body(self) } }
  }

  func deliver(_ reply: Reply, to answer: ServedAnswer) {
    answer.reply = reply
    send(answer)
  }

  /// Runs `body` at a time, unless the answer ends before.
  func wait(
    _ answer: ServedAnswer,
    until time: ContinuousClock.Instant,
    _ body: @escaping (Connection) -> Void
  ) {
    answer.timer = loop.schedule(at: time) { [weak self] in
      if let self, self.answer === answer { body(self) }
    }
  }

  /// Logs the end of an answer.
  func finish(_ answer: ServedAnswer, _ fate: RequestLog.Fate) {
    self.answer = nil
    answer.timer.map(loop.cancel)
    answer.task?.cancel()
    // A client is gone since its last byte, not since the server noticed it.
    let end = fate == .cancelled ? inputEnd : nil
    if let exchange = answer.exchange, case .routes(let server) = service.source {
      server.finish(exchange, fate, bytesSent: answer.bytesSent, at: end?.logged ?? service.now())
    }
    service.observer?(answer.summary(fate, at: end?.real ?? .now))
  }
}
