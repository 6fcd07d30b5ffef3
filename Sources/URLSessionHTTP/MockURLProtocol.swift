#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import MockHTTP
public import Staging
import Synchronization

/// Connects unmodified `URLSession` code on a stage with a `MockServer`, in virtual time.
///
///     let session = URLSession(configuration: .rehearsing(server, on: stage))
///     let (data, response) = try await session.data(from: url)
///
/// Answers arrive at instants of the stage. `URLSession` uses its own threads, but the order is deterministic: the
/// stage accepts a request when its task is resumed, passes the answer to Foundation, and time stands still until
/// Foundation has processed it. The same holds for every way of cancelling.
///
/// Redirects behave as in Foundation on Linux. Timeouts are those of request and configuration, in virtual time.
/// Cookies go to the configuration's storage. Features that Foundation on Linux does not support with a `URLProtocol`
/// fail with `URLError.unsupportedURL` and a text: download tasks and web sockets. An answer 401 arrives without
/// `WWW-Authenticate`, because with it Foundation on Linux never ends the task.
///
/// Completion handlers and delegates run on the session's delegate queue. The stage does not know that thread, so a
/// `Task` that is created there is not on the stage. `URLSession.rehearsing` creates sessions whose queue is the stage.
/// The stage does not wait for a delegate queue that is `OperationQueue.main`.
public class MockURLProtocol: URLProtocol {
  private var load: MockLoad?
  private var isRefused = false

  // MARK: URLProtocol

  /// Accepts requests with `http` and `https`.
  public override class func canInit(with request: URLRequest) -> Bool {
    ["http", "https"].contains(request.url?.scheme?.lowercased() ?? "")
  }

  /// Returns the request unchanged.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Creates a protocol without a task, which cannot be answered: loading fails with `URLError.resourceUnavailable`.
  public required init(
    request: URLRequest,
    cachedResponse: CachedURLResponse?,
    client: (any URLProtocolClient)?
  ) {
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  /// Called when the task is resumed, on the thread that resumes it.
  public required convenience init(
    task: URLSessionTask,
    cachedResponse: CachedURLResponse?,
    client: (any URLProtocolClient)?
  ) {
    let request = task.currentRequest ?? URLRequest(url: URL(filePath: "/"))
    self.init(request: request, cachedResponse: cachedResponse, client: client)
    self.task = task
    guard let foundation = self.client else { return }
    guard let binding = Self.binding(of: task) else {
      refuse(task)
      return
    }
    let held = HeldClient()
    self.client = held
    load = MockLoad(self, of: task, client: foundation, held: held, binding: binding)
    load?.begin()
  }

  /// Fails the task, on the stage that created it; without a stage, `startLoading` does it.
  private func refuse(_ task: URLSessionTask) {
    guard let stage = Stage.current else { return }
    isRefused = true
    let refusal = Refusal(proto: self)
    stage.schedule(at: stage.now) {
      guard task.state == .running else { return }
      task.waitForWork()
      guard let queue = task.session?.delegateQueue else { return refusal.proto.fail() }
      queue.whileFoundationAdds { refusal.proto.fail() }
      queue.waitForOperations()
    }
  }

  /// Passes the protocol to its stage, which is then its only user.
  private struct Refusal: @unchecked Sendable {
    let proto: MockURLProtocol
  }

  private func fail() {
    let text = "this request is neither on a stage with a server nor from a session of such a stage"
    let error = URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: text])
    client?.urlProtocol(self, didFailWithError: error)
  }

  /// Called on the session's own queue, soon after the task is resumed.
  public override func startLoading() {
    if load == nil, !isRefused { fail() }
  }

  /// Called on the session's own queue. Does nothing, because the load checks its task itself.
  public override func stopLoading() {}

  // MARK: Servers

  /// Makes `server` answer requests on `stage` from sessions with other configurations: those that name this class in
  /// `protocolClasses`, and `URLSession.shared`. Ends when the returned object is released.
  ///
  /// Foundation on Linux looks up registered classes once, when `URLSession.shared` is first used, and puts its own
  /// classes before them once any session was created. So call this before the process creates any session; otherwise
  /// `shared` uses the network. The call also replaces `URLCache.shared`, which every default configuration uses from
  /// then on: code on stages has no cache.
  ///
  /// Call it on the thread that drives the stage. The server that was installed last is used.
  public static func install(_ server: MockServer, on stage: Stage) -> Installation {
    registration
    let binding = StageBinding(server, on: stage)
    installations.withLock { installations in
      installations.removeAll { $0.binding == nil }
      installations.append(WeakBinding(binding: binding))
    }
    return Installation(binding)
  }

  /// A server that is installed on a stage until this object is released.
  public final class Installation: Sendable {
    private let binding: StageBinding
    init(_ binding: StageBinding) { self.binding = binding }
  }

  private struct WeakBinding {
    weak var binding: StageBinding?
  }

  private static let installations = Mutex<[WeakBinding]>([])

  private static let registration: Void = {
    URLCache.shared = StageAwareCache(for: URLCache.shared)
    _ = URLProtocol.registerClass(RegisteredMockURLProtocol.self)
  }()

  static func installed(on stage: Stage) -> StageBinding? {
    installations.withLock { installations in
      installations.last { $0.binding?.stage.isStill(stage) == true }?.binding
    }
  }

  private static func binding(of task: URLSessionTask) -> StageBinding? {
    let cache = task.session?.configuration.urlCache as? BindingCache
    return cache?.binding ?? Stage.current.flatMap(installed)
  }
}

/// The class that is registered for all sessions. It ignores those that are not on a stage with a server.
final class RegisteredMockURLProtocol: MockURLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    super.canInit(with: request) && Stage.current.flatMap(installed) != nil
  }
}

extension URLSessionConfiguration {
  /// An ephemeral configuration whose sessions are answered by `server`, in the time of `stage`.
  ///
  /// Call it on the thread that drives the stage. Do not change `urlCache` and `protocolClasses`.
  public static func rehearsing(_ server: MockServer, on stage: Stage) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [MockURLProtocol.self]
    configuration.urlCache = BindingCache(StageBinding(server, on: stage))
    return configuration
  }
}

extension URLSession {
  /// A session that is answered by `server` in the time of `stage`, and that calls completion handlers and delegate on
  /// the stage, on its main actor.
  ///
  /// Call it on the thread that drives the stage.
  public static func rehearsing(
    _ server: MockServer,
    on stage: Stage,
    delegate: (any URLSessionDelegate)? = nil
  ) -> URLSession {
    URLSession(
      configuration: .rehearsing(server, on: stage),
      delegate: delegate,
      delegateQueue: StageDelegateQueue(stage)
    )
  }
}
#endif
