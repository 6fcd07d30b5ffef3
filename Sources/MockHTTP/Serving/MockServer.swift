import HTTPTypes
public import RemoteLoading
import Staging
import Synchronization

/// A set of routes and a log of requests: the engine of the mock in memory, on a socket, and in a
/// `URLProtocol`.
///
/// It has no clock and starts no task. A transport submits a request, carries out the exchange in
/// its own time, and reports the end. The server may be used from any thread.
public final class MockServer: Sendable {
  private let state: Mutex<ServerState>
  private let latches = Mutex(Latches())
  private let observer: Observer?

  /// A function that receives a log entry each time it changes: the request arrived, was released,
  /// its answer began, or it ended.
  public typealias Observer = @Sendable (RequestLog.Entry) -> Void

  /// Creates a server without routes, which answers every request with `TransportError.unmatched`.
  ///
  /// - Parameters:
  ///   - seed: the seed for random delays and injected faults.
  ///   - logLimit: the number of latest requests to keep. The counts of routes are not limited.
  ///   - observer: called after the log changed, on the thread that submits the request or carries it
  ///     out.
  public init(
    seed: UInt64 = 0,
    logLimit: Int = 10_000,
    observer: Observer? = nil
  ) {
    self.observer = observer
    state = Mutex(ServerState(seed: seed, logLimit: logLimit))
  }

  // MARK: Routes

  /// Adds a route. It wins over earlier routes that are equally specific.
  ///
  /// - Precondition: it has an answer, and statuses have three digits.
  /// - Returns: its number. Numbers count from 1 and are never reused.
  @discardableResult
  public func add(_ route: Route) -> Int { add(route, from: nil) }

  /// Adds a route for a command of a session, which reads `openValues` itself.
  package func add(_ route: Route, from source: OpenValueSource?) -> Int {
    let scheduler = Stage.current?.jobScheduler
    let (number, isFirst) = state.withLock { state in
      let number = state.add(route)
      guard scheduler != nil, source != nil || !route.openValues.isEmpty else {
        return (number, false)
      }
      return (number, state.noteOpenValues { $0.add(route, number: number, from: source) })
    }
    if isFirst { registerOpenValues(with: scheduler) }
    return number
  }

  /// The open values of routes and injections, if the stage has a scheduler.
  package var openValues: [ServerOpenValue] { state.withLock(\.openValuesSoFar) }

  /// Gives the scheduler a function that reads the open values of code. The scheduler's run ends
  /// before another run begins.
  private func registerOpenValues(with scheduler: (any JobScheduler)?) {
    scheduler?.addOpenValues {
      self.openValues.filter { $0.source == nil }.map { ($0.text, $0.isAsked) }
    }
  }

  /// Removes a route. Its requests in flight continue and keep its number in the log.
  ///
  /// - Returns: false if there is no such route.
  @discardableResult
  public func remove(_ number: Int) -> Bool { state.withLock { $0.remove(number) } }

  /// The routes in the order of `add`, and the number of uses of each.
  public var routes: [RegisteredRoute] {
    state.withLock { state in
      state.routes.map {
        RegisteredRoute(number: $0.number, route: $0.route, useCount: $0.useCount)
      }
    }
  }

  /// Looks for a route that names the host of a request.
  ///
  /// - Parameters:
  ///   - authority: a host with an optional port.
  ///   - scheme: `http` or `https`.
  /// - Returns: whether there is one.
  package func hasRoute(to authority: String, scheme: String) -> Bool {
    let asked = Authority(authority)
    return state.withLock { state in
      state.routes.contains {
        guard let host = $0.route.pattern.host else { return false }
        return Authority(host).covers(asked, scheme: scheme)
      }
    }
  }

  // MARK: Waiting

  /// Ends every present and future wait in memory for a held answer or one that never comes, with
  /// `CancellationError`. Call it before the clock stops forever: otherwise tasks that are not
  /// cancelled would wait forever.
  public func close() {
    for latch in latches.withLock({ $0.close() }) { latch.cancel() }
  }

