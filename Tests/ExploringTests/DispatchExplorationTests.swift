#if os(Linux)
import Dispatch
import Exploring
import Foundation
import Staging
import Synchronization
import Testing

/// Searches over the orders of blocks on queues of Dispatch.
@MainActor @Suite struct DispatchExplorationTests {
  private final class Account: @unchecked Sendable {
    var balance = 100
    let queue = DispatchQueue(label: "account")
    let concurrent = DispatchQueue(label: "concurrent account", attributes: .concurrent)
  }

  @Test func `an update is lost between two queues, and the schedule replays it`() throws {
    @Sendable @MainActor func draw(_ run: ExploredRun) async {
      let account = Account()
      let group = DispatchGroup()
      for _ in 0..<2 {
        DispatchQueue.global().async(group: group) {
          let balance = account.balance
          DispatchQueue.main.async(group: group) { account.balance = balance - 10 }
        }
      }
      await withCheckedContinuation { continuation in
        group.notify(queue: .main) { continuation.resume() }
      }
      run.check(account.balance == 80, "both are drawn")
    }
    let findings = Exploration.explore(.init(.exhaustive)) { run in await draw(run) }

    let failure = try #require(findings.failures.first)
    #expect(failure.rule == "both are drawn")
    #expect(findings.outside == [])
    let outcome = Exploration.replay(failure.schedule) { run in await draw(run) }
    #expect(outcome.failure?.rule == "both are drawn")
  }

