import HTTPTypes

/// A request that the server itself answers, because no route should see it.
struct Refusal: Error, Hashable {
  let status: HTTPResponse.Status
  /// A sentence without any text from outside.
  let reason: String

  static func badRequest(_ reason: String) -> Refusal {
    Refusal(status: .badRequest, reason: reason)
  }

  static let bareLF = badRequest("A line ends in LF alone; HTTP lines end in CR LF.")
  static let unclearEnd = badRequest("The end of the request's body is ambiguous.")

  /// Returns the refusal of bytes that are not HTTP, with a few words about them.
  static func notHTTP(_ words: String) -> Refusal { badRequest("This is not HTTP: \(words).") }

  static let headTooLong = Refusal(
    status: .requestHeaderFieldsTooLarge,
    reason: "The request's header is too long."
  )
  static let otherVersion = Refusal(
    status: .httpVersionNotSupported,
    reason: "Only HTTP/1.0 and HTTP/1.1 are supported."
  )
  static let bodyTooLong = Refusal(
    status: .contentTooLarge,
    reason: "The request's body is too long."
  )
  static let busy = Refusal(
    status: .serviceUnavailable,
    reason: "All request bodies together are too long; try again."
  )
  static let tooSlow = Refusal(
    status: .requestTimeout,
    reason: "The request did not end in time."
  )
  static let strangeHost = Refusal(
    status: .misdirectedRequest,
    reason: "This server does not accept the host name in the request; "
      + "use localhost, or allow the name (serve --host NAME)."
  )
}
