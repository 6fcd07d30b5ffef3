import Foundation
import Staging
import Synchronization
import Testing

/// A sleep registers for cancellation without a closure. These tests cover the order and races of
/// that.
@Suite struct CancellationTests {
  private let stage = Stage()
  private let log = Log()

  @Test func `other threads can cancel tasks that sleep repeatedly`() {
    let tasks = stage.enter {
      (0..<1_000).map { index in
        Task { [stage, log] in
          while (try? await stage.clock.sleep(for: .nanoseconds(1 + index % 3))) != nil {}
          log("ended")
        }
      }
    }
    stage.advance(by: .nanoseconds(10))
    let cancellers = [Canceller(of: tasks.prefix(500)), Canceller(of: tasks.suffix(500))]
    while !cancellers.allSatisfy(\.isDone) { stage.advance(by: .nanoseconds(10)) }
    stage.advance(by: .nanoseconds(10))

    #expect(log.lines.count == tasks.count)
    #expect(stage.pending.isEmpty)
  }

  @Test func `a handler around several sleeps is called once, and ends the current sleep`() {
    let task = stage.enter {
      Task { [stage, log] in
        await withTaskCancellationHandler {
          try? await stage.clock.sleep(for: .seconds(1))
          try? await stage.clock.sleep(until: StageInstant(elapsed: .seconds(100)))
          log("ended at \(stage.now)")
        } onCancel: {
          log("cancelled at \(stage.now)")
        }
      }
    }
    stage.advance(by: .seconds(2))
    stage.enter { task.cancel() }
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["cancelled at 2s", "ended at 2s"])
  }

  @Test func `cancelling a group ends the sleeps of its children`() throws {
    try stage.run { [stage, log] in
      await withTaskGroup { group in
        for seconds in [1, 50, 100] {
          group.addTask {
            let woke: Void? = try? await stage.clock.sleep(for: .seconds(seconds))
            log("\(seconds): \(woke == nil ? "cancelled" : "woke") at \(stage.now)")
          }
        }
        await group.next()
        group.cancelAll()
      }
    }
    #expect(Set(log.lines) == ["1: woke at 1s", "50: cancelled at 1s", "100: cancelled at 1s"])
  }
}

/// A thread that cancels tasks, one after the other.
private final class Canceller: Sendable {
  private let done = Atomic(false)

  init(of tasks: some Sequence<Task<Void, Never>> & Sendable) {
    Thread.detachNewThread {
      for task in tasks { task.cancel() }
      self.done.store(true, ordering: .releasing)
    }
  }

  var isDone: Bool { done.load(ordering: .acquiring) }
}
