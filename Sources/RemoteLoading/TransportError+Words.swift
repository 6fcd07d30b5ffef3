import RehearsalBase

extension TransportError: CustomStringConvertible {
  /// The case, as it is spelled in code and in the shell.
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

  /// What happened, in plain words: lower case, no stop, control characters escaped.
  public var message: String {
    switch self {
    case .refused: "nobody listens at the address"
    case .reset: "the connection was reset"
    case .empty: "the connection was closed without an answer"
    case .truncated: "the body ended before its announced end"
    case .malformed: "what came is not HTTP"
    case .timedOut: "no answer came in time"
    case .cancelled: "the request was cancelled"
    case .insecure: "no secure connection could be made"
    case .unresolved: "the host's name is not known"
    case .offline: "there is no network"
    case .unsupportedURL: "the URL is not one to load from"
    case .tooManyRedirects(let places): places.map(\.escapingControls).joined(separator: " → ")
    case .unmatched(let request, let nearest):
      "no route for \(request.escapingControls)"
        + (nearest.map { "; nearest is \($0.escapingControls)" } ?? "")
    case .forbidden(let host): "\(host.escapingControls) is not allowed"
    case .other(let text): text.escapingControls
    }
  }

  /// The name, with what is particular to this one.
  public var description: String {
    switch self {
    case .tooManyRedirects, .unmatched, .forbidden, .other: "\(name): \(message)"
    case .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure,
      .unresolved, .offline, .unsupportedURL:
      name
    }
  }
}

// MARK: Codes of URLError

extension TransportError {
  /// The code that Apple's URLSession reports in this case; nil where it knows no such thing.
  ///
  /// A body that ended early shares the code of a connection that was reset.
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

  /// The case that a code of `URLError` stands for on Apple's platforms; nil where there is none.
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

  // Who asks an error for its code sees what a failed URLSession request carries; and so
  // `isCancellation` knows `cancelled`.
  /// `NSURLErrorDomain` where there is a code of `URLError`.
  public var _domain: String {
    urlErrorCode == nil ? "RemoteLoading.TransportError" : "NSURLErrorDomain"
  }

  /// The code of `URLError`; 1 where there is none.
  public var _code: Int { urlErrorCode ?? 1 }
}
