import Loading
import RehearsalBase
import RemoteLoading
package import Script

/// An error that the script requested and that no library declares. It compares and prints by the
/// words of the script.
package struct InjectedError: Error, Equatable, CustomStringConvertible {
  package let spec: ErrorSpec

  package var description: String { spec.text }

  // Foundation reads the domain and the code of an error from these two properties, so loading code
  // gets the same numbers as from a failed URLSession request.
  package var _domain: String {
    if case .url = spec { "NSURLErrorDomain" } else { "Rehearsal.InjectedError" }
  }

  package var _code: Int {
    if case .url(let name) = spec {
      ErrorSpec.urlCodes.first { $0.name == name }?.code ?? -1
    } else {
      1
    }
  }
}

extension ErrorSpec {
  /// The error that loading code receives.
  var error: any Error {
    switch self {
    case .text, .url, .decoding: InjectedError(spec: self)
    case .http(let status): RemoteError.status(status)
    case .transport(let name, let detail):
      RemoteError.transport(TransportError(named: name, detail: detail ?? ""))
    case .image(let found): RemoteError.image(found: found)
    case .timeout: TimeoutError()
    case .cancellation: CancellationError()
    case .control(.cancelLoadable): CancelLoadable()
    case .control(.resetLoadable): ResetLoadable()
    case .control(.cancelProcess): CancelProcess()
    case .control(.resetProcess): ResetProcess()
    }
  }

  /// Creates the specification for an error, if the script has words for it.
  init?(_ error: any Error) {
    switch error {
    case let error as InjectedError: self = error.spec
    case let error as RemoteError: self.init(error)
    case let error as TransportError: self.init(.transport(error))
    case is TimeoutError: self = .timeout
    case is CancellationError: self = .cancellation
    case is CancelLoadable: self = .control(.cancelLoadable)
    case is ResetLoadable: self = .control(.resetLoadable)
    case is CancelProcess: self = .control(.cancelProcess)
    case is ResetProcess: self = .control(.resetProcess)
    default:
      let code = error._domain == "NSURLErrorDomain" ? error._code : 0
      guard let known = Self.urlCodes.first(where: { $0.code == code }) else { return nil }
      self = .url(known.name)
    }
  }

  private init(_ error: RemoteError) {
    switch error {
    case .status(let status): self = .http(status)
    case .decoding: self = .decoding(error.message)
    case .image(let found): self = .image(found)
    case .transport(let error): self = .transport(error.name, detail: error.detail)
    }
  }

  /// Whether this specification means the error. Errors that the script can write are compared in
  /// full, because printed errors may be truncated.
  func describes(_ error: any Error) -> Bool {
    ErrorSpec(error).map(covers) ?? (text == errorText(error))
  }
}

extension TransportError {
  /// The details of the error beyond its name; nil if it has none.
  fileprivate var detail: String? {
    let detail: String? =
      switch self {
      case .tooManyRedirects(let places): places.joined(separator: " → ")
      case .unmatched(let request, let nearest):
        request + (nearest.map { "; nearest is " + $0 } ?? "")
      case .forbidden(let host): host
      case .other(let text): text
      case .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure,
        .unresolved, .offline, .unsupportedURL:
        nil
      }
    return detail == "" ? nil : detail
  }

  /// Creates the error with that name. An error that needs more information has it in `detail`.
  fileprivate init(named name: String, detail: String) {
    switch name {
    case "tooManyRedirects": self = .tooManyRedirects(detail.isEmpty ? [] : [detail])
    case "unmatched": self = .unmatched(request: detail, nearest: nil)
    case "forbidden": self = .forbidden(host: detail)
    default:
      let simple: [TransportError] = [
        .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure,
        .unresolved, .offline, .unsupportedURL,
      ]
      self = simple.first { $0.name == name } ?? .other(detail)
    }
  }
}

/// Returns an error with its code and message, if it has any.
func errorDetail(_ error: any Error) -> String {
  let text = errorText(error)
  switch error {
  case let error as RemoteError:
    guard let code = error.code else { return text }
    return "\(text), code \(code): \(error.message)"
  default:
    guard ErrorSpec(error)?.kind == "url" else { return text }
    return "\(text), code \(error._code)"
  }
}

/// Returns an error in the words of the script, or else by its description.
func errorText(_ error: any Error) -> String { errorText(error, within: 60) }

/// Returns the same, but a description is truncated after `columns` columns.
func errorText(_ error: any Error, within columns: Int) -> String {
  ErrorSpec(error)?.text ?? JSONValue.string(describe(error)).text(within: columns)
}

/// Returns the kind of an error: the same for errors that differ only in their values. The reason
/// of a decoding error is part of the kind.
func errorKind(_ error: any Error) -> String {
  switch ErrorSpec(error) {
  case nil: "\(type(of: error))"
  case .text: ""
  case .http: "http"
  case .image: "image"
  case .transport(let name, _): "transport " + name
  case .decoding(let reason): "decoding " + reason
  case let spec?: spec.text
  }
}
