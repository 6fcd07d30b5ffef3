#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import MockHTTP
import RemoteLoading
import Staging

/// The load of one `URLSessionTask` that a mock server answers.
///
/// Everything happens on the stage, or on a thread that the stage waits for. Foundation's client is also called there,
/// after waiting for its queue, so no other code of Foundation runs at the same time.
final class MockLoad: @unchecked Sendable {
  let task: URLSessionTask
  let binding: StageBinding
  let session: URLSession?
  let foundation: any URLProtocolClient
  let held: HeldClient
  /// Nil after the task has ended.
  var proto: MockURLProtocol?

  /// The current exchange and its request.
  var exchange: Exchange?
  private(set) var request: URLRequest
  /// The targets of the redirects so far.
  var places: [String] = []
  var body = Data()
  /// The number of body bytes that have arrived, before decoding.
  var sentBytes = 0
  var delegateTakesData: Bool?

  var idleTimer: Scheduled?
  var timers: [Scheduled] = []
  /// Actions that became due while the task was suspended.
  var parked: [() -> Void] = []

  init(
    _ proto: MockURLProtocol,
    of task: URLSessionTask,
    client: any URLProtocolClient,
    held: HeldClient,
    binding: StageBinding
  ) {
    self.proto = proto
    self.task = task
    self.binding = binding
    self.held = held
    foundation = client
    session = task.session
    request = proto.request
    binding.add(self)
  }

  // MARK: Asking

  /// Starts the request, on the stage.
  func begin() {
    guard let stage = binding.stage.value, !stage.isCurrent else { return beginHere() }
    stage.schedule(at: stage.now) { self.beginHere() }
  }

  private func beginHere() {
    guard task.state == .running else { return }  // Cancelled before it was resumed.
    guard task is URLSessionDataTask else {
      return after(.zero) { self.fail(with: .unsupportedURL) }
    }
    startResourceTimer()
    ask(request, body: task.uploadedBody)
  }

  /// Sends a request to the server, and carries out its answer.
  func ask(_ request: URLRequest, body: Data?) {
    guard let stage = binding.stage.value else { return }
    self.request = request
    restartIdleTimer()
    let exchange = binding.server.receive(
      RemoteRequest(request, body: [UInt8](body ?? Data())),
      channel: .urlSession,
      at: stage.now.elapsed
    )
    self.exchange = exchange
    whenFree(exchange, isHeld: exchange.isHeld) {
      self.after(exchange.delay) {
        // A hold that was added later keeps the answer back.
        let isHeld = self.binding.server.isHeld(exchange.id)
        self.whenFree(exchange, isHeld: isHeld) { self.carryOut(exchange) }
      }
    }
  }

  private func whenFree(
    _ exchange: Exchange,
    isHeld: Bool,
    _ body: @escaping @Sendable () -> Void
  ) {
    guard isHeld, let stage = binding.stage.value else { return body() }
    binding.server.whenReleased(exchange.id) { stage.schedule(at: stage.now) { body() } }
  }

  private func carryOut(_ exchange: Exchange) {
    switch exchange.outcome {
    case .fault(let fault): if let error = fault.error { fail(with: error) }
    case .failure(let error): fail(with: error, fate: .unmatched)
    case .response(let delivery): respond(delivery)
    }
  }

  // MARK: Time

  func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
    guard proto != nil, let stage = binding.stage.value else { return }
    timers.removeAll { $0.instant < stage.now }
    timers.append(stage.schedule(at: stage.now.advanced(by: duration)) { body() })
  }
}
#endif
