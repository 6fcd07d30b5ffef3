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
  private let foundation: any URLProtocolClient
  private let held: HeldClient
  /// Nil when the task has ended.
  private(set) var proto: MockURLProtocol?

  /// The exchange under way, and the request it answers.
  private(set) var exchange: Exchange?
  private(set) var request: URLRequest
  /// Where redirects have led.
  var places: [String] = []
  private var body = Data()
  private var delegateTakesData: Bool?

  var idleTimer: Scheduled?
  private var timers: [Scheduled] = []
  /// What became due while the task was suspended.
  private var parked: [() -> Void] = []

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
    guard exchange.isHeld else { return after(exchange.delay) { self.carryOut(exchange) } }
    binding.server.whenReleased(exchange.id) {
      stage.schedule(at: stage.now) { self.after(exchange.delay) { self.carryOut(exchange) } }
    }
  }

  private func carryOut(_ exchange: Exchange) {
    switch exchange.outcome {
    case .fault(.never): break
    case .fault(let fault): fail(with: TransportError(fault))
    case .failure(let error): fail(with: error, fate: .unmatched)
    case .response(let delivery): respond(delivery)
    }
  }

  // MARK: Answering

  private func respond(_ delivery: Exchange.Delivery) {
    guard let exchange, let stage = binding.stage.value else { return }
    binding.server.begin(exchange.id, at: stage.now.elapsed)
    keepCookies(of: delivery.head)
    let plan = DeliveryPlan(delivery, method: request.httpMethod)
    if let next = request.redirected(by: delivery.head) {
      follow(next, from: plan)
    } else {
      deliver(plan)
    }
  }

  func deliver(_ plan: DeliveryPlan) {
    restartIdleTimer()
    tell { proto in
      guard let response = self.response(plan.head) else { return }
      self.foundation.urlProtocol(proto, didReceive: response, cacheStoragePolicy: .notAllowed)
    }
    deliver(plan, piece: 0, after: .zero)
  }

  private func deliver(_ plan: DeliveryPlan, piece index: Int, after time: Duration) {
    guard index < plan.pieces.count else { return end(plan.ending) }
    let piece = plan.pieces[index]
    after(piece.time - time) {
      self.restartIdleTimer()
      self.body += piece.bytes
      self.tell { self.tellData(piece.bytes, to: $0) }
      self.deliver(plan, piece: index + 1, after: piece.time)
    }
  }

  /// A delegate gets each piece. A completion handler gets what Foundation was told last: the whole, at the
  /// end.
  private func tellData(_ bytes: Data, to proto: MockURLProtocol) {
    guard delegateTakesData != false else { return }
    guard let queue = session?.delegateQueue else {
      delegateTakesData = false
      return
    }
    delegateTakesData = queue.takesOperations {
      foundation.urlProtocol(proto, didLoad: bytes)
    }
  }

  private func end(_ ending: DeliveryPlan.Ending) {
    switch ending {
    case .silence: break
    case .failure(let error): fail(with: error)
    case .complete:
      conclude(.answered) { proto in
        if self.delegateTakesData != true, !self.body.isEmpty {
          self.foundation.urlProtocol(proto, didLoad: self.body)
        }
        self.foundation.urlProtocolDidFinishLoading(proto)
      }
    }
  }

  func fail(with error: TransportError, fate: RequestLog.Fate = .failed) {
    conclude(fate) { proto in
      let error = URLError(error, url: self.request.url)
      self.foundation.urlProtocol(proto, didFailWithError: error)
    }
  }

  private func response(_ head: HTTPResponse) -> HTTPURLResponse? {
    guard let url = request.url else { return nil }
    var head = head
    // With it, Foundation on Linux asks for credentials, and never ends the task if nobody has any.
    if head.status.code == 401 { head.headerFields[.wwwAuthenticate] = nil }
    return HTTPURLResponse(
      url: url,
      statusCode: head.status.code,
      httpVersion: "HTTP/1.1",
      headerFields: head.fieldsByName
    )
  }

  // MARK: Following the task

  /// Does what follows from its having been cancelled or resumed.
  func followTask() {
    switch task.state {
    case .canceling:
      task.waitForWork()
      if let error = held.takeFailure() { cancel(error) }
    case .running:
      let steps = parked
      parked = []
      for step in steps { step() }
    case .suspended, .completed: break
    @unknown default: break
    }
  }

  private func cancel(_ error: any Error) {
    finishExchange(.cancelled)
    leave { foundation.urlProtocol($0, didFailWithError: error) }
  }

  /// Ends exchange and task, unless that is cancelled: then Foundation has already heard of it.
  private func conclude(_ fate: RequestLog.Fate, _ body: @escaping (MockURLProtocol) -> Void) {
    whenRunning {
      self.finishExchange(fate)
      self.task.waitForWork()
      self.leave(body)
    }
  }

  func finishExchange(_ fate: RequestLog.Fate) {
    guard let exchange, let stage = binding.stage.value else { return }
    let count = body.count
    binding.server.finish(exchange.id, fate, bytesSent: count, at: stage.now.elapsed)
    self.exchange = nil
  }

  private func leave(_ lastWords: (MockURLProtocol) -> Void) {
    guard let proto else { return }
    self.proto = nil
    binding.remove(self)
    idleTimer?.cancel()
    for timer in timers { timer.cancel() }
    timers = []
    parked = []
    lastWords(proto)
    waitForFoundation()
  }

  /// Tells Foundation something, and waits until it has told others.
  private func tell(_ body: @escaping (MockURLProtocol) -> Void) {
    whenRunning {
      guard let proto = self.proto else { return }
      self.task.waitForWork()
      body(proto)
      self.waitForFoundation()
    }
  }

  private func whenRunning(_ body: @escaping () -> Void) {
    guard proto != nil else { return }
    switch task.state {
    case .running: body()
    case .suspended: parked.append(body)
    case .canceling, .completed: break
    @unknown default: break
    }
  }

  private func waitForFoundation() {
    session?.delegateQueue.waitForOperations()
    task.waitForWork()
  }

  // MARK: Time

  func after(_ duration: Duration, _ body: @escaping @Sendable () -> Void) {
    guard proto != nil, let stage = binding.stage.value else { return }
    timers.removeAll { $0.instant < stage.now }
    timers.append(stage.schedule(at: stage.now.advanced(by: duration)) { body() })
  }
}

extension TransportError {
  init(_ fault: Fault) {
    self =
      switch fault {
      case .refused: .refused
      case .reset: .reset
      case .empty: .empty
      case .garbage: .malformed
      case .never: .timedOut
      case .tls: .insecure
      }
  }
}
#endif
