import Staging
import Testing

/// A cancelled `Task.sleep` wakes its task at once, but leaves a job that is due at the deadline.
@Suite struct StaleSleepTests {
  private let stage = Stage()
  private let log = Log()

  @Test func `no time passes for a cancelled Task.sleep`() {
    let task = stage.enter {
      Task { [stage, log] in
        do {
          try await Task.sleep(for: .seconds(100))
        } catch {
          log("\(error) at \(stage.now)")
        }
      }
    }
    stage.advance(by: .seconds(1))
    #expect(stage.pending.sleeperCount == 1)
    stage.enter { task.cancel() }
    #expect(stage.pending.sleeperCount == 0)
    #expect(stage.settle() == .idle)
    #expect(stage.now.elapsed == .seconds(1))
    #expect(log.lines == ["CancellationError() at 1s"])
  }

  @Test func `no time passes for a cancelled Task.sleep on an actor or in a group`() throws {
    actor Sleepy {
      func sleep() async { try? await Task.sleep(for: .seconds(100)) }
    }
    try stage.run { [stage] in
      let sleepy = Sleepy()
      let task = Task {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 { group.addTask { await sleepy.sleep() } }
        }
      }
      try? await stage.clock.sleep(for: .seconds(1))
      task.cancel()
    }
    #expect(stage.now.elapsed == .seconds(1))
  }

  @Test func `a live sleep after a cancelled one is kept`() throws {
    try stage.run { [stage, log] in
      let task = Task { try await Task.sleep(for: .seconds(5)) }
      Task {
        try await Task.sleep(for: .seconds(10))
        log("\(stage.now)")
      }
      try? await Task.sleep(for: .seconds(1))
      task.cancel()
    }
    #expect(log.lines == ["10s"])
  }

  @Test func `a sleep that ignores cancellation continues`() {
    let sleeper: any OldSleeper = DeprecatedSleeper()
    let task = stage.enter {
      Task { [stage, log] in
        await sleeper.sleep(nanoseconds: 5_000_000_000)
        log("\(stage.now)")
      }
    }
    stage.runReady()
    stage.enter { task.cancel() }
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["5s"])
  }
}

/// Calls `Task.sleep(_:)`, which is deprecated but still in use.
private protocol OldSleeper: Sendable {
  func sleep(nanoseconds: UInt64) async
}

private struct DeprecatedSleeper: OldSleeper {
  @available(*, deprecated, message: "It calls a deprecated function.")
  func sleep(nanoseconds: UInt64) async { await Task.sleep(nanoseconds) }
}
