public import Foundation
public import RemoteLoading

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Translates `URLError` to a transport error and back, with the differences of the platforms.
extension TransportError {
  /// Translates an error of `URLSession` to the vocabulary of all transports.
  ///
  /// Codes differ between platforms. On Linux, two codes stand for two faults each, which only their texts distinguish:
  ///
  /// - `-1` (unknown): a body that ended early, bytes that violate their encoding, or an invalid `Content-Length`;
  ///   `.truncated` if the text says that the transfer was closed, `.malformed` if it names one of the others.
  /// - `-1002` (unsupported URL): also an answer that is not HTTP, or has no valid status: `.malformed` if the text
  ///   mentions HTTP. Garbage and an invalid status line cannot be distinguished.
  ///
  /// On Apple's platforms `-1005` (connection lost) is both `.reset` and `.truncated`; the result is `.reset`. An error
  /// from a mock contains the exact fault.
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

  /// The key under which an error of a mock stores the original fault.
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
  /// The platform's text; empty if there is none.
  fileprivate var text: String { userInfo[NSLocalizedDescriptionKey] as? String ?? "" }

  /// Creates the error with which `URLSession` reports such a fault. `TransportError` can restore the exact fault from
  /// it.
  init(_ error: TransportError, url: URL?) {
    var userInfo: [String: Any] = [
      TransportError.userInfoKey: error, NSLocalizedDescriptionKey: error.message,
    ]
    userInfo[NSURLErrorFailingURLErrorKey] = url
    self.init(URLError.Code(error), userInfo: userInfo)
  }
}

extension URLError.Code {
  /// Returns the code, the one of Linux if it differs.
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
