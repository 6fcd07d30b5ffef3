import Staging
import Testing

@testable import Exploring

/// Schedules of scenarios with a task that must run for long, with busy tasks beside it.
@MainActor @Suite struct ScheduleShrinkingTests {
  private typealias Body = @MainActor (ExploredRun) async throws -> Void

  private actor Store { func use() {} }

  @MainActor private final class Screen {
    var phase = 0
    var text = ""
  }

  /// Starts tasks that have nothing to do with the failure.
  private static func addBusyTasks(_ count: Int, steps: Int) {
    let store = Store()
    for _ in 0..<count { Task { for _ in 0..<steps { await store.use() } } }
  }

  /// One task must run for all of its 40 steps while another one waits.
  private static func longRun(_ run: ExploredRun, extraSteps: Int = 0) async {
    let (store, other, log, screen) = (Store(), Store(), Store(), Screen())
    Task {
      let phase = screen.phase
      await other.use()
      if phase == 0, screen.phase == 40 { screen.text = "stale" }
    }
    Task {
      for _ in 0..<extraSteps { await log.use() }
      for _ in 0..<40 {
        await store.use()
        screen.phase += 1
      }
    }
    addBusyTasks(2, steps: 10 + extraSteps)
    await run.settle()
    run.check(screen.text != "stale", "it is not stale")
  }

  /// Two tasks answer each other while another one waits.
  private static func conversation(_ run: ExploredRun) async {
    let (other, screen) = (Store(), Screen())
    let (questions, asking) = AsyncStream.makeStream(of: Int.self)
    let (answers, answering) = AsyncStream.makeStream(of: Int.self)
    Task {
      let phase = screen.phase
      await other.use()
      if phase == 0, screen.phase == 8 { screen.text = "stale" }
    }
    Task {
      var answers = answers.makeAsyncIterator()
      for number in 0..<8 {
        asking.yield(number)
        _ = await answers.next()
        screen.phase += 1
      }
      asking.finish()
    }
    Task {
      for await number in questions { answering.yield(number) }
      answering.finish()
    }
    addBusyTasks(2, steps: 10)
    await run.settle()
    run.check(screen.text != "stale", "it is not stale")
  }

  /// Two tasks must wait, each from another moment on.
  private static func twoWaits(_ run: ExploredRun) async {
    let (store, other, screen) = (Store(), Store(), Screen())
    for number in 0..<2 {
      Task {
        let phase = screen.phase
        await store.use()
        await other.use()
        if phase == number * 3, screen.phase >= 10 + number { screen.text += "\(number)" }
      }
    }
    Task {
      for _ in 0..<12 {
        await store.use()
        screen.phase += 1
      }
    }
    addBusyTasks(2, steps: 6)
    await run.settle()
    run.check(Set(screen.text) != ["0", "1"], "only one is stale")
  }

  /// A value and the order of two tasks.
  private static func value(_ run: ExploredRun) async {
    let (other, screen) = (Store(), Screen())
    Task {
      await other.use()
      await other.use()
      screen.phase = run.choose(Array(0..<100))
      screen.text = ""
    }
    Task {
      await other.use()
      screen.text = "\(screen.phase)"
    }
    addBusyTasks(2, steps: 6)
    await run.settle()
    run.check(Int(screen.text) ?? 0 < 40, "small", screen.text)
  }

  private static let bodies: [String: Body] = [
    "long run": { await longRun($0) },
    "conversation": conversation,
    "two waits": twoWaits,
    "value": value,
  ]

  private static func play(_ body: @escaping Body, _ scheduler: SearchScheduler) -> RunOutcome {
    Scenario(limit: 1_000, leavesNothing: false, body: body).play(scheduler)
  }

  /// Returns the schedule of the first failing run of a search.
  private static func found(_ body: @escaping Body, _ strategy: Strategy, from seed: UInt64) throws
    -> Schedule
  {
    let plan = Exploration.Plan(strategy, seeds: seed..<seed + 10_000, checkedEvery: nil)
    let findings = Exploration(plan) { play(body, $0) }.search { _ in true }
    return try #require(findings.violatedChecks.first).schedule
  }

