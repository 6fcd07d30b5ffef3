import HTTPTypes
import RehearsalBase

/// Writes a failed load as text: its name, code and message, such as `http 503`.
extension RemoteError: CustomStringConvertible {
  /// The name of the case.
  public var name: String {
    switch self {
    case .transport: "transport"
    case .status: "status"
    case .decoding: "decoding"
    case .image: "image"
    }
  }

  /// The status, or the equivalent `URLError` code; nil if there is neither.
  public var code: Int? {
    switch self {
    case .transport(let error): error.urlErrorCode
    case .status(let status): status
    case .decoding, .image: nil
    }
  }

  /// The failure in plain words: lower case, no full stop, control characters escaped.
  public var message: String {
    switch self {
    case .transport(let error): error.message
    case .status(let status): Self.phrase(for: status)
    case .decoding(let path, let expected, let found):
      (path.isEmpty ? "" : path.escapingControls + ": ")
        + "expected \(expected.escapingControls), found \(found.escapingControls)"
    case .image(let found): "expected an image, found \(found.escapingControls)"
    }
  }

  /// The form that the shell uses: `transport refused`, `http 503`, `decoding [1].title: expected
  /// String, found an Int`, `image found HTML`.
  public var description: String {
    switch self {
    case .transport(let error): "transport \(error)"
    case .status(let status): "http \(status)"
    case .decoding: "decoding \(message)"
    case .image(let found): "image found \(found.escapingControls)"
    }
  }

  private static func phrase(for status: Int) -> String {
    let known = knownStatuses.first { $0.code == status }
    return known?.reasonPhrase.lowercased() ?? "status \(status)"
  }

  /// The known statuses that mean no success.
  private static let knownStatuses: [HTTPResponse.Status] = [
    .multipleChoices, .movedPermanently, .found, .seeOther, .notModified, .temporaryRedirect,
    .permanentRedirect, .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed,
    .notAcceptable, .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone,
    .lengthRequired, .preconditionFailed, .contentTooLarge, .uriTooLong, .unsupportedMediaType,
    .rangeNotSatisfiable, .expectationFailed, .misdirectedRequest, .unprocessableContent,
    .tooEarly, .upgradeRequired, .preconditionRequired, .tooManyRequests,
    .requestHeaderFieldsTooLarge, .unavailableForLegalReasons, .internalServerError,
    .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
    .networkAuthenticationRequired,
  ]
}

extension RemoteError {
  // The domain and code of a failed URLSession request, for code that inspects them.
  /// `NSURLErrorDomain` if the failure has a `URLError` code, like a failed URLSession request.
  public var _domain: String {
    if case .transport(let error) = self { error._domain } else { "RemoteLoading.RemoteError" }
  }

  /// The same as `code`, or 1 if that is nil.
  public var _code: Int { code ?? 1 }
}
