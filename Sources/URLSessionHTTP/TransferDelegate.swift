import Foundation
import HTTPTypes
import RemoteLoading
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One active request of a `URLSessionTransport`. After its creation it belongs to the session's delegate queue.
final class Transfer: @unchecked Sendable {
  private let continuation: AsyncThrowingStream<TransferEvent, any Error>.Continuation
  private let limits: TransferLimits
  /// The encodings that `URLSession` decodes on every platform.
  private static let decoded: [Substring] = ["gzip", "x-gzip", "identity"]
  private var received = 0
  private var hasHead = false
  /// Whether the body has an unexpected encoding. Then the head is reported, even if decoding fails.
  private var hasForeignBody = false

  init(
    _ continuation: AsyncThrowingStream<TransferEvent, any Error>.Continuation,
    limits: TransferLimits
  ) {
    self.continuation = continuation
    self.limits = limits
  }

  /// Calls `body` when the caller no longer waits for the answer.
  func onCancel(_ body: @escaping @Sendable () -> Void) {
    continuation.onTermination = { ending in
      if case .cancelled = ending { body() }
    }
  }

  /// - Returns: whether the transfer may continue.
  func receive(_ response: URLResponse) -> Bool {
    guard let response = response as? HTTPURLResponse else { return refuse("no HTTP") }
    var head = HTTPResponse(response)
    let size = head.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    guard size <= limits.headBytes else {
      return refuse("more than \(limits.headBytes) bytes of head")
    }
    do throws(TransportError) {
      // libcurl ignores a number that does not fit, and reads the leading digits of other text.
      _ = try head.headerFields.announcedLength()
    } catch {
      continuation.finish(throwing: error)
      return false
    }
    var expected = response.expectedContentLength < 0 ? nil : Int(response.expectedContentLength)
    if let codings = head.headerFields[.contentEncoding]?.lowercased() {
      expected = nil
      // Whether other encodings are decoded differs between machines.
      if codings.split(whereSeparator: { ", \t".contains($0) }).allSatisfy(Self.decoded.contains) {
        head.headerFields[.contentEncoding] = nil
        head.headerFields[.contentLength] = nil
      } else {
        hasForeignBody = response.expectedContentLength > 0
      }
    }
    hasHead = true
    continuation.yield(.head(head, expected: expected))
    return true
  }

  /// - Returns: whether the transfer may continue.
  func receive(_ data: Data) -> Bool {
    received += data.count
    guard received <= limits.bodyBytes else { return refuse("more than \(limits.bodyBytes) bytes") }
    continuation.yield(.body([UInt8](data)))
    return true
  }

  /// - Parameters:
  ///   - error: why it ended early.
  ///   - response: the response of the task. Foundation on Linux has no other response for a redirect without
  ///     a location.
  func end(_ error: (any Error)?, response: URLResponse?) {
    if error == nil, !hasHead, let response, !receive(response) { return }
    switch error {
    case nil: continuation.finish()
    case let error as URLError where error.code == .cancelled:
      continuation.finish(throwing: CancellationError())
    case let error as URLError where hasForeignBody && TransportError(error) == .malformed:
      continuation.finish()
    case let error as URLError: continuation.finish(throwing: TransportError(error))
    case let error?: continuation.finish(throwing: TransportError.other("\(error)"))
    }
  }

  private func refuse(_ what: String) -> Bool {
    continuation.finish(throwing: TransportError.other("the answer has \(what)"))
    return false
  }
}

/// Passes the calls of a session to the transfer that they belong to.
final class TransferDelegate: NSObject, URLSessionDataDelegate {
  private let transfers = Mutex<[Int: Transfer]>([:])

  func begin(_ transfer: Transfer, for task: Int) {
    transfers.withLock { $0[task] = transfer }
  }

  private func transfer(of task: URLSessionTask) -> Transfer? {
    transfers.withLock { $0[task.taskIdentifier] }
  }

  private func end(_ task: URLSessionTask, _ error: (any Error)?) {
    transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?
      .end(error, response: task.response)
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let continues = transfer(of: dataTask)?.receive(response) ?? false
    if !continues { dataTask.cancel() }
    completionHandler(continues ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let continues = transfer(of: dataTask)?.receive(data) ?? true
    if !continues { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Rejects a challenge, so that the answer is the 401 itself. Foundation on Linux asks after the whole body has arrived,
  /// and never ends a task with an unanswered challenge.
  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
    end(task, nil)
    completionHandler(.cancelAuthenticationChallenge, nil)
    #else
    completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    end(task, error)
  }
}
