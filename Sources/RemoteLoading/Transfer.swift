package import HTTPTypes

/// Bounds on one transfer.
public struct TransferLimits: Codable, Sendable, Hashable {
  /// Of the body, decoded, in bytes.
  public var bodyBytes: Int
  /// Of all fields of the head, in bytes.
  public var headBytes: Int
  /// How long nothing may come.
  public var idleTime: Duration

  /// Bounds on one transfer: by default 64 MiB of body, 256 KiB of fields, and 30 s of silence.
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

/// A part of an answer, as it comes.
package enum TransferEvent: Codable, Sendable, Hashable {
  /// The head, and how many bytes will come; nil if it does not say.
  case head(HTTPResponse, expected: Int?)
  case body([UInt8])
}

extension AsyncSequence where Element == TransferEvent {
  /// Waits for all parts of an answer.
  ///
  /// - Parameter progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the whole answer.
  /// - Throws: what the sequence throws; `TransportError.empty` without a head; `CancellationError` when the task is
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
