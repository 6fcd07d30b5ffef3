#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import HTTPTypes
import MockHTTP
import RemoteLoading
import Staging

/// One `URLSessionTask` that a mock answers.
///
/// Everything happens on the stage, or on a thread that the stage waits for. Foundation's client is called
/// there too: its queue has been waited for before, so nothing of Foundation runs meanwhile.
final class MockLoad: @unchecked Sendable {
  let task: URLSessionTask
  let binding: StageBinding
  let session: URLSession?
  let foundation: any URLProtocolClient
  let held: HeldClient
  /// Nil when the task has ended.
  var proto: MockURLProtocol?

  /// The exchange under way, and the request it answers.
  var exchange: Exchange?
  private(set) var request: URLRequest
  /// Where redirects have led.
  var places: [String] = []
  var body = Data()
  /// How much of the body has come, as it was sent.
  var sentBytes = 0
  var delegateTakesData: Bool?

  var idleTimer: Scheduled?
  var timers: [Scheduled] = []
  /// What became due while the task was suspended.
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

  /// Hands the request in, on the stage.
  func begin() {
    guard let stage = binding.stage.value, !stage.isCurrent else { return beginHere() }
    stage.schedule(at: stage.now) { self.beginHere() }
  }

  private func beginHere() {
    guard task.state == .running else { return }  // Cancelled before it was ever resumed.
    guard task is URLSessionDataTask else {
      return after(.zero) { self.fail(with: .unsupportedURL) }
    }
    startResourceTimer()
    ask(request, body: task.uploadedBody)
  }

  /// Asks the server, and carries out what it says.
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
        // Held back by a hold that came later.
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