  /// Waits for a latch.
  ///
  /// - Throws: `CancellationError` if the task is cancelled or the server closed.
  func wait(for latch: SingleLatch) async throws {
    guard let number = latches.withLock({ $0.add(latch) }) else {
      // Otherwise, a loop that ignores errors would never let other tasks run.
      await Task.yield()
      throw CancellationError()
    }
    defer { latches.withLock { $0.remove(number) } }
    try await latch.wait()
  }

  /// Waits until cancellation.
  ///
  /// - Throws: `CancellationError` if the task is cancelled or the server closed. It never returns.
  func waitForever() async throws -> Never {
    try await wait(for: SingleLatch())
    preconditionFailure("This latch is never opened.")
  }

  // MARK: Exchanges

  /// Accepts a request: finds its route, takes the next answer, draws random values, and writes the
  /// log.
  ///
  /// Random values depend only on the order of the requests. If the calling code runs on a stage
  /// that is explored, the run's scheduler chooses these values instead.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - scope: the member or scope that makes the request, for routes with a scope.
  ///   - channel: the way the request arrived.
  ///   - time: the current time, since the server's start.
  /// - Returns: the instructions for the transport.
  public func receive(
    _ request: RemoteRequest,
    scope: String? = nil,
    channel: RequestLog.Channel = .memory,
    at time: Duration
  ) -> Exchange {
    let stage = Stage.current
    let exchange = state.withLock {
      $0.receive(request, scope: scope, channel: channel, at: time, on: stage)
    }
    tell(exchange.id)
    return exchange
  }

  /// Calls `body` once the exchange may be answered: immediately, unless it is held. Never calls it
  /// if the exchange ends before.
  public func whenReleased(_ exchange: Int, _ body: @escaping @Sendable () -> Void) {
    let mayAnswer = state.withLock { state in
      if state.holds.wait(exchange, body) { return false }
      return state.ring.update(exchange) { _ in }
    }
    if mayAnswer { body() }
  }

  /// Returns whether the answer is held now. Check this after the delay: an exchange that was not
  /// held on arrival can still be held before its first byte.
  public func isHeld(_ exchange: Int) -> Bool { state.withLock { $0.holds.isHeld(exchange) } }

  /// Reports the first byte of an answer, in the server's time. Later calls have no effect.
  public func begin(_ exchange: Int, at time: Duration) {
    state.withLock { _ = $0.ring.update(exchange) { $0.begun = $0.begun ?? time } }
    tell(exchange)
  }

  /// Reports the end of an exchange, in the server's time. Later calls have no effect.
  ///
  /// - Parameters:
  ///   - exchange: its number.
  ///   - fate: the result.
  ///   - bytesSent: the number of body bytes that were sent.
  ///   - time: the current time, since the server's start.
  public func finish(_ exchange: Int, _ fate: RequestLog.Fate, bytesSent: Int, at time: Duration) {
    state.withLock { $0.finish(exchange, fate, bytesSent: bytesSent, at: time) }
    tell(exchange)
  }

  private func tell(_ exchange: Int) {
    let scheduler = Stage.current?.jobScheduler.flatMap { $0.keepsTexts ? $0 : nil }
    guard observer != nil || scheduler != nil, let entry = state.withLock({ $0.ring[exchange] })
    else { return }
    scheduler?.noteEffect(entry.effect(repetition(of: entry)))
    observer?(entry)
  }

  /// Returns the number of a request among those with its method and path, from 1.
  private func repetition(of entry: RequestLog.Entry) -> Int {
    log.entries.count { $0.id <= entry.id && $0.method == entry.method && $0.path == entry.path }
  }

  /// Reports the beginning and the end of an answer that is sent at once.
  ///
  /// - Returns: false, without any effect, if the answer is held.
  @usableFromInline
  func complete(_ exchange: Int, bytesSent: Int, at time: Duration) -> Bool {
    let isComplete = state.withLock { state in
      if state.holds.isHeld(exchange) { return false }
      state.ring.complete(exchange, bytesSent: bytesSent, at: time)
      return true
    }
    if isComplete { tell(exchange) }
    return isComplete
  }

  // MARK: Holding answers

  /// Holds the answers to matching requests until their release, including those that already wait.
  public func hold(_ pattern: RequestPattern) { state.withLock { $0.hold(pattern) } }

