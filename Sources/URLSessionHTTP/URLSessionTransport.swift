import Foundation
public import RemoteLoading
import Staging
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Real servers, reached by `URLSession`.
///
/// Redirects are not followed: a 3xx answer comes back as it is. Nothing is cached, no cookie or credential is
/// kept, and a challenge for credentials is not answered: a 401 comes back too. Servers are asked for gzip,
/// which `URLSession` decodes, so the answer has lost its `Content-Encoding` and `Content-Length` then. With
/// another encoding it keeps them, and the body is what the platform made of it, which may be nothing. A field
/// that came several times has its values joined by commas.
///
/// On Linux a proxy that the environment names is used whatever the configuration says, and an answer that
/// ends within its head takes the process down (Foundation's fault): programs that must live through that
/// use a helper process.
///
/// Cancelling the task closes the connection.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let delegate = TransferDelegate()
  private let limits: TransferLimits
  private let isMocked: Bool

  /// A way to real servers, or to what the protocol classes make of them.
  ///
  /// - Parameters:
  ///   - limits: what is too much; such a transfer fails with `TransportError.other`.
  ///   - protocolClasses: who handles requests instead of the network: `[MockURLProtocol.self]`, say.
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
  ///   - request: what to ask.
  ///   - progress: called on the caller's isolation with the head, then after each piece of the body.
  /// - Returns: the answer, also one that says that something failed.
  /// - Throws: `TransportError`; `CancellationError` when the task is cancelled, which closes the
  ///   connection.
  public func send(
    _ request: RemoteRequest,
    progress: (TransferProgress) -> Void
  ) async throws -> RemoteResponse {
    try await transfer(request).response(progress: progress)
  }

  /// Sends a request, and brings its answer piece by piece. Ending the iteration early closes the
  /// connection.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - limits: bounds for this request alone, but for the idle time.
  /// - Returns: the head, then the body.
  /// - Throws: `TransportError.unsupportedURL`; the stream throws the others.
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
      // The cancelling thread may hold a lock of its task, so the task is cancelled later.
      if isMocked, let stage = Stage.current {
        stage.schedule(at: stage.now) { task.cancel() }
      } else {
        Stage.withoutStage { DispatchQueue.global().async { task.cancel() } }
      }
    }
    task.resume()
  }

  /// Sends on a connection that nobody used before. On one that was used, libcurl takes a reset for a
  /// connection that had been given up, and sends again by itself: a fault would be met by nobody, and a body,
  /// which Foundation on Linux does not wind back, would wait until its time is up.
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
