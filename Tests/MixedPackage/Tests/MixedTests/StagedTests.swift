import Dispatch
import Foundation
import RehearsalTesting
import Testing

/// Tests in virtual time. Others of the package run in real time.
@Suite struct StagedTests {
  @Test(.rehearsed, arguments: [1, 3_600])
  func `a sleep takes no real time`(seconds: Int) async throws {
    let start = ContinuousClock.now
    try await Task.sleep(for: .seconds(seconds))
    #expect(ContinuousClock.now - start == .seconds(seconds))
  }

  @Test(.rehearsed) func `queues and timers are virtual`() async {
    let start = Date()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + 60) { continuation.resume() }
    }
    #expect(Date().timeIntervalSince(start) == 60)
  }

  @Test(.explored) func `each order gives the sum`() async {
    let counter = Counter()
    await withTaskGroup { group in
      for number in 1...3 { group.addTask { await counter.add(number) } }
    }
    #expect(await counter.sum == 6)
  }

  /// Fails on purpose, always by the same schedule.
  @Test(.explored) func `the last writer wins`() async throws {
    let counter = Counter()
    let first = Task { await counter.set(1) }
    let second = Task { await counter.set(2) }
    _ = await (first.value, second.value)
    #expect(await counter.sum == 2)
  }

  @Test(.explored) func `nobody answers`() async {
    await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
  }
}
