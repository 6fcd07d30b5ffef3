import HTTPTypes
import LibC
import RehearsalBase
public import RemoteLoading
import Synchronization

/// Sends requests to real servers through a helper program, so that this program neither opens sockets to other
/// machines nor links a network library.
///
/// The helper starts with the first request and serves all others. If it has ended, the next request starts a new
/// one. It refuses hosts that are not allowed, except this machine. It does not follow redirects: a client follows
/// them with new requests, which are checked again. It does not use proxies from the environment.
///
/// An answer that ends within its head crashes the helper, because Foundation on Linux traps. That request fails
/// with `TransportError.malformed`. Other requests in flight are sent once more, each through its own helper. If that
/// is not safe, for example for POST, they fail with `TransportError.other`, or with `.truncated` if the answer had
/// begun.
///
/// On a stage, call `send` inside of `Stage.outside`.
public final class FetchClient: HTTPTransport {
  let program: String?
  private let limits: TransferLimits
  private let state = Mutex(State())

  private struct State {
    var allowedHosts: [String] = []
    var helper: HelperProcess?
    var helperNumber = 0
    var lastID: UInt32 = 0
    var flights: [UInt32: Flight] = [:]
  }

  private struct Flight {
    let helperNumber: Int
    let answer: AsyncThrowingStream<TransferEvent, any Error>.Continuation
    var hasHead = false
  }

  /// The name of the helper program.
  public static let helperName = "rehearse-fetch"

  /// Creates a client that allows only this machine. The helper starts later.
  ///
  /// - Parameters:
  ///   - helper: the path of the helper; nil for the one next to the running program.
  ///   - limits: a transfer that exceeds them fails with `TransportError.other`.
  public init(helper: String? = nil, limits: TransferLimits = TransferLimits()) {
    program = helper ?? Self.helperBesideThisProgram
    self.limits = limits
  }

  // MARK: Hosts

  /// The allowed hosts in addition to this machine, in the order in which they were allowed.
  public var allowedHosts: [String] { state.withLock { $0.allowedHosts } }

  /// Allows a host by name or address, without a port. Subdomains are not included.
  public func allow(_ host: String) {
    let host = host.lowercased()
    state.withLock { state in
      if !state.allowedHosts.contains(host) { state.allowedHosts.append(host) }
    }
  }

  /// Removes the permission. Requests in flight continue.
  public func disallow(_ host: String) {
    state.withLock { $0.allowedHosts.removeAll { $0 == host.lowercased() } }
  }

  // MARK: Requests

