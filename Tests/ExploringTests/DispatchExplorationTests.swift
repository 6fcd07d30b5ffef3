#if os(Linux)
import Dispatch
import Exploring
import Foundation
import Synchronization
import Testing

/// Searches over the orders of blocks on queues of Dispatch.
@MainActor @Suite struct DispatchExplorationTests {
  private final class Account: @unchecked Sendable {
    var balance = 100
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
