#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import MockHTTP
import Staging
import Synchronization

/// The server for the requests of code on a stage, and the active loads.
final class StageBinding: Sendable {
  let server: MockServer
  let stage: WeakStage
  private let state = Mutex<(loads: [MockLoad], watch: QuietWatch?)>(([], nil))

  /// Must be called on the thread that drives the stage.
  init(_ server: MockServer, on stage: Stage) {
    self.server = server
    self.stage = WeakStage(stage)
    stage.answersRequests()
    let watch = stage.whenQuiet { [weak self] in self?.checkLoads() }
    state.withLock { $0.watch = watch }
  }

  func add(_ load: MockLoad) { state.withLock { $0.loads.append(load) } }

  func remove(_ load: MockLoad) { state.withLock { $0.loads.removeAll { $0 === load } } }

  /// Checks every load, because Foundation has no callback for a cancelled, suspended or resumed task.
  @MainActor private func checkLoads() {
    for load in state.withLock({ $0.loads }) { load.followTask() }
  }
}

/// A cache that stores the server of a configuration. It is the only part of a configuration that can be a custom object
/// and that every session keeps. It caches nothing and answers at once, so that a task begins on the thread that
/// resumes it.
final class BindingCache: URLCache, @unchecked Sendable {
  let binding: StageBinding

  init(_ binding: StageBinding) {
    self.binding = binding
    super.init(memoryCapacity: 0, diskCapacity: 0, diskPath: nil)
  }

  override func getCachedResponse(
    for dataTask: URLSessionDataTask,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(nil)
  }
}

/// The process's cache. For code on a stage it answers at once that it is empty.
final class StageAwareCache: URLCache, @unchecked Sendable {
  private let others: URLCache

  /// - Parameter others: the cache for code that is not on a stage.
  init(for others: URLCache) {
    self.others = others
    super.init(
      memoryCapacity: others.memoryCapacity,
      diskCapacity: others.diskCapacity,
      diskPath: nil
    )
  }

  override func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    Stage.current == nil ? others.cachedResponse(for: request) : nil
  }

  override func storeCachedResponse(_ response: CachedURLResponse, for request: URLRequest) {
    if Stage.current == nil { others.storeCachedResponse(response, for: request) }
  }

  override func getCachedResponse(
    for dataTask: URLSessionDataTask,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    guard Stage.current == nil else { return completionHandler(nil) }
    others.getCachedResponse(for: dataTask, completionHandler: completionHandler)
  }

  override func storeCachedResponse(
    _ response: CachedURLResponse,
    for dataTask: URLSessionDataTask
  ) {
    if Stage.current == nil { others.storeCachedResponse(response, for: dataTask) }
  }

  override func removeAllCachedResponses() { others.removeAllCachedResponses() }
}
#endif
