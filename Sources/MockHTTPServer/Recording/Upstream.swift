import HTTPTypes
public import RemoteLoading

/// What another server answered, and when.
public struct RecordedExchange: Sendable, Hashable {
  /// As the client sent it.
  public var request: RemoteRequest
  /// As the other server sent it, its body still encoded.
  public var response: RemoteResponse
  /// From the request to the answer's head.
  public var headTime: Duration
  /// From the request to the answer's last byte.
  public var totalTime: Duration

  public init(
    request: RemoteRequest,
    response: RemoteResponse,
    headTime: Duration,
    totalTime: Duration
  ) {
    self.request = request
    self.response = response
    self.headTime = headTime
    self.totalTime = totalTime
  }
}

/// Another server, to which requests are handed on.
public struct Upstream: Sendable {
  public let url: String
  private let scheme: String
  private let authority: String
  private let prefix: String
  private let transport: any HTTPTransport
  private let sink: @Sendable (RecordedExchange) -> Void

  /// Another server; nil where the URL is none of http or https.
  ///
  /// - Parameters:
  ///   - url: where the other server is, `http://host:port`; a path there comes before every path.
  ///   - transport: the way to it.
  ///   - sink: takes what was answered, from any thread and in the order of the answers.
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

  /// Asks the other server, and writes down what it says.
  func answer(_ request: RemoteRequest, now: @Sendable () -> Duration) async -> Reply {
    let start = now()
    var headTime: Duration?
    do {
      let response = try await transport.send(forwarded(request)) { _ in
        if headTime == nil { headTime = now() - start }
      }
      let totalTime = now() - start
      sink(
        RecordedExchange(
          request: request,
          response: response,
          headTime: headTime ?? totalTime,
          totalTime: totalTime
        )
      )
      return Reply(response)
    } catch {
      return Reply(upstream: error as? TransportError ?? .cancelled)
    }
  }

  /// The request as the other server gets it: to its name, without what was meant for this
  /// connection alone.
  private func forwarded(_ request: RemoteRequest) -> RemoteRequest {
    var request = request
    request.head.scheme = scheme
    request.head.authority = authority
    request.head.path = prefix + (request.head.path ?? "/")
    for name in Self.hopByHop { request.head.headerFields[name] = nil }
    return request
  }

  private static let hopByHop: [HTTPField.Name] =
    [.connection, .transferEncoding, .contentLength, .upgrade, .te, .trailer, .expect]
    + ["Keep-Alive", "Proxy-Connection"].compactMap { HTTPField.Name($0) }
}
