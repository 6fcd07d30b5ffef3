package import RemoteLoading

/// The reason why a list of movies is not available.
package enum MovieStoreAPIError: Error {
  /// There is no response, or the URL is invalid.
  case urlError(TransportError)
  /// The status is outside 200–299.
  case responseError(Int)
  /// The body does not decode.
  case decodingError(String)
  /// Another error, as text.
  case genericError(String)

  package init(_ error: any Error) {
    switch error {
    case let error as Self: self = error
    case let error as TransportError: self.init(error)
    case RemoteError.transport(let error): self.init(error)
    case RemoteError.status(let status): self = .responseError(status)
    case let error as RemoteError: self = .decodingError(error.message)
    default: self = .genericError("\(error)")
    }
  }

  /// Maps a transport error. One without a `URLError` code becomes a generic error.
  private init(_ error: TransportError) {
    self = error.urlErrorCode == nil ? .genericError(error.message) : .urlError(error)
  }
}

extension MovieStoreAPIError: CustomStringConvertible {
  /// The case, the code if there is one, and the message.
  package var description: String {
    switch self {
    case .urlError(let error):
      "urlError \(error.urlErrorCode.map { "\($0)" } ?? "?"): \(error.message)"
    case .responseError(let status): "responseError \(status): bad response code"
    case .decodingError(let message): "decodingError: \(message)"
    case .genericError(let message): "genericError: \(message)"
    }
  }
}
