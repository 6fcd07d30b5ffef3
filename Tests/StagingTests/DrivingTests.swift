import Foundation
import Staging
import Synchronization
import Testing

@Suite struct DrivingTests {
  private let stage = Stage()
  private let log = Log()

  /// A task that logs the time every second, a number of times.
  private func tick(_ count: Int) {
    stage.enter {
      _ = Task { [stage, log] in
        for _ in 0..<count {
          try await stage.clock.sleep(for: .seconds(1))
          log("\(stage.now)")
        }
      }
    }
  }

  @Test func `enter runs its body on the main actor and nothing else`() {
    let value = stage.enter {
      MainActor.assertIsolated()
      _ = Task { [log] in log("ran") }
      return stage.isCurrent && Stage.current === stage
    }
    #expect(value)
    #expect(log.lines == [])
    #expect(!stage.isCurrent)
    #expect(stage.pending.readyJobs == 1)
  }

  @Test func `enter rethrows the error of its body`() {
    #expect(throws: CancellationError.self) { try stage.enter { throw CancellationError() } }
    #expect(Stage.current == nil)
  }

  @Test func `runReady moves no time`() {
    tick(1)
    #expect(stage.runReady() == .reached)
    #expect(stage.now == .start)
    #expect(stage.settle() == .idle)
    #expect(stage.runReady() == .idle)
  }

  @Test func `step goes to the next instant with work, and does all of it`() {
    tick(2)
    stage.schedule(at: StageInstant(elapsed: .seconds(1))) { [log] in log("beside") }
    #expect(stage.step() == .reached)
    #expect(stage.now == .start)
    #expect(stage.step() == .reached)
    #expect(log.lines == ["beside", "1s"])
    #expect(stage.step() == .reached)
    #expect(log.lines.last == "2s")
    #expect(stage.step() == .idle)
  }

  @Test func `advance stops exactly at its end, after all work that is due there`() {
    tick(10)
    #expect(stage.advance(by: .milliseconds(2500)) == .reached)
    #expect(log.lines == ["1s", "2s"])
    #expect(stage.now.elapsed == .milliseconds(2500))
    #expect(stage.advance(by: .milliseconds(500)) == .reached)
    #expect(log.lines.last == "3s")
  }

  @Test func `time advances also when nothing is left, and never backwards`() {
    #expect(stage.advance(by: .seconds(5)) == .reached)
    #expect(stage.advance(by: .seconds(-5)) == .reached)
    #expect(stage.now.elapsed == .seconds(5))
  }

  @Test func `settle runs until nothing is left`() {
    tick(3)
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["1s", "2s", "3s"])
    #expect(stage.pending.isEmpty)
  }

  @Test func `settle within a time reports the waiting work, and when it is due`() throws {
    tick(3)
    let stop = stage.settle(within: .milliseconds(2500))
    guard case .bound(let bound) = stop else {
      Issue.record("\(stop)")
      return
    }
    #expect(bound.limit == .time(within: .milliseconds(2500)))
    #expect(bound.at.elapsed == .milliseconds(2500))
    #expect(bound.pending.sleeperCount == 1)
    let sleeper = try #require(bound.pending.sleepers.first)
    #expect(sleeper.until.elapsed == .seconds(3))
    #expect(sleeper.kind == .stageClock)
  }

  @Test func `a yield loop and an endless poll are stopped by different bounds`() {
    let loop = Stage()
    loop.enter { _ = Task { while true { await Task.yield() } } }
    #expect(loop.settle(limit: 1000).limit == .jobsAtOneInstant(1000))
    #expect(loop.now == .start)

    let poll = Stage()
    poll.enter { _ = Task { while true { try await Task.sleep(for: .seconds(1)) } } }
    #expect(poll.settle(limit: 1000).limit == .instants(1000))
    #expect(poll.now.elapsed == .seconds(1000))
    #expect(poll.pending.sleepers.map(\.kind) == [.taskSleep])
  }

  @Test func `exactly as many jobs as the limit do not reach it`() {
    for _ in 0..<5 { stage.schedule(at: .start) {} }
    #expect(stage.settle(limit: 5) == .idle)
    for _ in 0..<6 { stage.schedule(at: .start) {} }
    #expect(stage.settle(limit: 5).limit == .jobsAtOneInstant(5))
    #expect(stage.settle(limit: 5) == .idle)
  }

  @Test func `an interruption stops the driving call, and the work can continue`() {
    stage.schedule(at: .start) { [stage] in stage.interrupt() }
    tick(1)
    #expect(stage.settle() == .interrupted)
    #expect(log.lines == [])
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["1s"])
  }

  @Test func `another thread can interrupt a yield loop`() {
    stage.enter { _ = Task { while true { await Task.yield() } } }
    Thread.detachNewThread { [stage] in stage.interrupt() }
    #expect(stage.settle(limit: .max) == .interrupted)
  }

  @Test func `another thread can ask for the time while it moves`() {
    stage.enter { _ = Task { while true { try await Task.sleep(for: .milliseconds(1)) } } }
    Thread.detachNewThread { [stage] in
      while stage.now < StageInstant(elapsed: .seconds(1)) { Thread.sleep(forTimeInterval: 0.001) }
      stage.interrupt()
    }
    #expect(stage.settle(limit: .max) == .interrupted)
    #expect(stage.now >= StageInstant(elapsed: .seconds(1)))
  }

  @Test func `scheduled closures run on the main actor at their instants, unless cancelled`() {
    let cancelled = stage.schedule(at: StageInstant(elapsed: .seconds(1))) { [log] in log("no") }
    for delay in [2, 1] {
      stage.schedule(at: StageInstant(elapsed: .seconds(delay))) { [stage, log] in
        MainActor.assertIsolated()
        log("\(stage.now)")
      }
    }
    cancelled.cancel()
    #expect(stage.settle() == .idle)
    #expect(log.lines == ["1s", "2s"])
    cancelled.cancel()
  }

  @Test func `a descriptor is readable if another thread has a message for the stage`() {
    var entry = pollfd(fd: stage.wakeDescriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 0) == 0)
    stage.schedule(at: .start) { [log] in log("ran") }
    #expect(poll(&entry, 1, 0) == 1)
    #expect(stage.nextInstant == .start)
    stage.runReady()
    #expect(poll(&entry, 1, 0) == 0)
    #expect(log.lines == ["ran"])
    #expect(stage.nextInstant == nil)
  }
}
