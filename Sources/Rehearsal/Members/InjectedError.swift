import Loading
package import Script

/// An error that the script asked for. It compares and prints by what the script said.
package struct InjectedError: Error, Equatable, CustomStringConvertible {
  package let spec: ErrorSpec

  package var description: String { spec.text }

  // Foundation reads an error's domain and code from these two, so loading code sees the same
  // numbers that a failed URLSession request carries.
  package var _domain: String {
    if case .url = spec { "NSURLErrorDomain" } else { "Rehearsal.InjectedError" }
  }

  package var _code: Int {
    switch spec {
    case .url(let name): ErrorSpec.urlCodes.first { $0.name == name }?.code ?? -1
    case .http(let status): status
    case .text, .decoding, .timeout, .cancellation, .control: 1
    }
  }
}

extension ErrorSpec {
  /// The error that loading code meets.
  var error: any Error {
    switch self {
    case .text, .url, .http, .decoding: InjectedError(spec: self)
    case .timeout: TimeoutError()
    case .cancellation: CancellationError()
    case .control(.cancelLoadable): CancelLoadable()
    case .control(.resetLoadable): ResetLoadable()
    case .control(.cancelProcess): CancelProcess()
    case .control(.resetProcess): ResetProcess()
    }
  }
}

extension ErrorSpec {
  /// Whether this is the error: word for word for one of the script's own, which may be printed cut.
  func describes(_ error: any Error) -> Bool {
    (error as? InjectedError).map { $0.spec == self } ?? (text == errorText(error))
  }
}

/// An error as the script would write it, where it can; by its own description elsewhere.
func errorText(_ error: any Error) -> String {
  switch error {
  case let error as InjectedError: error.spec.text
  case is TimeoutError: "timeout"
  case is CancellationError: "cancellation"
  case is CancelLoadable: "CancelLoadable"
  case is ResetLoadable: "ResetLoadable"
  case is CancelProcess: "CancelProcess"
  case is ResetProcess: "ResetProcess"
  default: JSONValue.string(describe(error)).text(within: 60)
  }
}