  @Test(
    arguments: [
      ("long run", Strategy.pos, 1), ("long run", .pct(changes: 3), 1), ("conversation", .pos, 1),
      ("conversation", .pct(changes: 3), 1), ("two waits", .pos, 4), ("value", .random, 3),
      ("value", .pos, 3),
    ]
  )
  func `no removal of three words leaves the failure, after few runs`(
    name: String,
    strategy: Strategy,
    mostWords: Int
  ) throws {
    let body = try #require(Self.bodies[name])
    for seed in [0, 5_000] as [UInt64] {
      let raw = try Self.found(body, strategy, from: seed)
      var runs = 0
      let fails = { (schedule: Schedule) in
        Self.play(body, ReplayScheduler(schedule)).failure != nil
      }
      let short = raw.shrunk(runs: 2_000, as: .stable) { schedule in
        runs += 1
        return ReplayedRun(schedule) { Self.play(body, $0) }
      } where: {
        $0.failure != nil
      }

      #expect(fails(short), "\(short)")
      let words = short.words
      #expect(words.count <= mostWords, "\(raw) is shrunk to \(short)")
      #expect(runs <= 800, "\(raw) takes \(runs) runs")
      for first in words.indices {
        for second in first..<words.count {
          for third in second..<words.count {
            let kept = words.indices.filter { ![first, second, third].contains($0) }
            let shorter = Schedule(words: kept.map { words[$0] })
            #expect(!fails(shorter), "\(shorter) suffices, and not only \(short)")
          }
        }
      }
    }
  }

  /// Ten tasks wake together each 100 ms. Two pairs of others wake after one and after two seconds.
  private static func besideSleepers(_ run: ExploredRun) async {
    let screens = [Screen(), Screen()]
    for _ in 0..<10 {
      Task { for _ in 0..<20 { try await Task.sleep(for: .milliseconds(100)) } }
    }
    for (seconds, screen) in zip(1..., screens) {
      for text in ["old", "new"] {
        Task {
          try await Task.sleep(for: .seconds(seconds))
          screen.text = text
        }
      }
    }
    await run.settle()
    run.check(screens.contains { $0.text == "new" }, "one is new")
  }

  @Test func `shrinking of long runs performs a limited number of decisions`() throws {
    let raw = try Self.found(Self.besideSleepers, .random, from: 0)
    var (runs, decisions, most) = (0, 0, 0)
    let short = raw.shrunk(runs: 2_000, as: .stable) { schedule in
      let run = ReplayedRun(schedule) { Self.play(Self.besideSleepers, $0) }
      runs += 1
      decisions += run.choices.count
      most = max(most, run.choices.count)
      return run
    } where: {
      $0.failure != nil
    }

    #expect(short.words.count <= 2, "\(short)")
    #expect(most > 700)
    // About 84,000 with the limit of 40,000 for moves, 256,000 without it.
    #expect(decisions < 130_000, "\(runs) runs")
  }

  @Test func `a task that must run for long is one word, which other code does not change`() throws
  {
    let raw = try Self.found({ await Self.longRun($0) }, .pos, from: 0)
    #expect(raw.deviations > 50)
    let short = raw.shrunk(runs: 2_000, as: .stable) { schedule in
      ReplayedRun(schedule) { Self.play({ await Self.longRun($0) }, $0) }
    } where: {
      $0.failure != nil
    }

    #expect("\(short)" == "t1.1@2:t1.2")
    for extraSteps in 0...3 {
      let outcome = Self.play(
        { await Self.longRun($0, extraSteps: extraSteps) },
        ReplayScheduler(short)
      )
      #expect(outcome.failure != nil, "with \(extraSteps) more steps")
    }
  }

