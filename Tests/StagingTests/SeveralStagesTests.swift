import Foundation
import Staging
import Synchronization
import Testing

@Suite struct SeveralStagesTests {
  @Test func `a job of one stage can drive another`() throws {
    let outer = Stage()
    let log = Log()
    try outer.run {
      try? await Task.sleep(for: .seconds(5))
      let inner = Stage()
      try inner.run { @MainActor in
        try? await Task.sleep(for: .seconds(1))
        MainActor.assertIsolated()
        log("inner \(inner.now), current \(inner.isCurrent)")
      }
      log("outer \(outer.now), current \(outer.isCurrent)")
      try? await Task.sleep(for: .seconds(1))
      log("outer \(outer.now)")
    }
    #expect(
      log.lines == [
        "inner 1s, current true", "outer 5s, current true", "outer 6s",
      ]
    )
    #expect(Stage.current == nil)
  }

  @Test func `a test's own task that a stage wakes does not move to the stage`() async throws {
    let door = Door()
    let waiting = Task {
      await door.wait()
      #expect(Stage.current == nil)
      #expect(Date().timeIntervalSinceReferenceDate > 1_000_000)
    }
    while !door.isWaitedFor { await Task.yield() }
    try Stage().run { door.open() }
    await waiting.value
    #expect(Stage.current == nil)
  }

  @Test(arguments: 0..<20)
  func `stages on several threads do not affect each other`(number: Int) async throws {
    let stage = Stage()
    let log = Log()
    try stage.run { @MainActor in
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<50 {
          group.addTask {
            try? await Task.sleep(for: .milliseconds(50 - index))
            if !stage.isCurrent { log("on another stage") }
          }
        }
      }
      log("\(stage.now)")
    }
    #expect(log.lines == ["0.05s"])
  }

  @Test(arguments: 0..<4)
  func `concurrent real-time tests keep real time`(number: Int) async throws {
    let start = ContinuousClock.now
    try await Task.sleep(for: .milliseconds(20))
    await MainActor.run { #expect(Stage.current == nil) }
    let elapsed = ContinuousClock.now - start
    #expect(elapsed >= .milliseconds(20))
    #expect(Stage.current == nil)
    #expect(Date().timeIntervalSinceReferenceDate > 1_000_000)
  }

  @Test @MainActor func `a test on the main actor can drive a stage`() async {
    let stage = Stage()
    var lines: [String] = []
    stage.schedule(at: StageInstant(elapsed: .seconds(1))) { lines.append("\(stage.now)") }
    #expect(stage.settle() == .idle)
    #expect(lines == ["1s"])
    await Task.yield()
    MainActor.assertIsolated()
  }

  @Test func `a stage may be made on one thread and driven on another`() async {
    let stage = Stage()
    stage.enter { _ = Task { try await Task.sleep(for: .seconds(1)) } }
    let stop: Stage.Stop = await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: stage.settle()) }
    }
    #expect(stop == .idle)
    #expect(stage.now.elapsed == .seconds(1))
  }
}