  /// Sends one request through the helper, and waits for the whole answer. Sends nothing if the task is already
  /// cancelled.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the answer, even if its status is an error.
  /// - Throws: `TransportError`: `.forbidden` if the host is not allowed, `.other` if the helper is missing
  ///   or has stopped, or a limit is exceeded; `CancellationError` if the task is cancelled, which also
  ///   closes the connection.
  public func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try await send(request, idleTime: limits.idleTime, progress: progress)
  }

  /// Sends a request like the other method, and fails with `TransportError.timedOut` if nothing arrives for
  /// `idleTime`, or for the idle time of the limits if that is shorter.
  ///
  /// - Throws: the same errors.
  public func send(
    _ request: RemoteRequest,
    idleTime: Duration,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try Task.checkCancellation()
    var limits = limits
    limits.idleTime = min(idleTime, limits.idleTime)
    let request = FetchRequest(request, allowedHosts: allowedHosts, limits: limits)
    if let host = request.forbiddenHost { throw TransportError.forbidden(host: host) }
    do {
      return try await attempt(request, progress: progress)
    } catch let suspicion as Suspicion {
      guard request.isRepeatable else { throw Self.helperFailure(suspicion.ending(request)) }
      let alone = FetchClient(helper: program, limits: limits)
      defer { withExtendedLifetime(alone) {} }
      return try await alone.attempt(request, progress: progress)
    }
  }

  private func attempt(
    _ request: FetchRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try await begin(request).response(progress: progress)
  }

  private func begin(_ request: FetchRequest) -> AsyncThrowingStream<TransferEvent, any Error> {
    let (events, answer) = AsyncThrowingStream.makeStream(of: TransferEvent.self)
    do {
      let (helper, id) = try state.withLock { try Self.register(answer, in: &$0, by: self) }
      answer.onTermination = { [weak self] ending in
        guard case .cancelled = ending else { return }
        self?.forget(id)
        // On another thread, because this one holds a lock of its task and sending may block.
        SystemThread { _ = helper.send(.cancel(id)) }.detach()
      }
      if !helper.send(.request(id, request)) { end(id, Suspicion(words: "it has ended")) }
    } catch {
      answer.finish(throwing: error)
    }
    return events
  }

  private static func register(
    _ answer: AsyncThrowingStream<TransferEvent, any Error>.Continuation,
    in state: inout State,
    by client: FetchClient
  ) throws -> (HelperProcess, UInt32) {
    let helper = try state.helper ?? client.start(&state)
    state.lastID &+= 1
    state.flights[state.lastID] = Flight(helperNumber: state.helperNumber, answer: answer)
    return (helper, state.lastID)
  }

  private func forget(_ id: UInt32) {
    state.withLock { _ = $0.flights.removeValue(forKey: id) }
  }

  // MARK: The helper

  /// The process of the helper; nil while there is none.
  var helperProcess: pid_t? { state.withLock { $0.helper?.process } }

  private func start(_ state: inout State) throws -> HelperProcess {
    if let (problem, hint) = missingHelper { throw TransportError.other("\(problem); \(hint)") }
    guard let program else { preconditionFailure("A helper that is not missing has a path.") }
    state.helperNumber += 1
    let number = state.helperNumber
    guard
      let helper = HelperProcess(
        program: program,
        receive: { [weak self] in self?.receive($0, from: number) }
      )
    else { throw TransportError.other("\(program) could not be started") }
    state.helper = helper
    return helper
  }

  private func receive(_ event: HelperProcess.Event, from number: Int) {
    switch event {
    case .frame(let frame): receive(frame)
    case .end(let end): lose(number, end)
    }
  }

  private func receive(_ frame: FetchFrame) {
    switch frame {
    case .event(let id, let event):
      let flight = state.withLock { state in
        if case .head = event { state.flights[id]?.hasHead = true }
        return state.flights[id]
      }
      flight?.answer.yield(event)
    case .end(let id): end(id)
    case .failure(let id, let error): end(id, error)
    case .request, .cancel: break
    }
  }

  private func end(_ id: UInt32, _ error: (any Error)? = nil) {
    let flight = state.withLock { $0.flights.removeValue(forKey: id) }
    flight?.answer.finish(throwing: error)
  }

  private func lose(_ number: Int, _ end: HelperProcess.End) {
    let (helper, lost) = state.withLock { state in
      let lost = state.flights.filter { $0.value.helperNumber == number }
      for id in lost.keys { state.flights.removeValue(forKey: id) }
      guard state.helperNumber == number else { return (HelperProcess?.none, lost) }
      defer { state.helper = nil }
      return (state.helper, lost)
    }
    withExtendedLifetime(helper) {}
    let suspectCount = lost.values.count { !$0.hasHead }
    for flight in lost.values {
      flight.answer.finish(throwing: Self.failure(of: flight, suspectCount: suspectCount, end))
    }
  }

  /// Returns the error for a request whose helper has ended. `suspectCount` is the number of requests without a head, one
  /// of which crashed the helper.
  private static func failure(
    of flight: Flight,
    suspectCount: Int,
    _ end: HelperProcess.End
  ) -> any Error {
    guard end.isTrap else { return helperFailure(end.words) }
    if flight.hasHead { return TransportError.truncated }
    if suspectCount == 1 { return TransportError.malformed }
    return suspectCount > mostSuspects ? helperFailure(end.words) : Suspicion(words: end.words)
  }

  /// Maximum number of helpers that are started to find the request that crashes them.
  private static let mostSuspects = 16

  private static func helperFailure(_ how: String) -> TransportError {
    .other("\(helperName), which reaches real servers, stopped: \(how)")
  }
}
