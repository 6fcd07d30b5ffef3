#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import Staging
import Synchronization

/// A delegate queue whose operations run on a stage, as closures on the main actor, in the order in which
/// they came.
final class StageDelegateQueue: OperationQueue, @unchecked Sendable {
  private let stage: WeakStage
  fileprivate let count = Atomic<Int>(0)

  init(_ stage: Stage) {
    self.stage = WeakStage(stage)
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    count.wrappingAdd(1, ordering: .relaxed)
    guard let stage = stage.value else { return super.addOperation(block) }
    stage.schedule(at: stage.now) { block() }
  }
}

/// A stage that somebody else keeps: its sessions and their delegates often belong to tasks on it.
struct WeakStage: @unchecked Sendable {
  // Written once, before anybody else sees it.
  private weak var stage: Stage?

  init(_ stage: Stage) { self.stage = stage }

  /// The stage; the one that closes it when its own name has gone.
  var value: Stage? { stage ?? Stage.current }

  /// Whether it is this very stage, by its own name.
  func isStill(_ other: Stage) -> Bool { stage === other }
}

extension OperationQueue {
  /// Whether `body` had operations added.
  func takesOperations(during body: () -> Void) -> Bool {
    if let queue = self as? StageDelegateQueue {
      let before = queue.count.load(ordering: .relaxed)
      body()
      return queue.count.load(ordering: .relaxed) > before
    }
    let wasSuspended = isSuspended
    suspend(true)
    defer { suspend(wasSuspended) }
    let before = operationCount
    body()
    return operationCount > before
  }

  /// Waits until what was added has run, on whatever threads; ten seconds at most, in case that one of the
  /// operations waits for this thread.
  func waitForOperations() {
    guard !(self is StageDelegateQueue), !isSuspended, self !== OperationQueue.main else { return }
    Stage.withoutStage {
      let isDone = DispatchSemaphore(value: 0)
      addBarrierBlock { isDone.signal() }
      _ = isDone.wait(timeout: .now() + .seconds(10))
    }
  }

  /// Adds work of a session for its task. A stage does not note it, because the code on the stage did not give it.
  func addForSession(_ block: @escaping @Sendable () -> Void) {
    if self is StageDelegateQueue { return addOperation(block) }
    Stage.withoutStage { addOperation(block) }
  }

  private func suspend(_ isSuspended: Bool) {
    Stage.withoutStage { self.isSuspended = isSuspended }
  }
}
#endif
