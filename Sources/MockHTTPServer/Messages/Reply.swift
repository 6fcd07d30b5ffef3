import HTTPTypes
import MockHTTP
import RemoteLoading

/// What goes out over a connection for one request.
enum Reply {
  case response(Response)
  case fault(Fault)

  /// A response, and the way it ends.
  struct Response {
    var head: HTTPResponse
    var body: [UInt8]
    var ending = ScriptedResponse.Ending.complete
    var isChunked = false
    /// None where the body goes out at once.
    var pieces: [Exchange.Piece] = []
    /// What becomes of the request when all of it has gone out.
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
          fate: delivery.course.conclusion == .complete ? .answered : .failed
        )
      )
    case .fault(let fault): self = .fault(fault)
    case .failure(let error): self = Self.explanation(of: error)
    }
  }

  init(_ refusal: Refusal) {
    self = Self.text(refusal.status, refusal.reason, fate: .failed)
  }

  /// The response of another server, passed on.
  init(_ response: RemoteResponse) {
    self = .response(Response(head: response.head, body: response.body))
  }

  /// No answer of another server.
  init(upstream error: TransportError) {
    let status = error == .timedOut ? HTTPResponse.Status.gatewayTimeout : .badGateway
    self = Self.text(status, "The other server gave no answer: \(error.word).", fate: .failed)
  }

  /// What is answered where no route does.
  private static func explanation(of error: TransportError) -> Reply {
    guard case .unmatched(let request, let nearest) = error else {
      return text(.internalServerError, "No answer: \(error.word).", fate: .failed)
    }
    let text = "No route answers \(request)." + (nearest.map { "\nnearest: \($0)" } ?? "")
    return self.text(.notFound, text, fate: .unmatched)
  }

  private static func text(
    _ status: HTTPResponse.Status,
    _ text: String,
    fate: RequestLog.Fate
  ) -> Reply {
    var head = HTTPResponse(status: status)
    head.headerFields[.contentType] = "text/plain; charset=utf-8"
    if fate == .unmatched { head.headerFields[.rehearseUnmatched] = "true" }
    return .response(Response(head: head, body: Array((text + "\n").utf8), fate: fate))
  }
}

extension TransportError {
  /// What it is, in a word or a few.
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
  /// Marks an answer that no route gave.
  static let rehearseUnmatched = named("Rehearse-Unmatched")

  private static func named(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a field's name.") }
    return name
  }
}