  /// Holds for a command.
  package func hold(_ pattern: RequestPattern, command: String) {
    state.withLock { $0.hold(pattern, command: command) }
  }

  /// Requests that no route has matched, as text, if the stage has a scheduler; at most a few.
  package var unmatchedRequests: [String] { state.withLock(\.unmatchedRequests) }

  /// The commands whose holds are not ended and have held nothing.
  package var unmetHolds: [String] { state.withLock { $0.holds.unmetCommands } }

  /// Releases what this pattern holds, or everything, oldest first, and removes the hold.
  ///
  /// A pattern that is narrower than the hold's releases only its requests, and the hold stays.
  ///
  /// - Returns: the number of exchanges that were waiting.
  @discardableResult
  public func release(_ pattern: RequestPattern? = nil) -> Int {
    release(pattern, atMost: .max, endsHolding: true)
  }

  /// Releases the oldest waiting exchange; the hold stays.
  ///
  /// - Returns: false if none waits.
  @discardableResult
  public func releaseNext(_ pattern: RequestPattern? = nil) -> Bool {
    release(pattern, atMost: 1, endsHolding: false) == 1
  }

  /// Calls the continuations without the lock, because they may call the server at once.
  private func release(_ pattern: RequestPattern?, atMost count: Int, endsHolding: Bool) -> Int {
    let released = state.withLock {
      $0.release(pattern, atMost: count, endsHolding: endsHolding)
    }
    for (exchange, continuation) in released {
      tell(exchange)
      continuation?()
    }
    return released.count
  }

  // MARK: Faults for all requests

  /// Answers a random share of all requests with `answer`, a fault or a status like 503. `rate` is
  /// from 0 to 1; `seed` gives the injection its own random sequence. Routes do not advance, and a
  /// request without a route still fails as unmatched.
  public func inject(_ answer: ScriptedAnswer, rate: Double, seed: UInt64? = nil) {
    inject(answer, rate: rate, seed: seed, from: nil)
  }

  /// Injects an answer for a command of a session, which reads `openValues` itself.
  package func inject(
    _ answer: ScriptedAnswer,
    rate: Double,
    seed: UInt64?,
    from source: OpenValueSource?
  ) {
    let scheduler = Stage.current?.jobScheduler
    let isFirst = state.withLock { state in
      state.inject(answer, rate: rate, seed: seed)
      guard scheduler != nil else { return false }
      return state.noteOpenValues { $0.addInjection(answer, rate: rate, from: source) }
    }
    if isFirst { registerOpenValues(with: scheduler) }
  }

  /// Makes a random share of all requests fail. `rate` is from 0 to 1; `seed` gives the injection
  /// its own random sequence.
  public func inject(_ fault: Fault, rate: Double, seed: UInt64? = nil) {
    inject(.fault(fault), rate: rate, seed: seed)
  }

  /// Ends the injection. Requests in flight keep their outcome.
  public func stopInjecting() { state.withLock { $0.stopInjecting() } }

  /// Restarts the random sequence, except that of an injection with its own seed.
  public func reseed(_ seed: UInt64) { state.withLock { $0.reseed(seed) } }

  // MARK: Log

  /// A copy of the log, which later requests do not change.
  public var log: RequestLog { state.withLock { $0.ring.log } }
}

/// A route in a server.
public struct RegisteredRoute: Sendable {
  /// The number that `remove` and the log use, counted from 1.
  public let number: Int
  /// The route as it was added.
  public let route: Route
  /// The number of requests it answered, without those that an injection answered.
  public let useCount: Int
}

extension RequestLog.Entry {
  /// Returns what a step does that changes the entry, for a report.
  fileprivate func effect(_ repetition: Int) -> StepEffect {
    let owner = "\(method.rawValue) \(path)" + (repetition > 1 ? " #\(repetition)" : "")
    let text =
      switch fate {
      case .inFlight:
        begun == nil ? "the request \(owner)" : "the first byte of the answer to \(owner)"
      case .held: "the hold of \(owner)"
      case .answered: "the answer to \(owner)"
      case .failed, .unmatched: "the failure of \(owner)"
      case .cancelled: "the cancellation of \(owner)"
      }
    return StepEffect(text, row: "→ \(text)", owner: owner)
  }
}
