import HTTPTypes
import Loading

/// A client that applies HTTP's rules to a transport: it follows redirects, decompresses bodies,
/// and throws for every status outside 200–299.
///
/// It has no timeout. For a deadline, use an interrupt of the load. A transport may have a timeout
/// for silence, which throws `TransportError.timedOut`.
public struct RemoteClient: Sendable {
  /// Sends each request, including redirected ones.
  public var transport: any HTTPTransport
  /// The maximum number of redirects.
  public var redirectLimit = 20
  /// The maximum size of a decompressed body, in bytes.
  public var bodyLimit = 64 * 1024 * 1024

  /// Creates a client that follows up to 20 redirects and decompresses up to 64 MiB.
  public init(_ transport: any HTTPTransport) {
    self.transport = transport
  }

  /// Fetches a response with a success status.
  ///
  /// After 301, 302 and 303 it sends GET (HEAD stays HEAD), after 307 and 308 the same request. It
  /// does not send credentials and cookies to another scheme, host or port, and does not follow a
  /// redirect from `https` to `http`.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - progress: called on the caller's isolation as the body arrives. Bodies of redirects are excluded
  ///     if the transport reports the status.
  /// - Returns: the response with its body decompressed. HEAD, 204 and 205 have no body.
  /// - Throws: `RemoteError`; `CancellationError` if the request was cancelled, by any cause.
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

  /// Returns the equivalent `RemoteError` of another error.
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
  /// - Throws: the errors of `fetch`; `RemoteError.decoding` if the body has another type.
  public func fetch<Value: Decodable>(
    _ type: Value.Type,
    _ request: RemoteRequest,
    decoding: RemoteDecoding = RemoteDecoding(),
    progress: (TransferProgress) -> Void = { _ in }
  ) async throws -> Value {
    try decoding.decode(from: try await fetch(request, progress: progress).body)
  }
}
