import AsyncAlgorithms
import Foundation
import Staging
import Testing

@Suite struct UnmodifiedCodeTests {
  private let stage = Stage()
  private let log = Log()

  private func lines(
    of body: @escaping @Sendable @isolated(any) () async -> Void
  ) throws -> [String] {
    try stage.run(body)
    return log.lines
  }

  @Test func `Task.sleep takes virtual time to the nanosecond, and no real time`() throws {
    let lines = try lines { [stage, log] in
      try? await Task.sleep(for: .seconds(3600))
      log("\(stage.now)")
      try? await Task.sleep(nanoseconds: 1)
      log("\(stage.now)")
    }
    #expect(lines == ["3600s", "3600.000000001s"])
  }

  @Test func `ContinuousClock and SuspendingClock measure virtual time`() throws {
    let lines = try lines { [log] in
      let start = ContinuousClock.now
      let suspending = SuspendingClock.now
      try? await Task.sleep(until: start + .milliseconds(1500), clock: .continuous)
      log("\(ContinuousClock.now - start) \(SuspendingClock.now - suspending)")
      try? await SuspendingClock().sleep(until: suspending + .seconds(2), tolerance: nil)
      log("\(await ContinuousClock().measure { try? await Task.sleep(for: .seconds(7)) })")
    }
    #expect(lines == ["1.5 seconds 1.5 seconds", "7.0 seconds"])
  }

  @Test func `Date starts at the reference date and follows the stage`() throws {
    let lines = try lines { [log] in
      log("\(Date().timeIntervalSinceReferenceDate)")
      try? await Task.sleep(for: .milliseconds(250))
      log("\(Date().timeIntervalSinceReferenceDate)")
    }
    #expect(lines == ["0.0", "0.25"])
    #expect(Date().timeIntervalSinceReferenceDate > 1_000_000)
  }

  @Test func `main-actor code is on the main actor, and other code is not`() throws {
    @Sendable nonisolated func writeFromTheMainActor(_ line: String) {
      MainActor.assumeIsolated { log(line) }
    }
    let lines = try lines { @MainActor in
      MainActor.assertIsolated()
      try? await Task.sleep(for: .seconds(1))
      writeFromTheMainActor("on it")
      let elsewhere = Task.detached { await MainActor.run { MainActor.assertIsolated() } }
      await elsewhere.value
    }
    #expect(lines == ["on it"])
  }

  @Test func `task groups wait for all of their children`() throws {
    let lines = try lines { [stage, log] in
      await withTaskGroup(of: Int.self) { group in
        for delay in [3, 1, 2] {
          group.addTask {
            try? await Task.sleep(for: .seconds(delay))
            return delay
          }
        }
        for await delay in group { log("\(delay) at \(stage.now)") }
      }
    }
    #expect(lines == ["1 at 1s", "2 at 2s", "3 at 3s"])
  }

  @Test func `async let, detached tasks and actors share the stage`() throws {
    actor Counter {
      private var count = 0
      func increment() async -> Int {
        try? await Task.sleep(for: .seconds(1))
        count += 1
        return count
      }
    }
    let lines = try lines { [stage, log] in
      let counter = Counter()
      async let first = counter.increment()
      let second = Task.detached { await counter.increment() }
      log("\(await first + second.value) at \(stage.now), \(stage.isCurrent)")
    }
    #expect(lines == ["3 at 1s, true"])
  }

  @Test func `AsyncStream delivers at the instant of its yield`() throws {
    let lines = try lines { [stage, log] in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task {
        for value in 1...3 {
          try? await Task.sleep(for: .seconds(value))
          continuation.yield(value)
        }
        continuation.finish()
      }
      for await value in stream { log("\(value) at \(stage.now)") }
    }
    #expect(lines == ["1 at 1s", "2 at 3s", "3 at 6s"])
  }

  @Test func `debounce and merge of swift-async-algorithms run in virtual time`() throws {
    @Sendable func typed(_ text: String, _ delays: [Int]) -> AsyncStream<String> {
      AsyncStream { continuation in
        Task {
          for (letter, delay) in zip(text, delays) {
            try? await Task.sleep(for: .milliseconds(delay))
            continuation.yield(String(letter))
          }
          continuation.finish()
        }
      }
    }
    let lines = try lines { [stage, log] in
      let merged = merge(typed("abc", [0, 50, 450]), typed("xy", [70, 700]))
      for await letter in merged.debounce(for: .milliseconds(100)) {
        log("\(letter) at \(stage.now)")
      }
    }
    #expect(lines == ["x at 0.17s", "c at 0.6s", "y at 0.77s"])
  }

  @Test func `a debounce works on the stage's own clock too`() throws {
    let lines = try lines { [stage, log] in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task {
        for value in 1...3 {
          try? await stage.clock.sleep(for: .milliseconds(10))
          continuation.yield(value)
        }
        try? await stage.clock.sleep(for: .seconds(1))
        continuation.finish()
      }
      for await value in stream.debounce(for: .milliseconds(100), clock: stage.clock) {
        log("\(value) at \(stage.now)")
      }
    }
    #expect(lines == ["3 at 0.13s"])
  }
}
