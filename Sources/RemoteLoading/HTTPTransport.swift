public import HTTPTypes

/// A way to send a request and receive its response, with any status: the network or a mock.
public protocol HTTPTransport: Sendable {
  /// Sends one request and waits for the complete response. Does not follow redirects and does not
  /// decode the body.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the response, including one with an error status.
  /// - Throws: `TransportError`; `CancellationError` if the task is cancelled, which ends the
  ///   request and
  ///   closes its connection.
  func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse
}

/// A request and its body.
public struct RemoteRequest: Codable, Sendable, Hashable {
  /// The method, URL and header fields.
  public var head: HTTPRequest
  /// The bytes to send; empty without a body.
  public var body: [UInt8]

  /// Creates a request. Header fields are neither added nor checked.
  public init(_ head: HTTPRequest, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

/// A complete response.
public struct RemoteResponse: Sendable, Hashable {
  /// The status and header fields.
  public var head: HTTPResponse
  /// The bytes as received, or decompressed if they come from a `RemoteClient`.
  public var body: [UInt8]

  /// Creates a response, for transports and their mocks. Header fields are neither added nor
  /// checked.
  public init(_ head: HTTPResponse, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

/// The received part of a body.
public struct TransferProgress: Sendable, Hashable {
  /// The number of received bytes.
  public var received: Int
  /// The expected number of bytes, nil if the response does not announce it.
  public var expected: Int?
  /// The status of the response, which distinguishes the body of a redirect from the final one; nil
  /// if the transport does not report it.
  public var status: Int?

  /// Creates a progress report of a transport; both counts are bytes.
  public init(received: Int, expected: Int?, status: Int? = nil) {
    self.received = received
    self.expected = expected
    self.status = status
  }

  /// The fraction from 0 to 1, nil if unknown.
  public var fraction: Double? {
    guard let expected else { return nil }
    return expected == 0 ? 1 : min(1, Double(received) / Double(expected))
  }
}
