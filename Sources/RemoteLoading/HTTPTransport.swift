public import HTTPTypes

/// Sends a request and brings its answer back, whatever the status: the network, or a mock of it.
public protocol HTTPTransport: Sendable {
  /// Sends one request and waits for the whole answer. Redirects are not followed, and the body is
  /// as it was sent, still encoded.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the answer, also one that says that something failed.
  /// - Throws: `TransportError`; `CancellationError` when the task is cancelled, which ends the
  ///   request and closes its connection.
  func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse
}

/// A request and its body.
public struct RemoteRequest: Codable, Sendable, Hashable {
  /// Method, URL and fields.
  public var head: HTTPRequest
  /// The bytes as they are sent; empty where there is no body.
  public var body: [UInt8]

  /// The request as it is to be sent. No field is added or checked.
  public init(_ head: HTTPRequest, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

/// An answer that has come whole.
public struct RemoteResponse: Sendable, Hashable {
  /// Status and fields.
  public var head: HTTPResponse
  /// The bytes as the transport received them, or, from a `RemoteClient`, unpacked.
  public var body: [UInt8]

  /// An answer, for transports and their mocks. No field is added or checked.
  public init(_ head: HTTPResponse, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

/// How much of a body has come.
public struct TransferProgress: Sendable, Hashable {
  /// In bytes.
  public var received: Int
  /// In bytes; nil where the answer does not say.
  public var expected: Int?
  /// Of the answer whose body it is, so that the body of a redirect is not taken for what was asked
  /// for; nil where the transport does not say.
  public var status: Int?

  /// A report by a transport; both counts are bytes.
  public init(received: Int, expected: Int?, status: Int? = nil) {
    self.received = received
    self.expected = expected
    self.status = status
  }

  /// From 0 to 1; nil where nobody knows.
  public var fraction: Double? {
    guard let expected else { return nil }
    return expected == 0 ? 1 : min(1, Double(received) / Double(expected))
  }
}
