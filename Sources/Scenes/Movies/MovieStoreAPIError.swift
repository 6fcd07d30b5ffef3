import RemoteLoading

/// Why there are no movies.
enum MovieStoreAPIError: Error {
  /// No answer came, or the URL is none.
  case urlError(TransportError)
  /// A status outside of 200–299.
  case responseError(Int)
  /// What is wrong with the body.
  case decodingError(String)
  /// Anything else, in words.
  case genericError(String)

  init(_ error: any Error) {
    switch error {
    case let error as Self: self = error
    case let error as TransportError: self.init(error)
    case RemoteError.transport(let error): self.init(error)
    case RemoteError.status(let status): self = .responseError(status)
    case let error as RemoteError: self = .decodingError(error.message)
    default: self = .genericError("\(error)")
    }
  }

  /// What URLError has no code for is none of its errors.
  private init(_ error: TransportError) {
    self = error.urlErrorCode == nil ? .genericError(error.message) : .urlError(error)
  }
}

extension MovieStoreAPIError: CustomStringConvertible {
  /// Case, code where there is one, and message.
  var description: String {
    switch self {
    case .urlError(let error):
      "urlError \(error.urlErrorCode.map { "\($0)" } ?? "?"): \(error.message)"
    case .responseError(let status): "responseError \(status): bad response code"
    case .decodingError(let message): "decodingError: \(message)"
    case .genericError(let message): "genericError: \(message)"
    }
  }
}
