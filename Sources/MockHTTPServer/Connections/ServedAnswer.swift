import HTTPTypes
import MockHTTP

/// A request in progress, with the state of its answer.
///
/// Only the loop's thread of its connection uses it.
final class ServedAnswer: @unchecked Sendable {
  /// Nil if the bytes were not a request.
  let request: RequestInfo?
  /// The method and path of a refused request, if its head could be read.
  let asked: (method: String, path: String)?
  let exchange: Int?
  /// The real time of arrival; the log may use another clock.
  let received = ContinuousClock.now
  var reply: Reply?
  var plan = BodyPlan(pieces: [], end: 0)
  var framing = ResponseHead.Framing.none
  var keepsAlive = false
  var headTime = ContinuousClock.now
  /// The timer of the next step.
  var timer: LoopTimer?
  /// The task that asks another server.
  var task: Task<Void, Never>?
  /// Whether the answer waits until the system has accepted all bytes, to reset afterwards.
  var isDraining = false
  /// Whether no more bytes are sent and the connection stays open.
  var isSilent = false
  /// The number of body bytes that the system has accepted.
  var bytesSent = 0
  private(set) var isBegun = false

  init(request: RequestInfo?, asked: (method: String, path: String)? = nil, exchange: Int?) {
    self.request = request
    self.asked = asked
    self.exchange = exchange
  }

  func begin(_ head: ResponseHead, of response: Reply.Response) {
    isBegun = true
    framing = head.framing
    keepsAlive = head.keepsAlive
    plan = BodyPlan(pieces: response.pieces, end: head.bodyEnd)
    if !response.pieces.isEmpty { headTime = .now }
  }

  func summary(_ fate: RequestLog.Fate, at time: ContinuousClock.Instant) -> ServedRequest {
    var status: Int?
    var problem: String?
    switch reply {
    case .fault(let fault): problem = fault.rawValue
    case .response(let response):
      if isBegun { status = response.head.status.code }
      problem = response.problem
    case nil: break
    }
    return ServedRequest(
      method: request?.method.rawValue ?? asked?.method,
      path: request?.path ?? asked?.path,
      member: request?.member,
      status: status,
      problem: problem,
      bytesSent: bytesSent,
      duration: received.duration(to: time),
      fate: fate
    )
  }
}
