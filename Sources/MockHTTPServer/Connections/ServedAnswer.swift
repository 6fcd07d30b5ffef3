import HTTPTypes
import MockHTTP

/// A request that is being answered, and how far the answer has come.
///
/// Only the loop's thread of its connection uses it.
final class ServedAnswer: @unchecked Sendable {
  /// nil where what came was no request.
  let request: RequestInfo?
  /// What was asked for, where a request was refused whose head could be read.
  let asked: (method: String, path: String)?
  let exchange: Int?
  /// In real time, whatever the log counts in.
  let received = ContinuousClock.now
  var reply: Reply?
  var plan = BodyPlan(pieces: [], end: 0)
  var framing = ResponseHead.Framing.none
  var keepsAlive = false
  var headTime = ContinuousClock.now
  /// What waits for its time.
  var timer: LoopTimer?
  /// What asks another server.
  var task: Task<Void, Never>?
  /// The answer waits until the system has taken all bytes, for a reset.
  var isDraining = false
  /// Nothing comes any more, and the connection stays open.
  var isSilent = false
  /// Of the body, taken by the system.
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
