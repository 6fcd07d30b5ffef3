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
  /// - `-1` (unknown): a body that ended early, or bytes that break the rules of its encoding or a
  ///   `Content-Length` that is none; `.truncated` if the text says that the transfer was closed, else `.malformed` if it
  ///   names one of these.
  /// - `-1002` (unsupported URL): also an answer that is no HTTP, or has no valid status: `.malformed` where
  ///   the text speaks of HTTP. Garbage and a bad status line are not told apart.
  ///
  /// On Apple's platforms `-1005` (connection lost) stands for `.reset` and `.truncated`; it is taken for the
  /// first. An error that came from a mock says itself what it was.
  public init(_ error: URLError) {
    if let exact = error.userInfo[Self.userInfoKey] as? TransportError {
      self = exact
    } else if Self.ambiguousCodes.contains(error.code) {
      self = Self.ambiguous(error.code, text: error.text)
    } else if let plain = TransportError(urlErrorCode: error.errorCode) {
      self = plain
    } else {
      self = .other(error.text.isEmpty ? "URLError \(error.errorCode)" : error.text)
    }
  }

  /// Where an error of a mock keeps what it stands for.
  static let userInfoKey = "TransportError"

  private static let ambiguousCodes: [URLError.Code] = [
    .unknown, .unsupportedURL, .badServerResponse,
  ]

  private static func ambiguous(_ code: URLError.Code, text: String) -> TransportError {
    switch code {
    case .unsupportedURL:
      return text.contains("HTTP") ? .malformed : .unsupportedURL
    case .badServerResponse:
      return text.contains("Empty reply") ? .empty : .malformed
    default:
      if text.contains("transfer closed") { return .truncated }
      if ["chunk", "encoding", "HTTP", "Content-Length"].contains(where: text.contains) {
        return .malformed
      }
      if ["SSL", "TLS", "certificate"].contains(where: text.contains) { return .insecure }
      return .other(text.isEmpty ? "URLError \(code.rawValue)" : text)
    }
  }
}

extension URLError {
  /// The platform's own words; empty where it has none.
  fileprivate var text: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "" }

  /// The error by which `URLSession` reports such a failure. `TransportError` gets the exact
  /// one back out of it.
  init(_ error: TransportError, url: URL?) {
    var userInfo: [String: Any] = [
      TransportError.userInfoKey: error, NSLocalizedDescriptionKey: error.message,
    ]
    userInfo[NSURLErrorFailingURLErrorKey] = url
    self.init(URLError.Code(error), userInfo: userInfo)
  }
}

extension URLError.Code {
  /// Where Linux has a code of its own, that one.
  fileprivate init(_ error: TransportError) {
    self =
      switch error {
      case .empty: .badServerResponse
      case .truncated: .unknown
      case .malformed: .unsupportedURL
      case .unmatched, .forbidden: .resourceUnavailable
      case .refused, .reset, .timedOut, .cancelled, .insecure, .unresolved, .offline,
        .unsupportedURL, .tooManyRedirects, .other:
        error.urlErrorCode.flatMap { Self(rawValue: $0) } ?? .unknown
      }
  }
}
