import HTTPTypes
public import MockHTTP
public import RemoteLoading

/// Another server that receives forwarded requests.
public struct Upstream: Sendable {
  /// The URL as given.
  public let url: String
  /// The name or address, without a port.
  public var host: String { HostName(authority).name }
  private let scheme: String
  private let authority: String
  private let prefix: String
  private let transport: any HTTPTransport
  private let sink: @Sendable (RecordedExchange) -> Void

  /// Creates an upstream server; nil if the URL is not http or https.
  ///
  /// - Parameters:
  ///   - url: the address, `http://host:port`; a path there is prepended to every path.
  ///   - transport: the transport to the server.
  ///   - sink: receives the result of each request, from any thread, in the order of the answers.
  public init?(
    _ url: String,
    transport: any HTTPTransport,
    sink: @escaping @Sendable (RecordedExchange) -> Void
  ) {
    let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()) else { return nil }
    let authority = parts[1].prefix { $0 != "/" }
    guard !authority.isEmpty, !authority.contains(where: { "?#@ ".contains($0) }) else {
      return nil
    }
    var prefix = parts[1].dropFirst(authority.count)
    while prefix.last == "/" { prefix.removeLast() }
    guard !prefix.contains(where: { "?# ".contains($0) }) else { return nil }
    self.url = url
    self.scheme = parts[0].lowercased()
    self.authority = String(authority)
    self.prefix = String(prefix)
    self.transport = transport
    self.sink = sink
  }

  /// Forwards a request and records the answer; nil if the task is cancelled.
  func answer(_ request: RemoteRequest, now: @Sendable () -> Duration) async -> Reply? {
    let start = now()
    var headTime: Duration?
    let outcome: Result<RemoteResponse, TransportError>
    do {
      var response = try await transport.send(forwarded(request)) { _ in
        if headTime == nil { headTime = now() - start }
      }
      try response.checkLength(asAnswerTo: request.head.method)
      response.head.headerFields.separateCookies()
      outcome = .success(response)
    } catch let error as TransportError where error != .cancelled {
      outcome = .failure(error)
    } catch {
      return nil
    }
    let end = now() - start
    let wait = headTime ?? end
    var recorded = request
    recorded.head.scheme = scheme
    recorded.head.authority = authority
    sink(
      RecordedExchange(
        request: recorded,
        outcome: Self.recorded(outcome),
        wait: wait,
        receive: end - wait
      )
    )
    return Reply(outcome)
  }

  private static func recorded(
    _ outcome: Result<RemoteResponse, TransportError>
  ) -> RecordedExchange.Outcome {
    switch outcome {
    case .failure(let error): return .failure(error)
    case .success(var response):
      // The request did not accept compression, but the server may compress anyway.
      if response.head.headerFields[.contentEncoding] == "gzip",
        let body = try? Gzip.decompress(response.body, limit: longestBody)
      {
        response.body = body
        response.head.headerFields[.contentEncoding] = nil
      }
      return .response(response)
    }
  }

  /// The maximum size of a decompressed body in the recording, in bytes.
  private static let longestBody = 64 << 20

  /// Returns the forwarded request: with the other server's name, without fields for this
  /// connection, and without compression, because the answer is recorded.
  private func forwarded(_ request: RemoteRequest) -> RemoteRequest {
    var request = request
    request.head.scheme = scheme
    request.head.authority = authority
    request.head.path = prefix + (request.head.path ?? "/")
    for name in Self.hopByHop { request.head.headerFields[name] = nil }
    request.head.headerFields[.acceptEncoding] = "identity"
    return request
  }

  private static let hopByHop: [HTTPField.Name] =
    [.connection, .transferEncoding, .contentLength, .upgrade, .te, .trailer, .expect]
    + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }
}