  @Test func `all orders of two serial queues are tried, and no other`() {
    let orders = Mutex<Set<[Int]>>([])
    let findings = Exploration.explore(.init(.exhaustive)) { _ in
      let order = Mutex<[Int]>([])
      let group = DispatchGroup()
      for queue in [1, 2] {
        let serial = DispatchQueue(label: "\(queue)")
        for number in 0..<2 {
          serial.async(group: group) { order.withLock { $0.append(queue * 10 + number) } }
        }
      }
      await withCheckedContinuation { continuation in
        group.notify(queue: .main) { continuation.resume() }
      }
      orders.withLock { _ = $0.insert(order.withLock(\.self)) }
    }

    #expect(findings.end == .complete)
    #expect(orders.withLock(\.self).count == 6)
    #expect(
      orders.withLock(\.self).allSatisfy { order in
        order.filter { $0 < 20 } == [10, 11] && order.filter { $0 >= 20 } == [20, 21]
      }
    )
  }

  @Test func `later blocks of one serial queue keep their order`() {
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      let order = Mutex<[Int]>([])
      let queue = DispatchQueue(label: "serial")
      for number in 0..<2 {
        queue.asyncAfter(deadline: .now() + 1) { order.withLock { $0.append(number) } }
      }
      try await Task.sleep(for: .seconds(2))
      run.check(order.withLock(\.self) == [0, 1], "the blocks keep their order")
    }
    #expect(findings.failures.isEmpty)
    #expect(findings.end == .complete)
  }

  @Test(arguments: [Strategy.random, .exhaustive])
  func `later blocks whose deadlines are counted from different instants change places`(
    strategy: Strategy
  ) {
    let orders = Mutex<Set<[Int]>>([])
    let findings = Exploration.explore(.init(strategy, seeds: 0..<200)) { _ in
      let order = Mutex<[Int]>([])
      let queue = DispatchQueue(label: "serial")
      queue.asyncAfter(deadline: .now() + .milliseconds(500)) { order.withLock { $0.append(0) } }
      try await Task.sleep(for: .milliseconds(200))
      queue.asyncAfter(deadline: .now() + .milliseconds(300)) { order.withLock { $0.append(1) } }
      try await Task.sleep(for: .seconds(2))
      orders.withLock { _ = $0.insert(order.withLock(\.self)) }
    }
    #expect(findings.failures.isEmpty)
    #expect(orders.withLock(\.self) == [[0, 1], [1, 0]])
  }

  @Test(arguments: [Strategy.random, .exhaustive])
  func `blocks of the run loop and of the main queue change places`(strategy: Strategy) {
    let orders = Mutex<Set<String>>([])
    let findings = Exploration.explore(.init(strategy, seeds: 0..<200)) { _ in
      let order = Mutex("")
      for name in ["a", "b"] {
        RunLoop.main.perform { order.withLock { $0 += name } }
        DispatchQueue.main.async { order.withLock { $0 += name.uppercased() } }
      }
      try await Task.sleep(for: .seconds(1))
      orders.withLock { _ = $0.insert(order.withLock(\.self)) }
    }
    #expect(findings.failures.isEmpty)
    #expect(orders.withLock(\.self) == ["aAbB", "aABb", "abAB", "AaBb", "AabB", "ABab"])
  }

  @Test(arguments: [Strategy.random, .pct(changes: 2), .exhaustive])
  func `a deadlock of two queues is found`(strategy: Strategy) throws {
    let findings = Exploration.explore(.init(strategy), leavesNothing: true) { _ in
      let one = DispatchQueue(label: "one")
      let other = DispatchQueue(label: "other")
      one.async { other.sync {} }
      other.async { one.sync {} }
    }
    let failure = try #require(findings.failures.first)
    #expect(failure.rule == "no thread blocks forever")
    #expect(
      failure.outcome.failure?.what.contains(
        "DispatchQueue(label: \"one\").sync in DispatchExplorationTests."
      ) == true
    )
  }

  @Test func `an operation that never starts is found`() throws {
    let explore = { (leavesNothing: Bool) in
      Exploration.explore(.init(.random, seeds: 0..<3), leavesNothing: leavesNothing) { _ in
        let queue = OperationQueue()
        queue.isSuspended = true
        queue.addOperation {}
      }
    }
    let failure = try #require(explore(true).failures.first)
    #expect(failure.rule == "no thread blocks forever")
    #expect(
      failure.outcome.failure?.what.contains("OperationQueue is suspended with 1 operation") == true
    )
    #expect(explore(false).failures.isEmpty)
  }

  /// An asynchronous operation that no code finishes.
  private final class Upload: Operation, @unchecked Sendable {
    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { true }
    override var isFinished: Bool { false }
    override func start() {}
  }

  @Test func `an operation that never finishes is found`() throws {
    let explore = { (leavesNothing: Bool) in
      Exploration.explore(.init(.random, seeds: 0..<3), leavesNothing: leavesNothing) { _ in
        OperationQueue().addOperation(Upload())
      }
    }
    let failure = try #require(explore(true).failures.first)
    #expect(failure.rule == "no thread blocks forever")
    #expect(
      failure.outcome.failure?.what
        .contains("an operation of class 'Upload' of OperationQueue") == true
    )
    #expect(explore(false).failures.isEmpty)
  }

  @Test func `a scenario that waits for an operation names it, also if work may be left`() throws {
    let findings = Exploration.explore(.init(.random, seeds: 0..<3)) { _ in
      await withUnsafeContinuation { answer in
        let queue = OperationQueue()
        queue.isSuspended = true
        queue.addOperation { answer.resume() }
      }
    }
    let failure = try #require(findings.failures.first)
    #expect(
      failure.outcome.failure?.what.contains("OperationQueue is suspended with 1 operation") == true
    )
  }

  /// How two blocks change a value; each reads it before it knows of the other one.
  nonisolated private static let updates: [(name: String, update: @Sendable (Account) -> Void)] = [
    (
      "a getter with sync and a setter with async",
      { account in
        let balance = account.queue.sync { account.balance }
        account.queue.async { account.balance = balance - 10 }
      }
    ),
    (
      "a getter with sync and a setter with a barrier",
      { account in
        let balance = account.concurrent.sync { account.balance }
        account.concurrent.async(flags: .barrier) { account.balance = balance - 10 }
      }
    ),
    (
      "a getter and a setter with sync",
      { account in
        let balance = account.queue.sync { account.balance }
        account.queue.sync { account.balance = balance - 10 }
      }
    ),
  ]

  @Test(arguments: updates.map(\.name), ["blocks", "tasks", "main-actor tasks"])
  func `an update by a property with a queue is lost`(name: String, callers: String) throws {
    let update = try #require(Self.updates.first { $0.name == name }?.update)
    let findings = Exploration.explore(.init(.exhaustive)) { run in
      let account = Account()
      switch callers {
      case "blocks":
        await withCheckedContinuation { continuation in
          let group = DispatchGroup()
          for _ in 0..<2 { DispatchQueue.global().async(group: group) { update(account) } }
          group.notify(queue: .main) { continuation.resume() }
        }
      case "tasks":
        let tasks = (0..<2).map { _ in Task.detached { update(account) } }
        for task in tasks { await task.value }
      default:
        let other = Task.detached { update(account) }
        update(account)
        await other.value
      }
      let balance = account.concurrent.sync(flags: .barrier) {
        account.queue.sync { account.balance }
      }
      run.check(balance == 80, "both are drawn")
    }
    #expect(findings.failures.first?.rule == "both are drawn")
  }

  @Test(arguments: ["sync", "wait"])
  func `the default schedule continues like a plain run`(call: String) throws {
    let order = Mutex<[String]>([])
    let run: @MainActor () async -> Void = {
      order.withLock { $0 = [] }
      let account = Account()
      let semaphore = DispatchSemaphore(value: 1)
      let group = DispatchGroup()
      for name in ["a", "b"] {
        DispatchQueue.global().async(group: group) {
          if call == "sync" { account.queue.sync {} } else { semaphore.wait() }
          order.withLock { $0.append(name) }
          if call == "sync" { account.queue.sync {} } else { semaphore.signal() }
          order.withLock { $0.append(name) }
        }
      }
      await withCheckedContinuation { continuation in
        group.notify(queue: .main) { continuation.resume() }
      }
    }
    let stage = Stage()
    stage.enter { _ = Task { await run() } }
    stage.settle()
    let plain = order.withLock(\.self)
    _ = Exploration.replay(Schedule()) { _ in await run() }
    #expect(order.withLock(\.self) == plain)
    #expect(plain == ["a", "a", "b", "b"])
  }

  @Test func `two locks in opposite orders are found, if sync is the lock`() {
    let findings = Exploration.explore(.init(.exhaustive), leavesNothing: true) { _ in
      let one = DispatchQueue(label: "one")
      let other = DispatchQueue(label: "other")
      DispatchQueue.global().async { one.sync { other.sync {} } }
      DispatchQueue.global().async { other.sync { one.sync {} } }
    }
    #expect(findings.failures.first?.rule == "no thread blocks forever")
  }

  @Test func `no schedule changes what an iteration of concurrentPerform draws`() {
    let findings = Exploration.explore(.init(.random, seeds: 0..<50)) { run in
      let drawn = Mutex<[Int: Int]>([:])
      DispatchQueue.concurrentPerform(iterations: 3) { index in
        let number = Int.random(in: 0..<1_000_000)
        drawn.withLock { $0[index] = number }
      }
      let numbers = drawn.withLock { numbers in (0..<3).map { numbers[$0] ?? 0 } }
      run.note("\(numbers)")
      run.check(Set(numbers).count == 3, "each iteration draws its own number")
    }
    #expect(findings.failures.isEmpty)
    #expect(findings.behaviours == 1)
  }

  @Test func `a lock order that cannot deadlock is explored completely`() {
    let findings = Exploration.explore(.init(.exhaustive)) { _ in
      let one = DispatchQueue(label: "one")
      let other = DispatchQueue(label: "other")
      for _ in 0..<2 { DispatchQueue.global().async { one.sync { other.sync {} } } }
    }
    #expect(findings.failures.isEmpty)
    #expect(findings.end == .complete)
  }
}
#endif
