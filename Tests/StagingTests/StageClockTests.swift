import Staging
import Testing

@Suite struct StageClockTests {
  private let stage = Stage()
  private let log = Log()

  @Test func `sleepers of one instant wake in the order of their calls`() {
    stage.enter {
      for name in ["a", "b", "c"] {
        Task { [stage, log] in
          try await stage.clock.sleep(until: StageInstant(elapsed: .seconds(1)))
          log("\(name) at \(stage.now)")
        }
      }
    }
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["a at 1s", "b at 1s", "c at 1s"])
  }

  @Test func `a sleep ends as soon as its task is cancelled, and leaves nothing`() {
    let task = stage.enter {
      Task { [stage, log] in
        do {
          try await stage.clock.sleep(for: .seconds(10))
        } catch {
          log("\(error) at \(stage.now)")
        }
      }
    }
    #expect(stage.advance(by: .seconds(1)) == .reached)
    stage.enter { task.cancel() }
    #expect(stage.pending.sleeperCount == 0)
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["CancellationError() at 1s"])
    #expect(stage.now.elapsed == .seconds(1))
  }

  @Test func `a sleep in a cancelled task does not sleep`() throws {
    try stage.run { [stage, log] in
      let task = Task {
        do { try await stage.clock.sleep(for: .seconds(10)) } catch { log("\(error)") }
      }
      task.cancel()
    }
    #expect(log.lines == ["CancellationError()"])
    #expect(stage.now == .start)
  }

  @Test func `a host that is not on the stage can cancel a sleep`() {
    let task = stage.enter {
      Task { [stage, log] in
        do { try await stage.clock.sleep(for: .seconds(10)) } catch { log("cancelled") }
      }
    }
    stage.runReady()
    task.cancel()
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["cancelled"])
    #expect(stage.now == .start)
  }

  @Test func `ten thousand cancelled sleeps cost no memory until they would have woken`() throws {
    try stage.run { [stage] in
      for _ in 0..<10_000 {
        let sleep = Task { try await stage.clock.sleep(for: .seconds(1_000_000)) }
        await Task.yield()
        sleep.cancel()
        _ = await sleep.result
      }
    }
    #expect(stage.pending.isEmpty)
    #expect(stage.now == .start)
  }

  @Test func `a deadline in the past wakes now, after those already due`() throws {
    try stage.run { [stage, log] in
      try? await stage.clock.sleep(for: .seconds(5))
      async let due: Void = stage.clock.sleep(until: stage.now)
      async let past: Void = stage.clock.sleep(until: .start)
      _ = try? await (due, past)
      log("\(stage.now)")
    }
    #expect(log.lines == ["5s"])
  }

  @Test func `a sleep on the main actor needs only the job that wakes it`() {
    let stage = Stage(keepsTrace: true)
    stage.enter {
      _ = Task { @MainActor in try? await stage.clock.sleep(for: .seconds(1)) }
    }
    stage.runReady()
    #expect(stage.trace.count == 1)
  }

  @Test func `a task outside of the stage can sleep on its clock`() async {
    let sleeper = Task { [stage, log] in
      try await stage.clock.sleep(for: .seconds(2))
      log("woke elsewhere: \(!stage.isCurrent)")
    }
    while stage.pending.sleeperCount == 0 { await Task.yield() }
    #expect(stage.settle() == .idle)
    #expect(stage.now.elapsed == .seconds(2))
    _ = await sleeper.result
    #expect(log.lines.count == 1)
  }

  @Test(arguments: [
    (Duration.zero, "0s"), (.milliseconds(1250), "1.25s"), (.nanoseconds(1), "0.000000001s"),
    (.seconds(-3), "-3s"), (Duration(secondsComponent: 0, attosecondsComponent: 1), "0.000000001s"),
  ])
  func `an instant reads as seconds since the start`(elapsed: Duration, text: String) {
    #expect(StageInstant(elapsed: elapsed).description == text)
  }

  @Test func `extreme durations are very long, not a crash`() {
    let far = StageInstant.start.advanced(by: .seconds(Int64.max))
    #expect(far > StageInstant(elapsed: .seconds(3600 * 24 * 365 * 290)))
    #expect(far.advanced(by: .seconds(1)) == far)
    stage.enter { _ = Task { [stage] in try await stage.clock.sleep(until: far) } }
    #expect(stage.settle() == .idle)
    #expect(stage.now == far)
  }
}
