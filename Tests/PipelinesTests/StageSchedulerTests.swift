import Pipelines
import Staging
import Testing

@Suite struct StageSchedulerTests {
  @Test func `actions run by time, and those of one instant in the order of scheduling`() {
    let run = Rehearsing()
    run.at(200) { run.note("c") }
    run.at(100) { run.note("a") }
    run.at(100) { run.note("b") }
    run.scheduler.schedule { run.note("now") }

    #expect(run.settle() == "now@0 a@100 b@100 c@200")
  }

  @Test func `an action for the past runs now`() {
    let run = Rehearsing()
    run.at(100) { run.at(50) { run.note("late") } }

    #expect(run.settle() == "late@100")
  }

  @Test func `a repeated action runs until it is cancelled`() {
    let run = Rehearsing()
    var turns: (any Cancellable)?
    let start = run.scheduler.now.advanced(by: 1)
    turns = run.scheduler.schedule(after: start, interval: 0.5) {
      run.note("turn")
      if run.events.count == 3 { turns?.cancel() }
    }

    #expect(run.settle() == "turn@1000 turn@1500 turn@2000")
  }

  @Test func `a repeated action that is cancelled before its time leaves no timer`() {
    let run = Rehearsing()
    let turns = run.scheduler.schedule(after: run.scheduler.now.advanced(by: 1), interval: 1) {
      run.note("turn")
    }
    turns.cancel()

    #expect(run.settle() == "")
    #expect(run.time == "0")
  }

  @Test func `actions run on the stage and on the main actor`() {
    let run = Rehearsing()
    run.scheduler.schedule {
      MainActor.assertIsolated()
      run.note(run.stage.isCurrent ? "on stage" : "elsewhere")
    }

    #expect(run.settle() == "on stage@0")
  }

  @Test func `no action runs on a closed stage`() {
    let run = Rehearsing()
    run.stage.close()
    run.scheduler.schedule { run.note("too late") }

    #expect(run.settle() == "")
  }

  // MARK: Durations

  private typealias Stride = StageScheduler.SchedulerTimeType.Stride

  @Test func `a stride is exact in nanoseconds`() {
    #expect(Stride.seconds(0.1).nanoseconds == 100_000_000)
    #expect(Stride.milliseconds(1) + .microseconds(1) == .nanoseconds(1_001_000))
    #expect((0.5 as Stride) == .milliseconds(500))
    #expect((2 as Stride) == .seconds(2))
    #expect(Stride(.milliseconds(250)).duration == .milliseconds(250))
    #expect(Stride.seconds(1) - .seconds(3) == -Stride.seconds(2))
  }

  @Test func `a stride that would be too long becomes the longest one`() {
    let longest = Stride(nanoseconds: .max)

    #expect(longest + 1 == longest)
    #expect(Stride.seconds(.infinity) == longest)
    #expect(Stride(nanoseconds: .min) - 1 == Stride(nanoseconds: .min))
    #expect(longest * Stride(nanoseconds: -2) == Stride(nanoseconds: .min))
    #expect(
      StageScheduler(Stage()).now.advanced(by: longest).advanced(by: longest)
        == .init(StageInstant(elapsed: longest.duration))
    )
  }

  @Test func `the distance between two times leads from one to the other`() {
    let scheduler = Stage().scheduler
    let later = scheduler.now.advanced(by: .milliseconds(1500))

    #expect(scheduler.now.distance(to: later) == 1.5)
    #expect(later.distance(to: scheduler.now) == -1.5)
    #expect(scheduler.now < later)
  }
}
