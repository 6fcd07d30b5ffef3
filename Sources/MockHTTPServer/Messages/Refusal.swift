import HTTPTypes
import NIOCore
import NIOHTTP1

/// A request that gets an answer from the server itself, since no route should see it.
struct Refusal: Error, Hashable {
  let status: HTTPResponse.Status
  /// A whole sentence, in which nothing comes from outside.
  let reason: String

  static func badRequest(_ reason: String) -> Refusal {
    Refusal(status: .badRequest, reason: reason)
  }

  /// What cannot be read as HTTP.
  init(unreadable error: any Error, hasBareLF: Bool) {
    if error is ByteToMessageDecoderError.PayloadTooLargeError {
      self = .headTooLong
      return
    }
    switch error as? HTTPParserError {
    case .headerOverflow: self = .headTooLong
    case .invalidVersion where hasBareLF, .unknown where hasBareLF:
      self = .badRequest("A line ends in LF alone; lines of HTTP end in CR LF.")
    // The parser pauses at the first words of HTTP/2.
    case .invalidVersion, .paused: self = .otherVersion
    // The parser has no word of its own for this.
    case .unknown: self = .badRequest("The request does not say clearly where its body ends.")
    case .some(let error): self = .badRequest("This is not HTTP: \(error.debugDescription).")
    case nil: self = .badRequest("This is not HTTP.")
    }
  }

  init(status: HTTPResponse.Status, reason: String) {
    self.status = status
    self.reason = reason
  }

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
