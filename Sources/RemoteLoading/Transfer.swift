package import HTTPTypes

/// Limits for one transfer: size of the body and of the header fields, and time without data.
public struct TransferLimits: Codable, Sendable, Hashable {
  /// The maximum size of the decoded body, in bytes.
  public var bodyBytes: Int
  /// The maximum size of all header fields, in bytes.
  public var headBytes: Int
  /// The maximum time without data.
  public var idleTime: Duration

  /// Creates limits, by default 64 MiB of body, 256 KiB of fields, and 30 s without data.
  public init(
    bodyBytes: Int = 64 << 20,
    headBytes: Int = 256 << 10,
    idleTime: Duration = .seconds(30)
  ) {
    self.bodyBytes = bodyBytes
    self.headBytes = headBytes
    self.idleTime = idleTime
  }
}

/// A part of a response as it arrives.
package enum TransferEvent: Codable, Sendable, Hashable {
  /// The head, and the expected number of bytes, nil if it is not announced.
  case head(HTTPResponse, expected: Int?)
  case body([UInt8])
}

extension AsyncSequence where Element == TransferEvent {
  /// Waits for the complete response.
  ///
  /// - Parameter progress: called on the caller's isolation with the head, then after each piece of
  ///   the body.
  /// - Returns: the response.
  /// - Throws: errors of the sequence; `TransportError.empty` without a head; `CancellationError`
  ///   if the task is
  ///   cancelled.
  package func response(progress: (TransferProgress) -> Void) async throws -> RemoteResponse {
    var head: HTTPResponse?
    var body: [UInt8] = []
    var expected: Int?
    for try await event in self {
      switch event {
      case .head(let response, let length): (head, expected) = (response, length)
      case .body(let bytes): body += bytes
      }
      let status = head?.status.code
      progress(TransferProgress(received: body.count, expected: expected, status: status))
    }
    try Task.checkCancellation()
    guard let head else { throw TransportError.empty }
    return RemoteResponse(head, body: body)
  }
}
