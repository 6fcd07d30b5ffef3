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
  init(unreadable error: any Error) {
    if error is ByteToMessageDecoderError.PayloadTooLargeError {
      self = .headTooLong
      return
    }
    switch error as? HTTPParserError {
    case .headerOverflow: self = .headTooLong
    case .invalidVersion:
      self.init(
        status: .httpVersionNotSupported,
        reason: "Only HTTP/1.0 and HTTP/1.1 are spoken here."
      )
    case .some(let error):
      self.init(status: .badRequest, reason: "This is not HTTP: \(error.debugDescription).")
    case nil: self.init(status: .badRequest, reason: "This is not HTTP.")
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
      + "ask for localhost, or allow the name (rehearse serve --host NAME)."
  )
}