  @Test(arguments: [
    ("t1.9@1:t1.2", "there is no task t1.9"),
    ("t1.1@9:t1.2", "task t1.1 has only 3 jobs, so there is no t1.1@9"),
    ("t1.1@2:t1.9", "task t1.9 cannot run before t1.1@2"),
    ("t1.1@2:t1.2@99", "task t1.2 runs only 81 jobs before t1.1@2, so there is no t1.2@99"),
    ("t1@1:others", "nothing else can run before t1@1"),
    ("v1:2", "the run has only 0 values"),
    ("1:9", "scheduling point 1 has 4 choices, 0 to 3"),
    ("999:1", "the run ends after 66 scheduling points"),
    (
      "t1.1@2:t1.2 t1.2@1:t1.1", "t1.2@1 waits for itself, through other entries"
    ),
  ])
  func `a schedule that does not fit is named`(text: String, misfit: String) throws {
    let scheduler = ReplayScheduler(try #require(Schedule(text)))
    _ = Self.play({ await Self.longRun($0) }, scheduler)
    #expect(scheduler.takeMisfitOfWholeRun()?.text == misfit)
  }

  @Test(arguments: [
    "v1:1 v1:3", "t1@1:t2 t1@1:t2", "t1@1:others t1@1:t2@9", "t1@1:t2 t1@1:others",
  ])
  func `words that exclude each other are no schedule`(text: String) {
    #expect(Schedule(text) == nil)
  }

  @Test func `a value that is chosen twice is named`() throws {
    let scheduler = ReplayScheduler(try #require(Schedule("1:1 v1:2")))
    _ = Self.play({ run in run.note("\(run.choose([0, 1, 2]))") }, scheduler)
    let misfit = scheduler.takeMisfitOfWholeRun()?.text
    #expect(
      misfit == "value 1 is scheduling point 1, and the schedule has different choices for them"
    )
  }

  @Test func `a word fits if the steps are in its order anyway`() throws {
    let scheduler = ReplayScheduler(try #require(Schedule("t1.1@2:t1.2@1")))
    let outcome = Self.play({ await Self.longRun($0) }, scheduler)
    #expect(scheduler.takeMisfitOfWholeRun() == nil)
    #expect(outcome.failure == nil)
    #expect(scheduler.schedule.isDefault)
  }

  @Test func `a value is named by its number among the values`() throws {
    let raw = try Self.found(Self.value, .random, from: 0)
    let short = raw.shrunk(runs: 2_000, as: .stable) { schedule in
      ReplayedRun(schedule) { Self.play(Self.value, $0) }
    } where: {
      $0.failure != nil
    }
    #expect("\(short)".contains("v1:40"))

    let scheduler = ReplayScheduler(try #require(Schedule("v1:100")))
    _ = Self.play(Self.value, scheduler)
    #expect(scheduler.takeMisfit()?.text == "value 1 has 100 choices, 0 to 99")
  }

  @Test func `the cause of a failure is found by a schedule of words`() throws {
    let schedule = try #require(Schedule("t1.1@2:t1.2"))
    let explanation = FailureExplanation(of: schedule) {
      Self.play({ await Self.longRun($0) }, $0).failure != nil
    }
    #expect(explanation.cause != nil)
    #expect(explanation.names.map(\.name) == ["t1.1@2", "t1.2"])
  }

  @Test func `a table shows which tasks the schedule names`() throws {
    let scheduler = TracingScheduler(try #require(Schedule("t1.1@2:t1.2")))
    _ = Self.play({ await Self.longRun($0) }, scheduler)
    let tasks = Set(scheduler.events.map(\.task))
    #expect(tasks.isSuperset(of: ["task 2", "task 3", "task 4"]), "\(tasks)")
    #expect(scheduler.labels["task 2"] == "task 2 (t1.1)")
    #expect(scheduler.labels["task 3"] == "task 3 (t1.2)")
    #expect(scheduler.labels["task 4"] == "task 4")
  }
}
