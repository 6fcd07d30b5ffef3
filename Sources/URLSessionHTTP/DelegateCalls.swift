#if canImport(FoundationNetworking)
import Dispatch
import Foundation
import Staging
import Synchronization

/// The delegate queue of a mock session: its operations run on a stage, as closures on the main actor, in the order of their
/// arrival. Other jobs may run between two of them. A callback on another queue is named.
final class StageDelegateQueue: OperationQueue, @unchecked Sendable {
  private let stage: WeakStage
  fileprivate let count = Atomic<Int>(0)
  /// The operations that have not ended.
  private let blocks = Mutex<[@Sendable () -> Void]>([])

  init(_ stage: Stage) {
    self.stage = WeakStage(stage)
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    count.wrappingAdd(1, ordering: .relaxed)
    guard let stage = stage.value else { return super.addOperation(block) }
    let isFirst = blocks.withLock { blocks in
      blocks.append(block)
      return blocks.count == 1
    }
    if isFirst { runNext(on: stage) }
  }

  private func runNext(on stage: Stage) {
    stage.schedule(at: stage.now) {
      self.blocks.withLock(\.first)?()
      let isLast = self.blocks.withLock { blocks in
        blocks.removeFirst()
        return blocks.isEmpty
      }
      if !isLast { self.runNext(on: stage) }
    }
  }
}

/// A weak reference to a stage, because its sessions and their delegates often belong to tasks on it.
struct WeakStage: @unchecked Sendable {
  // Written once, before other threads see it.
  private weak var stage: Stage?

  init(_ stage: Stage) { self.stage = stage }

  /// The stage. While the stage is being closed and the weak reference is nil, the current stage.
  var value: Stage? { stage ?? Stage.current }

  /// Whether it refers to this stage, without the fallback.
  func isStill(_ other: Stage) -> Bool { stage === other }
}

extension OperationQueue {
  /// Whether `body` added operations.
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

  /// Waits until the added operations have run, on any thread; at most ten seconds, in case one of them waits for this
  /// thread.
  func waitForOperations() {
    guard !isOfStage, !isSuspended else { return }
    Stage.withoutStage {
      let isDone = DispatchSemaphore(value: 0)
      addBarrierBlock { isDone.signal() }
      _ = isDone.wait(timeout: .now() + .seconds(10))
    }
  }

  /// Adds work of a session for its task. It is not recorded on the stage, because it is not from code on the stage.
  func addForSession(_ block: @escaping @Sendable () -> Void) {
    whileFoundationAdds { addOperation(block) }
  }

  /// Runs `body`, in which Foundation adds operations for a delegate. The operations of a queue that is neither the
  /// stage's nor the main queue run on Foundation's threads, and `waitForOperations` waits for them.
  func whileFoundationAdds(_ body: () -> Void) {
    if isOfStage { body() } else { Stage.asOnItsThread(body) }
  }

  /// Each stage has its own main queue. Only a main queue has this name.
  var isOfStage: Bool {
    self is StageDelegateQueue || name == "NSOperationQueue Main Queue"
  }

  private func suspend(_ isSuspended: Bool) {
    Stage.withoutStage { self.isSuspended = isSuspended }
  }
}
#endif
