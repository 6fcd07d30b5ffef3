public import RemoteLoading
import Staging
import Synchronization

/// A set of routes and what was asked of them: the one engine behind the mock in memory, on a socket and
/// behind a `URLProtocol`.
///
/// It has no clock and starts no task. A transport hands a request in, carries the exchange out in its own
/// time, and says how it ended. Any thread may call it.
public final class MockServer: Sendable {
  private let state: Mutex<ServerState>
  private let latches = Mutex(Latches())
  private let observer: Observer?

  /// Takes a request of the log, each time that something becomes of it: it came in, was released, began to
  /// be answered, is over.
  public typealias Observer = @Sendable (RequestLog.Entry) -> Void

  /// A server without routes, which answers every request with `TransportError.unmatched`.
  ///
  /// - Parameters:
  ///   - seed: of everything that is drawn by lot: delays, injected faults.
  ///   - logLimit: how many of the latest requests are kept; the counts of routes go on.
  ///   - observer: called by whoever hands in a request or carries it out, on their thread, after
  ///     the log was written.
  public init(
    seed: UInt64 = 0,
    logLimit: Int = 10_000,
    observer: Observer? = nil
  ) {
    self.observer = observer
    state = Mutex(ServerState(seed: seed, logLimit: logLimit))
  }

  // MARK: Routes

  /// Adds a route, which wins over earlier ones that are as specific.
  ///
  /// - Precondition: it has an answer, and statuses have three digits.
  /// - Returns: its number; numbers count from 1 and are never used again.
  @discardableResult
  public func add(_ route: Route) -> Int { add(route, from: nil) }

  /// Adds a route for a command of a session, which reads `openValues` itself.
  package func add(_ route: Route, from source: OpenValueSource?) -> Int {
    let scheduler = Stage.current?.jobScheduler
    let (number, isFirst) = state.withLock { state in
      let number = state.add(route)
      guard scheduler != nil, !route.openValues.isEmpty else { return (number, false) }
      return (number, state.noteOpenValues { $0.add(route, number: number, from: source) })
    }
    if isFirst { tellOpenValues(to: scheduler) }
    return number
  }

  /// The open values of routes and injections, if a scheduler chose on the stage.
  package var openValues: [ServerOpenValue] { state.withLock(\.openValuesSoFar) }

  /// Tells the scheduler how to read the open values of code. Its run ends before another run begins.
  private func tellOpenValues(to scheduler: (any JobScheduler)?) {
    scheduler?.addOpenValues {
      self.openValues.filter { $0.source == nil }.map { ($0.text, $0.isAsked) }
    }
  }

  /// Takes a route out. Requests that it has answered go on, and keep its number in the log.
  ///
  /// - Returns: false where there is no such route.
  @discardableResult
  public func remove(_ number: Int) -> Bool { state.withLock { $0.remove(number) } }

  /// The routes in the order in which they were added, and how often each was used.
  public var routes: [RegisteredRoute] {
    state.withLock { state in
      state.routes.map {
        RegisteredRoute(number: $0.number, route: $0.route, useCount: $0.useCount)
      }
    }
  }

  // MARK: Waiting

  /// Ends what waits in memory for an answer that is held back or never comes, and whatever would wait for one later,
  /// with `CancellationError`. For somebody who stops time: tasks that nobody cancels would be left for good.
  public func close() {
    for latch in latches.withLock({ $0.close() }) { latch.cancel() }
  }

  /// - Throws: `CancellationError` when the task is cancelled, or the server closed.
  func wait(for latch: Latch) async throws {
    guard let number = latches.withLock({ $0.add(latch) }) else {
      // Or a loop that is deaf to errors would never come back.
      await Task.yield()
      throw CancellationError()
    }
    defer { latches.withLock { $0.remove(number) } }
    try await latch.wait()
  }

  /// - Throws: `CancellationError` when the task is cancelled, or the server closed: there is no other end.
  func waitForever() async throws -> Never {
    try await wait(for: Latch())
    preconditionFailure("Nobody opens a latch that is waited for without end.")
  }

  // MARK: Exchanges

  /// Takes a request in: finds its route, takes the answer whose turn it is, draws what is left to chance,
  /// and writes the log.
  ///
  /// What is drawn depends on the order of the requests, on nothing else. Under exploration, where the calling code
  /// runs on a stage whose order is explored, nothing is drawn: each run decides it.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - scope: who asks, for routes that are there only for them.
  ///   - channel: which way it came.
  ///   - time: now, since the server's beginning.
  /// - Returns: what its transport has to do.
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

