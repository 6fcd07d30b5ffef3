#if os(Linux) && canImport(Glibc)
import Dispatch
import Foundation
import Staging
import Testing

/// Operations of an `OperationQueue` that wait, and the random numbers of operations.
@Suite struct OperationTests {
  private let stage = Stage()

  private func blocked(_ body: @MainActor () -> Void) -> [BlockedCall] {
    stage.enter(body)
    stage.settle()
    return stage.takeBlockedCalls()
  }

  private func add(to queue: OperationQueue) { queue.addOperation {} }
  private static let lineOfAdding = #line - 1

  @Test func `a suspended queue with operations is named, with the place of each`() {
    let queue = OperationQueue()
    queue.name = "uploads"
    let calls = blocked {
      queue.isSuspended = true
      add(to: queue)
      queue.addOperation(BlockOperation {})
    }
    #expect(calls.map(\.text) == ["OperationQueue \"uploads\" is suspended with 2 operations"])
    #expect(
      calls.first?.remarks.first
        == "added in OperationTests.add() at OperationTests.swift:\(Self.lineOfAdding)"
    )
    #expect(calls.first?.remarks.count == 2)
    stage.enter { queue.isSuspended = false }
    stage.settle()
    #expect(stage.takeBlockedCalls() == [])
  }

  /// An operation that never finishes.
  private final class Endless: Operation, @unchecked Sendable {
    override var isAsynchronous: Bool { true }
    override var isFinished: Bool { false }
    override func start() {}
  }

  @Test func `an operation that waits for one that never finishes is named`() {
    let queue = OperationQueue()
    let calls = blocked {
      let first = Endless()
      let second = BlockOperation {}
      second.addDependency(first)
      queue.addOperations([first, second], waitUntilFinished: false)
    }
    #expect(
      calls.map(\.text).first
        == "OperationQueue has 1 operation that waits for another one that has not finished"
    )
    #expect(calls.count == 2)
    #expect(calls.last?.text.hasPrefix("an operation of class 'Endless' of OperationQueue") == true)
  }

  /// An asynchronous operation, which code finishes after it has returned.
  private final class Upload: Operation, @unchecked Sendable {
    private(set) var hasStarted = false
    private(set) var hasFinished = false
    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { hasStarted && !hasFinished }
    override var isFinished: Bool { hasFinished }

    override func start() {
      hasStarted = true
      didChangeValue(forKey: "isExecuting")
    }

    func finish() {
      hasFinished = true
      didChangeValue(forKey: "isExecuting")
      didChangeValue(forKey: "isFinished")
    }
  }

  private func add(_ operation: Operation, to queue: OperationQueue) {
    queue.addOperation(operation)
  }
  private static let lineOfAddingOperation = #line - 2

  @Test func `an operation that has started, and never finishes, is named`() {
    let queue = OperationQueue()
    queue.name = "uploads"
    let (first, second) = (Upload(), Upload())
    second.name = "photo"
    let calls = blocked {
      add(first, to: queue)
      add(second, to: queue)
    }
    let rest =
      "of OperationQueue \"uploads\", added in OperationTests.add(), has started and not finished"
    #expect(
      calls.map(\.text) == [
        "an operation of class 'Upload' \(rest)", "operation \"photo\" \(rest)",
      ]
    )
    #expect(
      calls.first?.remarks == [
        "added in OperationTests.add() at OperationTests.swift:\(Self.lineOfAddingOperation)"
      ]
    )
  }

  @Test func `an operation that has finished later is not named`() {
    let queue = OperationQueue()
    let upload = Upload()
    let calls = blocked {
      queue.addOperation(upload)
      DispatchQueue.main.asyncAfter(deadline: .now() + 60) { upload.finish() }
    }
    #expect(calls == [])
    #expect(stage.now.elapsed == .seconds(60))
    #expect(queue.operationCount == 0)
  }

  @Test func `operations that ran, were cancelled, or have a released queue are not named`() {
    let calls = blocked {
      let queue = OperationQueue()
      queue.addOperation {}
      queue.addBarrierBlock {}
      let other = OperationQueue()
      let cancelled = BlockOperation {}
      cancelled.cancel()
      other.addOperation(cancelled)
      // A work item that no queue has is nobody's operation.
      _ = Unmanaged.passRetained(DispatchWorkItem {})
    }
    #expect(calls == [])
  }

  @Test func `a suspended queue is forgotten after its operations are released`() {
    let calls = blocked {
      let queue = OperationQueue()
      queue.isSuspended = true
      queue.addOperation {}
      queue.cancelAllOperations()
      queue.isSuspended = false
    }
    #expect(calls == [])
  }

  // MARK: Random numbers

  private func numbers(order: Stage.Order, waits: Bool = false) -> [String] {
    let stage = Stage(order: order)
    let log = Log()
    stage.enter {
      let queue = OperationQueue()
      let first = BlockOperation { log("first \(Int.random(in: 0..<1_000_000))") }
      if waits {
        let other = BlockOperation {}
        first.addDependency(other)
        queue.addOperation(first)
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { queue.addOperation(other) }
      } else {
        queue.addOperation(first)
      }
      for number in 2...4 {
        queue.addOperation { log("\(number) \(Int.random(in: 0..<1_000_000))") }
      }
    }
    stage.settle()
    return log.lines
  }

  @Test func `no order changes the random numbers of an operation`() {
    let plain = numbers(order: .firstInFirstOut)
    #expect(Set(plain.map { $0.split(separator: " ")[1] }).count == 4)
    for seed in 0..<10 {
      let other = numbers(order: .shuffled(seed: UInt64(seed)))
      #expect(other.sorted() == plain.sorted())
    }
    // It starts after the others.
    let waiting = numbers(order: .firstInFirstOut, waits: true)
    #expect(waiting.last?.hasPrefix("first ") == true)
    #expect(Set(waiting).intersection(plain).contains { $0.hasPrefix("first ") })
  }
}
#endif
