#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
public import MockHTTP
public import Staging
import Synchronization

/// Brings unmodified `URLSession` code on a stage together with a `MockServer`, in virtual time.
///
///     let session = URLSession(configuration: .rehearsing(server, on: stage))
///     let (data, response) = try await session.data(from: url)
///
/// Answers come at the stage's instants. `URLSession` works on threads of its own, but nothing is left to
/// chance: a request is taken in on the stage when its task is resumed, its answer is handed to
/// Foundation on the stage, and time stands still until Foundation is done with it. The same holds for
/// cancelling, by whatever way.
///
/// Redirects are followed as Foundation does it on Linux, timeouts are those of request and configuration, in
/// virtual time, and cookies go to the configuration's storage. What Foundation on Linux cannot do with a
/// `URLProtocol` fails with `URLError.unsupportedURL` and a text: download tasks and web sockets. An answer
/// 401 comes without `WWW-Authenticate`: with it, Foundation on Linux never ends the task.
///
/// Completion handlers and delegates run on the session's delegate queue, which is a thread that the stage does
/// not know, so a `Task` made there is not on the stage; `URLSession.rehearsing` makes sessions whose queue is
/// the stage. A delegate queue that is `OperationQueue.main` is not waited for.
public class MockURLProtocol: URLProtocol {
  private var load: MockLoad?
  private var isRefused = false

  // MARK: URLProtocol

  /// Takes what is asked for by `http` and `https`.
  public override class func canInit(with request: URLRequest) -> Bool {
    ["http", "https"].contains(request.url?.scheme?.lowercased() ?? "")
  }

  /// The request as it is.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// The form without a task: nobody answers it, and loading fails with
  /// `URLError.resourceUnavailable`.
  public required init(
    request: URLRequest,
    cachedResponse: CachedURLResponse?,
    client: (any URLProtocolClient)?
  ) {
    super.init(request: request, cachedResponse: cachedResponse, client: client)
  }

  /// Called by the task when it is resumed, on the thread that resumes it.
  public required convenience init(
    task: URLSessionTask,
    cachedResponse: CachedURLResponse?,
    client: (any URLProtocolClient)?
  ) {
    let request = task.currentRequest ?? URLRequest(url: URL(filePath: "/"))
    self.init(request: request, cachedResponse: cachedResponse, client: client)
    self.task = task
    task.markVirtual()
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

  /// Has the task fail, on the stage that made it; off stages `startLoading` does it.
  private func refuse(_ task: URLSessionTask) {
    guard let stage = Stage.current else { return }
    isRefused = true
    let refusal = Refusal(proto: self)
    stage.schedule(at: stage.now) {
      guard task.state == .running else { return }
      task.waitForWork()
      refusal.proto.fail()
      task.session?.delegateQueue.waitForOperations()
    }
  }

  /// Hands the protocol to its stage, which alone uses it then.
  private struct Refusal: @unchecked Sendable {
    let proto: MockURLProtocol
  }

  private func fail() {
    let text = "this request was made neither on a stage with a server nor by a session of one"
    let error = URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: text])
    client?.urlProtocol(self, didFailWithError: error)
  }

  /// Called on the session's own queue, soon after the task was resumed.
  public override func startLoading() {
    if load == nil, !isRefused { fail() }
  }

  /// Called on the session's own queue; the load looks at its task itself.
  public override func stopLoading() {}

  // MARK: Servers

  /// Has `server` answer what is asked for on `stage` by sessions that are made of other configurations, as
  /// long as what is returned is kept: those that name this class in `protocolClasses`, and `URLSession.shared`.
  ///
  /// Linux's Foundation looks for registered classes once, when `URLSession.shared` is first used, and puts
  /// its own before them once any session was made. So the first call has to come before any session is made
  /// in the process, or `shared` goes to the network. It also replaces `URLCache.shared`, which every
  /// default configuration made later uses: for code on stages nothing is cached.
  ///
  /// On the thread that drives the stage. The latest server of a stage is the one asked.
  public static func install(_ server: MockServer, on stage: Stage) -> Installation {
    registration
    let binding = StageBinding(server, on: stage)
    installations.withLock { installations in
      installations.removeAll { $0.binding == nil }
      installations.append(WeakBinding(binding: binding))
    }
    return Installation(binding)
  }

  /// A server installed on a stage. Goes when this goes.
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

/// The one that is registered for all sessions: it leaves those alone that run on no stage with a server.
final class RegisteredMockURLProtocol: MockURLProtocol {
  override class func canInit(with request: URLRequest) -> Bool {
    super.canInit(with: request) && Stage.current.flatMap(installed) != nil
  }
}

extension URLSessionConfiguration {
  /// An ephemeral configuration whose sessions are answered by `server`, in the time of `stage`.
  ///
  /// On the thread that drives the stage. `urlCache` and `protocolClasses` have to stay as they are.
  public static func rehearsing(_ server: MockServer, on stage: Stage) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [MockURLProtocol.self]
    configuration.urlCache = BindingCache(StageBinding(server, on: stage))
    return configuration
  }
}

extension URLSession {
  /// A session that is answered by `server` in the time of `stage`, and whose completion handlers and delegate
  /// are called on the stage, on its main actor.
  ///
  /// On the thread that drives the stage.
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
