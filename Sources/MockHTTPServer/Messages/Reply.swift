import HTTPTypes
import MockHTTP
import RemoteLoading

/// The bytes that a connection sends for one request.
enum Reply {
  case response(Response)
  case fault(Fault)

  /// A response and its end.
  struct Response {
    var head: HTTPResponse
    var body: [UInt8]
    var ending = ScriptedResponse.Ending.complete
    var isChunked = false
    /// Empty if the body is sent at once.
    var pieces: [Exchange.Piece] = []
    /// Whether the head announces a malformed length.
    var isMalformed = false
    /// The problem in a few words, or nil.
    var problem: String?
    /// The fate of the request after the complete response.
    var fate = RequestLog.Fate.answered
  }

  init(_ outcome: Exchange.Outcome) {
    switch outcome {
    case .response(let delivery):
      self = .response(
        Response(
          head: delivery.head,
          body: delivery.body,
          ending: delivery.ending,
          isChunked: delivery.isChunked,
          pieces: delivery.pieces,
          isMalformed: delivery.isMalformed,
          problem: delivery.isMalformed ? "malformed Content-Length" : delivery.ending.problem,
          fate: delivery.course.conclusion == .complete ? .answered : .failed
        )
      )
    case .fault(let fault): self = .fault(fault)
    case .failure(let error): self = Self.explanation(of: error)
    }
  }

  init(_ refusal: Refusal) {
    self = Self.text(refusal.status, refusal.reason, fate: .failed, problem: refusal.reason)
  }

  /// Creates the reply that forwards another server's response, or reports its failure.
  init(_ upstream: Result<RemoteResponse, TransportError>) {
    switch upstream {
    case .success(let response):
      self = .response(Response(head: response.head, body: response.body))
    case .failure(let error):
      let status = error == .timedOut ? HTTPResponse.Status.gatewayTimeout : .badGateway
      self = Self.text(
        status,
        "The other server did not answer: \(error.word).",
        fate: .failed,
        problem: "upstream: \(error.word)"
      )
    }
  }

  /// Returns the reply if no route answers.
  private static func explanation(of error: TransportError) -> Reply {
    guard case .unmatched(let request, let nearest) = error else {
      let word = error.word
      return text(.internalServerError, "No answer: \(word).", fate: .failed, problem: word)
    }
    let text = "No route answers \(request)." + (nearest.map { "\nnearest: \($0)" } ?? "")
    return self.text(.notFound, text, fate: .unmatched, problem: "no route")
  }

  private static func text(
    _ status: HTTPResponse.Status,
    _ text: String,
    fate: RequestLog.Fate,
    problem: String
  ) -> Reply {
    var head = HTTPResponse(status: status)
    head.headerFields[.contentType] = "text/plain; charset=utf-8"
    if fate == .unmatched { head.headerFields[.rehearseUnmatched] = "true" }
    let body = Array((text + "\n").utf8)
    return .response(Response(head: head, body: body, problem: problem, fate: fate))
  }
}

extension TransportError {
  /// The error in one or a few words.
  var word: String {
    switch self {
    case .refused: "refused"
    case .reset: "reset"
    case .empty: "closed without an answer"
    case .truncated: "truncated"
    case .malformed: "malformed"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case .insecure: "no secure connection"
    case .unresolved: "no such host"
    case .offline: "offline"
    case .unsupportedURL: "unsupported URL"
    case .tooManyRedirects: "too many redirects"
    case .unmatched: "no route"
    case .forbidden: "forbidden host"
    case .other(let text): text
    }
  }
}

extension HTTPField.Name {
  /// Marks an answer that does not come from a route.
  static let rehearseUnmatched = named("Rehearse-Unmatched")

  private static func named(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("invalid field: \(text)") }
    return name
  }
}
