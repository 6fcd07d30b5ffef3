import Dispatch
import Synchronization
import Testing

@testable import Staging

/// What tasks did before they began to wait, as reports of waiting tasks explain it.
@MainActor @Suite struct WaitHistoryTests {
  private let stage = Stage()

  init() { stage.keepTasks() }

  /// The remarks on the task that runs `body`, and on its child tasks.
  private func remarks(_ body: @escaping @MainActor () async -> Void) -> [String] {
    stage.enter { _ = Task { await body() } }
    _ = stage.settle()
    return stage.waitingTasks()?.tasks.flatMap { $0.remarks + $0.children.flatMap(\.remarks) } ?? []
  }

  @Test func `the layout of checked continuations is known`() {
    #expect(TaskLayout.knowsContinuations)
  }

  @Test func `a continuation that no code keeps is named`() {
    let remarks = remarks {
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    #expect(
      remarks == ["no code had resumed or kept it when the closure of the continuation returned"]
    )
  }

  #if DEBUG
  @Test func `the code that drops a continuation is named`() {
    let line = #line + 5
    let slot = Slot()
    let remarks = remarks {
      let task = Task { await slot.wait() }
      await Task.yield()
      slot.continuation = nil
      await task.value
    }
    #expect(remarks.count == 1)
    #expect(remarks.first?.hasPrefix("dropped by task 1, in closure in WaitHistoryTests.") == true)
    #expect(remarks.first?.hasSuffix(" at WaitHistoryTests.swift:\(line)") == true)
  }

