public import Foundation
public import RemoteLoading

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
  /// What an error of `URLSession` means, in the vocabulary that all transports share.
  ///
  /// Codes differ between platforms, and two of Linux's stand for two faults each, which only their texts
  /// tell apart:
  ///
  /// - `-1` (unknown): a body that ended early, or bytes that break the rules of its encoding; `.truncated` if
  ///   the text says that the transfer was closed, else `.malformed` if it names chunks or decoding.
  /// - `-1002` (unsupported URL): also an answer that is no HTTP, or has no valid status: `.malformed` where
  ///   the text speaks of HTTP. Garbage and a bad status line are not told apart.
  ///
  /// On Apple's platforms `-1005` (connection lost) stands for `.reset`, `.empty` and `.truncated`; it is taken
  /// for the first. An error that came from a mock says itself what it was.
  public init(_ error: URLError) {
    if let exact = error.userInfo[Self.userInfoKey] as? TransportError {
      self = exact
    } else if let plain = Self.plain[error.code] {
      self = plain
    } else {
      self = Self.ambiguous(error.code, text: error.text)
    }
  }

  /// Where an error of a mock keeps what it stands for.
  static let userInfoKey = "TransportError"

  private static let plain: [URLError.Code: TransportError] = [
    .cannotConnectToHost: .refused,
    .networkConnectionLost: .reset,
    .timedOut: .timedOut,
    .cancelled: .cancelled,
    .cannotFindHost: .unresolved,
    .dnsLookupFailed: .unresolved,
    .notConnectedToInternet: .offline,
    .badURL: .unsupportedURL,
    .httpTooManyRedirects: .tooManyRedirects([]),
    .cannotParseResponse: .malformed,
    .cannotDecodeRawData: .malformed,
    .cannotDecodeContentData: .malformed,
    .secureConnectionFailed: .insecure,
    .serverCertificateHasBadDate: .insecure,
    .serverCertificateUntrusted: .insecure,
    .serverCertificateHasUnknownRoot: .insecure,
    .serverCertificateNotYetValid: .insecure,
    .clientCertificateRejected: .insecure,
    .clientCertificateRequired: .insecure,
  ]

  private static func ambiguous(_ code: URLError.Code, text: String) -> TransportError {
    switch code {
    case .unsupportedURL:
      return text.contains("HTTP") ? .malformed : .unsupportedURL
    case .badServerResponse:
      return text.contains("Empty reply") ? .empty : .malformed
    default:
      if text.contains("transfer closed") { return .truncated }
      if ["chunk", "unencoding", "HTTP"].contains(where: text.contains) { return .malformed }
      if ["SSL", "TLS", "certificate"].contains(where: text.contains) { return .insecure }
      return .other(text.isEmpty ? "URLError \(code.rawValue)" : text)
    }
  }
}

extension URLError {
  /// The platform's own words; empty where it has none.
  fileprivate var text: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "" }

  /// The error by which this platform's `URLSession` reports such a failure. `TransportError` gets the exact
  /// one back out of it.
  init(_ error: TransportError, url: URL?) {
    var userInfo: [String: Any] = [
      TransportError.userInfoKey: error, NSLocalizedDescriptionKey: error.text,
    ]
    userInfo[NSURLErrorFailingURLErrorKey] = url
    self.init(URLError.Code(error), userInfo: userInfo)
  }
}

extension URLError.Code {
  fileprivate init(_ error: TransportError) {
    self =
      switch error {
      case .refused: .cannotConnectToHost
      case .reset: .networkConnectionLost
      case .empty: Self.empty
      case .truncated: Self.truncated
      case .malformed: Self.malformed
      case .timedOut: .timedOut
      case .cancelled: .cancelled
      case .insecure: .secureConnectionFailed
      case .unresolved: .cannotFindHost
      case .offline: .notConnectedToInternet
      case .unsupportedURL: .unsupportedURL
      case .tooManyRedirects: .httpTooManyRedirects
      case .unmatched, .forbidden: .resourceUnavailable
      case .other: .unknown
      }
  }

  #if canImport(FoundationNetworking)
  private static let empty = badServerResponse
  private static let truncated = unknown
  private static let malformed = unsupportedURL
  #else
  private static let empty = networkConnectionLost
  private static let truncated = networkConnectionLost
  private static let malformed = cannotParseResponse
  #endif
}

extension TransportError {
  fileprivate var text: String {
    switch self {
    case .refused: "Couldn't connect to server"
    case .reset: "Connection reset by peer"
    case .empty: "Empty reply from server"
    case .truncated: "transfer closed with outstanding read data remaining"
    case .malformed: "The server did not answer in HTTP"
    case .timedOut: "The request timed out"
    case .cancelled: "cancelled"
    case .insecure: "SSL connect error"
    case .unresolved: "Could not resolve host"
    case .offline: "The network is unreachable"
    case .unsupportedURL: "unsupported URL"
    case .tooManyRedirects: "too many HTTP redirects"
    case .unmatched(let request, let nearest):
      "no route for \(request)" + (nearest.map { "; the nearest: \($0)" } ?? "")
    case .forbidden(let host): "\(host) may not be reached from here"
    case .other(let text): text
    }
  }
}
