import Foundation
public import RemoteLoading
import Staging
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests to real servers with `URLSession`.
///
/// It does not follow redirects: a 3xx answer is returned as it is. It has no cache and keeps no cookies or credentials.
/// It does not answer challenges for credentials: a 401 is returned, too. It accepts gzip, which `URLSession` decodes;
/// then the answer has no `Content-Encoding` and `Content-Length`. With another encoding it keeps them, and the body is
/// the platform's result, which may be empty. Several values of one field are joined by commas.
///
/// On Linux, proxies from the environment are used whatever the configuration is, and an answer that ends within its
/// head crashes the process, because of a fault in Foundation. Programs that must survive it use a helper process.
///
/// Cancelling the task closes the connection.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let delegate = TransferDelegate()
  private let limits: TransferLimits
  private let isMocked: Bool

  /// Creates a transport to real servers, or to the given protocol classes.
  ///
  /// - Parameters:
  ///   - limits: a transfer that exceeds them fails with `TransportError.other`.
  ///   - protocolClasses: the classes that handle requests instead of the network, such as
  ///     `[MockURLProtocol.self]`.
  public init(limits: TransferLimits = TransferLimits(), protocolClasses: [AnyClass] = []) {
    self.limits = limits
    isMocked = !protocolClasses.isEmpty
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = limits.idleTime / .seconds(1)
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.urlCredentialStorage = nil
    configuration.httpShouldSetCookies = false
    if !protocolClasses.isEmpty { configuration.protocolClasses = protocolClasses }
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// Sends one request, and waits for the whole answer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the answer, even if its status is an error.
  /// - Throws: `TransportError`; `CancellationError` if the task is cancelled, which closes the
  ///   connection.
  public func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try await transfer(request).response(progress: progress)
  }

  /// Sends a request, and returns its answer piece by piece. Ending the iteration early closes the connection.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - limits: the limits for this request, except the idle time.
  /// - Returns: the head, then the body.
  /// - Throws: `TransportError.unsupportedURL`; the stream throws other errors.
  package func transfer(
    _ request: RemoteRequest,
    limits: TransferLimits? = nil
  ) throws -> AsyncThrowingStream<TransferEvent, any Error> {
    let urlRequest = try URLRequest(request)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: TransferEvent.self)
    let transfer = Transfer(continuation, limits: limits ?? self.limits)
    if isMocked {
      begin(transfer, urlRequest, session, delegate)
    } else {
      beginAlone(transfer, urlRequest)
    }
    return stream
  }

  private func begin(
    _ transfer: Transfer,
    _ request: URLRequest,
    _ session: URLSession,
    _ delegate: TransferDelegate
  ) {
    let task = session.dataTask(with: request)
    delegate.begin(transfer, for: task.taskIdentifier)
    transfer.onCancel { [isMocked] in
      // Cancel later, because the cancelling thread may hold a lock of its task.
      if isMocked, let stage = Stage.current {
        stage.schedule(at: stage.now) { task.cancel() }
      } else {
        Stage.withoutStage { DispatchQueue.global().async { task.cancel() } }
      }
    }
    task.resume()
  }

  /// Sends the request on a new connection. On a used one, libcurl treats a reset as a stale connection and sends the
  /// request again: then the fault would be hidden, and a body, which Foundation on Linux cannot rewind, would wait for
  /// the timeout.
  private func beginAlone(_ transfer: Transfer, _ request: URLRequest) {
    let delegate = TransferDelegate()
    let session = URLSession(
      configuration: session.configuration,
      delegate: delegate,
      delegateQueue: nil
    )
    begin(transfer, request, session, delegate)
    session.finishTasksAndInvalidate()
  }
}