  /// Calls `body` as soon as the exchange may be answered: at once, unless it is held. At most once;
  /// never when the exchange finishes before.
  public func whenReleased(_ exchange: Int, _ body: @escaping @Sendable () -> Void) {
    let continues = state.withLock { state in
      if state.holds.wait(exchange, body) { return false }
      return state.ring.update(exchange) { _ in }
    }
    if continues { body() }
  }

  /// Whether the answer is held back now: also an exchange that was taken in freely may be, until its
  /// first byte goes out. To be asked when the delay is over.
  public func isHeld(_ exchange: Int) -> Bool { state.withLock { $0.holds.isHeld(exchange) } }

  /// Says that the first byte of an answer goes out, in the server's time. Only the first word
  /// counts.
  public func begin(_ exchange: Int, at time: Duration) {
    state.withLock { _ = $0.ring.update(exchange) { $0.begun = $0.begun ?? time } }
    tell(exchange)
  }

  /// Says how an exchange ended, in the server's time. Only the first word about it counts.
  ///
  /// - Parameters:
  ///   - exchange: its number.
  ///   - fate: what became of it.
  ///   - bytesSent: how much of the body went out.
  ///   - time: now, since the server's beginning.
  public func finish(_ exchange: Int, _ fate: RequestLog.Fate, bytesSent: Int, at time: Duration) {
    state.withLock { $0.finish(exchange, fate, bytesSent: bytesSent, at: time) }
    tell(exchange)
  }

  private func tell(_ exchange: Int) {
    guard let observer, let entry = state.withLock({ $0.ring[exchange] }) else { return }
    observer(entry)
  }

  /// Both in one for an answer that goes out whole.
  ///
  /// - Returns: false, and nothing is done, where the answer is held.
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

  // MARK: Holding answers back

  /// Keeps the answers to such requests back until they are released, those already waiting included.
  public func hold(_ pattern: RequestPattern) { state.withLock { $0.hold(pattern) } }

  /// Holds for a command.
  package func hold(_ pattern: RequestPattern, command: String) {
    state.withLock { $0.hold(pattern, command: command) }
  }

  /// The commands whose holds are not ended and have held nothing.
  package var unmetHolds: [String] { state.withLock { $0.holds.unmetCommands } }

  /// Lets go of what is held by this pattern, or by all, oldest first, and holds no more.
  ///
  /// A pattern that asks for less than the hold does lets only such requests go, and the hold goes on.
  ///
  /// - Returns: how many exchanges were waiting.
  @discardableResult
  public func release(_ pattern: RequestPattern? = nil) -> Int {
    release(pattern, atMost: .max, endsHolding: true)
  }

  /// Lets the oldest exchange go that waits, and goes on holding.
  ///
  /// - Returns: false where none waits.
  @discardableResult
  public func releaseNext(_ pattern: RequestPattern? = nil) -> Bool {
    release(pattern, atMost: 1, endsHolding: false) == 1
  }

  /// Calls what waits without the lock: it may ask for the next thing at once.
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

  // MARK: Faults over all requests

  /// Answers about `rate` of all requests by `answer`, from 0 to 1, drawn by a seed of its own if given:
  /// a fault, or a status like 503. It takes no answer from the route, and hides no request without one.
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
    if isFirst { tellOpenValues(to: scheduler) }
  }

  /// Makes about `rate` of all requests fail, from 0 to 1, drawn by a seed of its own if given.
  public func inject(_ fault: Fault, rate: Double, seed: UInt64? = nil) {
    inject(.fault(fault), rate: rate, seed: seed)
  }

  /// Lets every request have its route's answer again. Those under way keep what was drawn for
  /// them.
  public func stopInjecting() { state.withLock { $0.stopInjecting() } }

  /// Begins the sequence of chance anew, but for that of an injection with a seed of its own.
  public func reseed(_ seed: UInt64) { state.withLock { $0.reseed(seed) } }

  // MARK: Log

  /// What was asked so far: a copy, which later requests do not change.
  public var log: RequestLog { state.withLock { $0.ring.log } }
}

/// A route in a server.
public struct RegisteredRoute: Sendable {
  /// By which `remove` and the log call it. Counts from 1.
  public let number: Int
  /// As it was added.
  public let route: Route
  /// How many requests it has answered; those that an injection answered in its place do not count.
  public let useCount: Int
}
