import Staging
import Synchronization
import Testing

/// Counts its live instances.
private final class Token: Sendable {
  private let alive: Counter
  init(_ alive: Counter) {
    self.alive = alive
    alive.add(1)
  }
  deinit { alive.add(-1) }
}

private final class Counter: Sendable {
  private let value = Atomic<Int>(0)
  func add(_ change: Int) { value.wrappingAdd(change, ordering: .relaxed) }
  var count: Int { value.load(ordering: .relaxed) }
}

@Suite struct ClosingTests {
  private let alive = Counter()
  private let log = Log()

  /// Tasks that sleep in every possible way, each with a token.
  private func fill(_ stage: Stage) {
    stage.enter { [alive, log] in
      let clock = stage.clock
      for _ in 0..<10 {
        let token = Token(alive)
        Task {
          do { try await clock.sleep(for: .seconds(1)) } catch { log("\(error)") }
          withExtendedLifetime(token) {}
        }
        Task { @MainActor in
          do { try await Task.sleep(for: .seconds(1)) } catch { log("\(error)") }
          withExtendedLifetime(token) {}
        }
        stage.schedule(at: StageInstant(elapsed: .seconds(1))) { withExtendedLifetime(token) {} }
      }
    }
    stage.runReady()
  }

  @Test func `closing ends all sleeps with CancellationError, at once`() {
    let stage = Stage()
    fill(stage)
    #expect(alive.count == 10)
    #expect(stage.pending.sleeperCount == 30)
    #expect(stage.close() == .idle)
    #expect(log.lines == Array(repeating: "CancellationError()", count: 20))
    #expect(alive.count == 0)
    #expect(stage.now == .start)
    #expect(stage.pending.isEmpty)
  }

  /// Used by one thread only.
  private final class Handle: @unchecked Sendable { var scheduled: Scheduled? }

  @Test func `a closure that retains its own cancellation is released`() {
    let ends: [(Stage, Handle) -> Void] = [
      { stage, _ in stage.close() }, { stage, _ in stage.settle() },
      { stage, handle in stage.enter { handle.scheduled?.cancel() } },
    ]
    for end in ends {
      let stage = Stage()
      do {
        let handle = Handle()
        stage.enter { [alive] in
          let token = Token(alive)
          handle.scheduled = stage.schedule(at: StageInstant(elapsed: .seconds(1))) {
            withExtendedLifetime((handle, token)) {}
          }
        }
        #expect(alive.count == 1)
        end(stage, handle)
      }
      #expect(alive.count == 0)
    }
  }

  @Test func `a loop that ignores errors does not delay a closing stage`() {
    let stage = Stage()
    let clock = stage.clock
    stage.enter { _ = Task { while true { try? await clock.sleep(for: .seconds(1)) } } }
    stage.runReady()
    #expect(stage.close(limit: 1000).limit == .jobsAtOneInstant(1000))
  }

  @Test func `a released stage leaks no task`() {
    for order in [Stage.Order.firstInFirstOut, .shuffled(seed: 1)] {
      var stage: Stage? = Stage(order: order)
      if let stage { fill(stage) }
      weak let watched = stage
      stage = nil
      #expect(watched == nil)
      #expect(alive.count == 0)
    }
  }

  @Test func `code that runs while a released stage closes has a current stage`() {
    var stage: Stage? = Stage()
    stage?.enter {
      let clock = stage?.clock
      _ = Task { [log] in
        try? await clock?.sleep(for: .seconds(1))
        log("\(Stage.current?.isCurrent ?? false)")
      }
    }
    stage?.runReady()
    stage = nil
    #expect(log.lines == ["true"])
  }

  @Test func `closing cancels the tasks of run`() {
    let stage = Stage()
    let error = #expect(throws: Stage.Unfinished.self) {
      try stage.run(limit: 100) { [log] in
        while !Task.isCancelled { await Task.yield() }
        log("stopped")
      }
    }
    #expect(error?.stop.limit == .jobsAtOneInstant(100))
    #expect(stage.close() == .idle)
    #expect(log.lines == ["stopped"])
  }

  @Test func `closing gives up on a task that ignores its cancellation`() {
    let stage = Stage()
    stage.enter { _ = Task { while true { try? await Task.sleep(for: .seconds(1)) } } }
    stage.runReady()
    #expect(stage.close(limit: 1000).limit == .jobsAtOneInstant(1000))
  }

  @Test func `a sleep that begins on a closed stage fails at once`() throws {
    let stage = Stage()
    stage.close()
    try stage.run { [log] in
      do { try await stage.clock.sleep(for: .seconds(1)) } catch { log("\(error)") }
    }
    #expect(log.lines == ["CancellationError()"])
  }

  @Test func `a loop that ignores its cancellation does not keep a stage from closing`() {
    let stage = Stage()
    _ = stage.enter { [log] in
      Task.detached {
        log("started")
        while true { try? await Task.sleep(for: .seconds(1)) }
      }
    }
    stage.advance(by: .seconds(3))
    // Without an end of the loop, this call never returns.
    #expect(stage.close() == .idle)
    #expect(log.lines == ["started"])
  }

}
