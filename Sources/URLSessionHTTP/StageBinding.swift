#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import MockHTTP
import Staging
import Synchronization

/// A server that answers what code on a stage asks for, and the loads that are under way.
final class StageBinding: Sendable {
  let server: MockServer
  let stage: WeakStage
  private let state = Mutex<(loads: [MockLoad], watch: QuietWatch?)>(([], nil))

  /// On the thread that drives the stage.
  init(_ server: MockServer, on stage: Stage) {
    self.server = server
    self.stage = WeakStage(stage)
    let watch = stage.whenQuiet { [weak self] in self?.lookAtLoads() }
    state.withLock { $0.watch = watch }
  }

  func add(_ load: MockLoad) { state.withLock { $0.loads.append(load) } }

  func remove(_ load: MockLoad) { state.withLock { $0.loads.removeAll { $0 === load } } }

  /// Foundation calls nobody when a task is cancelled, suspended or resumed; so each is asked.
  @MainActor private func lookAtLoads() {
    for load in state.withLock({ $0.loads }) { load.followTask() }
  }
}

/// How a configuration, of which every session keeps a copy, knows its server: as the one part of it that may
/// be an object of a class of ours. It caches nothing, and says so at once, so that a task begins on the
/// thread that resumes it.
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

/// The process's cache, which answers at once that it has nothing when a stage asks.
final class StageAwareCache: URLCache, @unchecked Sendable {
  private let others: URLCache

  /// - Parameter others: the cache of those who run on no stage.
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