  @Test func `the creator of a stream is named, also of the second of two streams`() {
    let line = #line + 7
    let remarks = remarks {
      let first = AsyncStream<Int> { continuation in
        continuation.yield(1)
        continuation.finish()
      }
      for await _ in first {}
      let (second, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.yield(1)
      for await _ in second {}
      withExtendedLifetime(continuation) {}
    }
    #expect(remarks.count == 1, "\(remarks)")
    #expect(remarks.first?.hasPrefix("the stream was created in closure in ") == true)
    #expect(remarks.first?.hasSuffix(" at WaitHistoryTests.swift:\(line)") == true, "\(remarks)")
  }

  @Test(arguments: [
    "$ss5ClockPsE5sleep3for9tolerancey8DurationQz_AGSgtYaKFTQ1_",
    // Only the call by the protocol, or an own version of the function, is left of what the compiler has inlined.
    "$ss5ClockP5sleep5until9tolerancey7InstantQz_8DurationQzSgtYaKFTjTQ0_",
    "$sScTss5NeverORszABRs_rlE6_sleep5until9tolerance5clocky7InstantQyd___8DurationQyd__Sgqd__tYaKs5ClockRd__lFZs010ContinuousH0V_Tt2B5TQ1_",
  ])
  func `a task that sleeps is recognised by each function of the library`(symbol: String) {
    #expect(WaitReason(in: [StackFunction(symbol: symbol, file: nil)]) == .sleep)
  }

  @Test func `the creator of a stream that throws is named`() {
    let line = #line + 2
    let remarks = remarks {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
      do { for try await _ in stream {} } catch {}
      withExtendedLifetime(continuation) {}
    }
    #expect(remarks.count == 1, "\(remarks)")
    #expect(remarks.first?.hasSuffix(" at WaitHistoryTests.swift:\(line)") == true, "\(remarks)")
  }

  @Test func `a child task that a cancelled group did not get is named`() {
    let line = #line + 4
    let remarks = remarks {
      await withTaskGroup(of: Void.self) { group in
        group.cancelAll()
        _ = group.addTaskUnlessCancelled {}
        withUnsafeCurrentTask { $0?.cancel() }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(remarks.dropLast().last == "its group has no child task now", "\(remarks)")
    let last = remarks.last ?? ""
    #expect(last.hasPrefix("addTaskUnlessCancelled() added no child task in closure in "))
    #expect(
      last.hasSuffix(" at WaitHistoryTests.swift:\(line), because the group was cancelled"),
      "\(last)"
    )
  }

  @Test func `the cancellation of a task is named, and that it came before the wait`() {
    let line = #line + 8
    let slot = Slot()
    let remarks = remarks {
      let task = Task {
        await Task.yield()
        await slot.wait()
      }
      // After its first step, and again while it waits.
      task.cancel()
      await Task.yield()
      await Task.yield()
      task.cancel()
      await task.value
    }
    #expect(remarks.first?.hasPrefix("cancelled before it waited here, in closure in ") == true)
    #expect(remarks.first?.hasSuffix(" at WaitHistoryTests.swift:\(line)") == true)
    #expect(remarks.count == 1)
  }

  @Test func `a cancelled group has no place of cancellation`() {
    let slot = Slot()
    let remarks = remarks {
      await withTaskGroup { group in
        group.addTask { await slot.wait() }
        group.cancelAll()
      }
    }
    #expect(remarks == [])
  }

  @Test func `an actor's values and calls are named, equal calls once`() {
    let line = #line + 3
    let counter = Counter()
    let remarks = remarks {
      for _ in 0..<2 { await counter.count() }
      await counter.wait()
    }
    #expect(remarks.count == 4, "\(remarks)")
    #expect(
      remarks.first
        == "this Counter has total = 2, name = \"sum\", limit = nil, isOpen = false, waiting = 1 element"
    )
    #expect(remarks.dropFirst().first == "the calls of this Counter, in order:")
    #expect(remarks.dropFirst(2).first?.hasSuffix(":\(line), by task 1 (2 times)") == true)
    #expect(remarks.last?.hasPrefix("  Counter.wait() at WaitHistoryTests.swift:") == true)
    #expect(remarks.last?.hasSuffix(":\(line + 1), by task 1") == true)
  }

  /// The deadlocks of two tasks. One takes `first` and may release it, the other takes `second`; then each takes the other one.
  private func deadlocks(releasing: Bool) -> [WaitReport.Deadlock]? {
    let (first, second) = (Lock(), Lock())
    stage.enter {
      Task(name: "one") {
        await first.acquire()
        if releasing { await first.release() }
        await Task.yield()
        await second.acquire()
      }
      Task(name: "other") {
        await second.acquire()
        await Task.yield()
        await first.acquire()
      }
    }
    _ = stage.settle()
    return stage.waitingTasks()?.deadlocks
  }

  @Test func `tasks that take two locks in opposite orders are probably a deadlock`() {
    let deadlocks = deadlocks(releasing: false)
    #expect(deadlocks?.map { $0.waits.map(\.task) } == [["'one'", "'other'"]])
    #expect(deadlocks?.map(\.isUncertain) == [true])
    #expect(deadlocks?.first?.waits.map(\.call) == ["Lock.acquire()", "Lock.acquire()"])
  }

  @Test func `a task that has called another function since does not hold a lock`() {
    // The lock stays taken because of a mistake in it, so both tasks wait.
    #expect(deadlocks(releasing: true) == [])
    #expect(stage.waitingTasks()?.tasks.count == 2)
  }

  @Test func `a child that waits for its parent is no deadlock if the parent waits for other code`()
  {
    let slot = Slot()
    stage.enter {
      let box = TaskBox()
      box.task = Task(name: "parent") {
        async let child: Void? = box.task?.value
        await slot.wait()
        await child
      }
    }
    _ = stage.settle()
    #expect(stage.waitingTasks()?.deadlocks == [])
  }

  @Test func `a function of an actor that comes back from elsewhere is no new call`() {
    let counter = Counter()
    let remarks = remarks {
      for _ in 0..<2 { await counter.countLater() }
      await counter.wait()
    }
    #expect(remarks.count == 4)
    #expect(remarks.dropFirst(2).first?.hasPrefix("  Counter.countLater() at ") == true)
    #expect(remarks.dropFirst(2).first?.hasSuffix(" (2 times)") == true)
  }

  @Test func `only the latest calls of an actor are named`() {
    let counter = Counter()
    let remarks = remarks {
      for _ in 0..<20 {
        await counter.count()
        await counter.open()
      }
      await counter.wait()
    }
    #expect(remarks.dropFirst().first == "the latest calls of this Counter:")
    #expect(remarks.count == 10)
  }

  @Test func `a group names each call that entered it, and the number of those that left it`() {
    let line = #line + 4
    let group = DispatchGroup()
    _ = remarks {
      for _ in 0..<3 {
        group.enter()
      }
      group.leave()
      group.notify(queue: .main) {}
    }
    let calls = stage.takeBlockedCalls()
    #expect(
      calls.map(\.text) == [
        "DispatchGroup.notify on DispatchQueue.main waits for a group that was entered 3 times and left once"
      ]
    )
    #expect(calls.first?.remarks.count == 3)
    #expect(
      calls.first?.remarks.allSatisfy {
        $0.hasPrefix("entered in closure in WaitHistoryTests.") && $0.hasSuffix(":\(line)")
      } == true
    )
    for _ in 0..<2 { group.leave() }
  }

  @Test func `a group forgets its calls when it is empty`() {
    let group = DispatchGroup()
    _ = remarks {
      group.enter()
      group.leave()
      group.enter()
      group.notify(queue: .main) {}
    }
    #expect(stage.takeBlocked().map { $0.hasSuffix("was entered once and not left") } == [true])
    group.leave()
  }
  #endif

  @Test(arguments: [
    (1, "a child task of its group has ended, and no other one is left"),
    (2, "2 child tasks of its group have ended, and no other one is left"),
  ])
  func `the child tasks of a group that have ended are counted`(count: Int, expected: String) {
    let remarks = remarks {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<count { group.addTask {} }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(remarks == [expected])
  }

  @Test func `a continuation that was resumed is not called dropped`() {
    let remarks = remarks {
      await withCheckedContinuation { $0.resume() }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(remarks == [])
  }
}

@MainActor private final class Slot {
  var continuation: CheckedContinuation<Void, Never>?

  func wait() async { await withCheckedContinuation { continuation = $0 } }
}

private actor Counter {
  private var total = 0
  private var name = "sum"
  private var limit: Int?
  private var isOpen = false
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  func count() { total += 1 }
  func countLater() async {
    await Task.detached {}.value
    total += 1
  }
  func open() { isOpen = true }
  func wait() async { await withUnsafeContinuation { waiting.append($0) } }
}

@MainActor private final class TaskBox {
  var task: Task<Void, Never>?
}

private actor Lock {
  private var isTaken = false
  private var waiting: [UnsafeContinuation<Void, Never>] = []
  private(set) var releases = 0

  func acquire() async {
    if isTaken { await withUnsafeContinuation { waiting.append($0) } }
    isTaken = true
  }

  /// Forgets to make the lock free.
  func release() { releases += 1 }
}
