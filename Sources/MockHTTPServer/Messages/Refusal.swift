import HTTPTypes

/// A request that gets an answer from the server itself, since no route should see it.
struct Refusal: Error, Hashable {
  let status: HTTPResponse.Status
  /// A whole sentence, in which nothing comes from outside.
  let reason: String

  static func badRequest(_ reason: String) -> Refusal {
    Refusal(status: .badRequest, reason: reason)
  }

  static let bareLF = badRequest("A line ends in LF alone; lines of HTTP end in CR LF.")
  static let unclearEnd = badRequest("The request does not say clearly where its body ends.")

  /// What cannot be read as HTTP, in a few words.
  static func notHTTP(_ words: String) -> Refusal { badRequest("This is not HTTP: \(words).") }

  static let headTooLong = Refusal(
    status: .requestHeaderFieldsTooLarge,
    reason: "The request's header is too long."
  )
  static let otherVersion = Refusal(
    status: .httpVersionNotSupported,
    reason: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
  )
  static let bodyTooLong = Refusal(
    status: .contentTooLarge,
    reason: "The request's body is too long."
  )
  static let busy = Refusal(
    status: .serviceUnavailable,
    reason: "The bodies of all requests together are too long; try again."
  )
  static let tooSlow = Refusal(
    status: .requestTimeout,
    reason: "The request did not come to its end."
  )
  static let strangeHost = Refusal(
    status: .misdirectedRequest,
    reason: "This server is not known by the host's name in the request; "
      + "ask for localhost, or allow the name (serve --host NAME)."
  )
}
