import HTTPTypes
import Loading

/// Fetches over a transport by HTTP's rules: follows redirects, unpacks what was compressed, and
/// takes every status outside of 200–299 for a failure.
///
/// It has no timeout of its own. A deadline is a load's interrupt; a transport may have one for
/// silence, which is `TransportError.timedOut`.
public struct RemoteClient: Sendable {
  /// What sends each single request, redirects included.
  public var transport: any HTTPTransport
  /// How many redirects are followed at most.
  public var redirectLimit = 20
  /// How large a compressed body may become, in bytes.
  public var bodyLimit = 64 * 1024 * 1024

  /// A client that follows up to 20 redirects and unpacks up to 64 MiB, until told otherwise.
  public init(_ transport: any HTTPTransport) {
    self.transport = transport
  }

  /// Fetches a response whose status is one of success.
  ///
  /// 301, 302 and 303 are followed by GET (HEAD stays HEAD), 307 and 308 by the same request.
  /// Credentials and cookies do not go along to another scheme, host or port, and nothing leads from
  /// `https` to `http`.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - progress: called on the caller's isolation as the body comes; not for redirects, as far as
  ///     the transport tells their status.
  /// - Returns: the response, its body unpacked; no body for HEAD, 204 and 205.
  /// - Throws: `RemoteError`; `CancellationError` when the request was cancelled, by whom ever.
  public func fetch(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void = { _ in }
  ) async throws -> RemoteResponse {
    do {
      let response = try await follow(request, progress)
      guard response.head.status.kind == .successful else {
        throw RemoteError.status(response.head.status.code)
      }
      return try response.unpacked(asAnswerTo: request.head.method, limit: bodyLimit)
    } catch {
      throw Self.meaning(of: error)
    }
  }

  private func follow(
    _ request: RemoteRequest,
    _ progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    var request = request
    let first = request.origin
    var places = [request.place(seenFrom: first)]
    while true {
      try Task.checkCancellation()
      let response = try await transport.send(request) { report in
        if !Redirect.statuses.contains(report.status ?? 0) { progress(report) }
      }
      try response.checkLength(asAnswerTo: request.head.method)
      guard let redirect = Redirect(response.head) else { return response }
      request = try redirect.followed(from: request)
      places.append(request.place(seenFrom: first))
      if places.count > redirectLimit + 1 {
        throw TransportError.tooManyRedirects(Redirect.untilRepeated(places))
      }
    }
  }

  /// What somebody else's error says in the words of `RemoteError`.
  private static func meaning(of error: any Error) -> any Error {
    if isCancellation(error) { return CancellationError() }
    switch error {
    case let error as RemoteError: return error
    case let error as TransportError: return RemoteError.transport(error)
    default:
      let known =
        error._domain == "NSURLErrorDomain" ? TransportError(urlErrorCode: error._code) : nil
      return RemoteError.transport(known ?? .other(describe(error)))
    }
  }
}

extension RemoteClient {
  /// Fetches a response and decodes its body.
  ///
  /// - Throws: as `fetch` does; `RemoteError.decoding` where the body is something else.
  public func fetch<Value: Decodable>(
    _ type: Value.Type,
    _ request: RemoteRequest,
    decoding: RemoteDecoding = RemoteDecoding(),
    progress: (TransferProgress) -> Void = { _ in }
  ) async throws -> Value {
    try decoding.decode(from: try await fetch(request, progress: progress).body)
  }
}
