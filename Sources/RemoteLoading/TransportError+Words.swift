import RehearsalBase

/// Writes a transport error as text, and maps it to the code of `URLError` and back.
extension TransportError: CustomStringConvertible {
  /// The name of the case, in code and in the shell.
  public var name: String {
    switch self {
    case .refused: "refused"
    case .reset: "reset"
    case .empty: "empty"
    case .truncated: "truncated"
    case .malformed: "malformed"
    case .timedOut: "timedOut"
    case .cancelled: "cancelled"
    case .insecure: "insecure"
    case .unresolved: "unresolved"
    case .offline: "offline"
    case .unsupportedURL: "unsupportedURL"
    case .tooManyRedirects: "tooManyRedirects"
    case .unmatched: "unmatched"
    case .forbidden: "forbidden"
    case .other: "other"
    }
  }

  /// The failure in plain words: lower case, no full stop, control characters escaped.
  public var message: String {
    switch self {
    case .refused: "the connection was refused"
    case .reset: "the connection was reset"
    case .empty: "the connection was closed without an answer"
    case .truncated: "the body ended before its announced end"
    case .malformed: "the response is not HTTP"
    case .timedOut: "no answer came in time"
    case .cancelled: "the request was cancelled"
    case .insecure: "the secure connection failed"
    case .unresolved: "the host name cannot be resolved"
    case .offline: "there is no network"
    case .unsupportedURL: "the URL is not an absolute http or https URL"
    case .tooManyRedirects(let places): places.map(\.escapingControls).joined(separator: " → ")
    case .unmatched(let request, let nearest):
      "no route for \(request.escapingControls)"
        + (nearest.map { "; nearest is \($0.escapingControls)" } ?? "")
    case .forbidden(let host): "\(host.escapingControls) is not allowed"
    case .other(let text): text.escapingControls
    }
  }

  /// The name, with its associated value.
  public var description: String {
    switch self {
    case .tooManyRedirects, .unmatched, .forbidden, .other: "\(name): \(message)"
    case .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure,
      .unresolved, .offline, .unsupportedURL:
      name
    }
  }
}

// MARK: URLError codes

extension TransportError {
  /// The code that Apple's URLSession reports in this case, nil if there is none.
  ///
  /// A truncated body has the same code as a reset connection.
  public var urlErrorCode: Int? {
    switch self {
    case .refused: -1004
    case .reset, .truncated: -1005
    case .empty: -1014
    case .malformed: -1017
    case .timedOut: -1001
    case .cancelled: -999
    case .insecure: -1200
    case .unresolved: -1003
    case .offline: -1009
    case .unsupportedURL: -1002
    case .tooManyRedirects: -1007
    case .unmatched, .forbidden, .other: nil
    }
  }

  /// Creates the case for a `URLError` code on Apple's platforms, nil if there is none.
  public init?(urlErrorCode code: Int) {
    switch code {
    case -999: self = .cancelled
    case -1000, -1002: self = .unsupportedURL
    case -1001: self = .timedOut
    case -1003, -1006: self = .unresolved
    case -1004: self = .refused
    case -1005: self = .reset
    case -1007: self = .tooManyRedirects([])
    case -1009, -1018, -1019, -1020: self = .offline
    case -1010, -1011, -1015, -1016, -1017: self = .malformed
    case -1014: self = .empty
    case -1206 ... -1200: self = .insecure
    default: return nil
    }
  }

  // Code that inspects the error sees the domain and code of a failed URLSession request.
  // `isCancellation` recognizes `cancelled` by them.
  /// `NSURLErrorDomain` if there is a `URLError` code.
  public var _domain: String {
    urlErrorCode == nil ? "RemoteLoading.TransportError" : "NSURLErrorDomain"
  }

  /// The `URLError` code, or 1 if there is none.
  public var _code: Int { urlErrorCode ?? 1 }
}
