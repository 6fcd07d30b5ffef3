import Exploring
import Foundation
import Rehearsal
import Staging

extension Benchmark {
  /// Schedules of one scenario, each with fresh objects, compared with those of other explorers.
  static let schedules = Benchmark(name: "schedules") {
    let floor = Row.Floor(
      what: "the same in the default schedule, not explored",
      samples: Samples.seconds(playInOrder).rate(of: tried)
    )
    let byChance = Samples.seconds { explore(.random) }.rate(of: tried)
    printRow("random", byChance, goal: .atLeast(30_000), floor)
    for (name, strategy) in [
      ("pct", Strategy.pct(changes: 3)), ("pos", .pos), ("urw", .urw), ("surw", .surw),
      ("exhaustive", .exhaustive),
    ] {
      printRow(
        name,
        Samples.seconds { explore(strategy) }.rate(of: tried),
        goal: .atLeast(30_000),
        floor
      )
    }
    for peer in ExploringPeer.all { compare(byChance.median, with: peer) }
    Table.print(
      Row(
        what: "schedules: six loads in a session, exhaustive",
        samples: Samples.seconds(exploreScript).rate(of: 721),
        unit: .rate
      )
    )
    measureLocks()
    measureMemory()
    measureJobs()
  }

  /// The memory of a search whose runs show ever new behaviours. After the first runs, it stays the same.
  private static func measureMemory() {
    let few = 100_000
    let plan = Exploration.Plan(.random, seeds: 0..<UInt64(3 * few - 1), checkedEvery: nil)
    var (early, late) = (0, 0)
    let findings = assumingMainActor {
      Exploration.explore(
        plan,
        while: { found in
          if found.runs == few { early = Memory.residentBytes }
          if found.runs == 3 * few - 1 { late = Memory.residentBytes }
          return true
        },
        { run in
          let values = Array(0..<16)
          let name = (0..<10).map { _ in "\(run.choose(values))" }.joined(separator: " ")
          async let other: Void = Task { try? await Task.sleep(for: .seconds(1)) }.value
          try await Task.sleep(for: .seconds(1))
          await other
          run.note(name)
        }
      )
    }
    precondition(findings.behaviours > 2 * few, "Almost each run shows a new behaviour.")
    Table.print(
      Row(
        what: "schedules: memory after 300,000 runs with new behaviours, of that after 100,000",
        samples: Samples([Double(late) / Double(early)]),
        unit: .times,
        goal: .atMost(1.03)
      )
    )
  }

  /// Two tasks, each with ten critical sections, with and without scheduling points at them.
  private static func measureLocks() {
    let rates = [nil, Preemption.locks].map { preemption in
      Samples.seconds { exploreLocks(preemption) }.rate(of: tried)
    }
    for (rate, name) in zip(rates, ["", ", --preempt locks"]) {
      Table.print(
        Row(
          what: "schedules: two tasks with 20 critical sections, random" + name,
          samples: rate,
          unit: .rate
        )
      )
    }
  }

  private static func exploreLocks(_ preemption: Preemption?) {
    let plan = Exploration.Plan(.random, seeds: 0..<UInt64(tried - 1), checkedEvery: nil)
    let findings = assumingMainActor {
      Exploration.explore(plan, preempting: preemption) { _ in
        let lock = NSLock()
        nonisolated(unsafe) var count = 0
        await withTaskGroup { group in
          for _ in 0..<2 {
            group.addTask { for _ in 0..<10 { lock.withLock { count += 1 } } }
          }
        }
        precondition(count == 20, "No update is lost.")
      }
    }
    precondition(findings.runs == tried, "All schedules were run.")
  }

  private static func printRow(
    _ name: String,
    _ samples: Samples,
    goal: Row.Goal? = nil,
    _ floor: Row.Floor
  ) {
    Table.print(
      Row(
        what: "schedules: 10 tasks and 50 events, \(name)",
        samples: samples,
        unit: .rate,
        goal: goal,
        floor: floor
      )
    )
  }

  private static func compare(_ rate: Double, with peer: ExploringPeer) {
    guard let samples = peer.rate() else {
      return Table.note("\(peer.name): not installed, and scripts/bench cannot install it")
    }
    Table.print(Row(what: "the same by \(peer.name)", samples: samples, unit: .rate))
    Table.print(
      Row(
        what: "random schedules: as fast as \(peer.name)",
        samples: Samples([rate / samples.median]),
        unit: .times,
        goal: .atLeast(1)
      )
    )
  }

  private static let tried = 10_000

  private static func playInOrder() {
    for _ in 0..<tried {
      let stage = Stage()
      stage.enter { sleep(on: stage) }
      stage.settle()
    }
  }

  private static func explore(_ strategy: Strategy) {
    let plan = Exploration.Plan(strategy, seeds: 0..<UInt64(tried - 1), checkedEvery: nil)
    let findings = assumingMainActor { Exploration.explore(plan) { sleep(on: $0.stage) } }
    precondition(findings.runs == tried, "All schedules were run.")
  }

  /// Ten tasks, each of which sleeps five times, all at the same instants.
  @MainActor private static func sleep(on stage: Stage) {
    let clock = stage.clock
    for _ in 0..<10 {
      Task {
        for round in 1...5 { try await clock.sleep(for: .milliseconds(10 * round)) }
      }
    }
  }

  /// Six loads that end at the same instant.
  private static var script: String {
    let names = (1...6).map { "m\($0)" }
    let commands =
      names.map { "loadable \($0)" } + names.map { "load \($0) 1 after 1s" } + ["settle"]
    return commands.joined(separator: "\n") + "\n"
  }

  private static func exploreScript() {
    guard let file = Playable(path: "a.rehearse", bytes: Array(script.utf8)),
      let script = try? ExploredScript(file, scenes: [])
    else { preconditionFailure("The script of a benchmark can be performed.") }
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<10_000), script.play)
    precondition(exploration.run().end == .complete, "All schedules were run.")
  }

  /// Runs the same script in the program, which distributes the runs to its workers.
  private static func measureJobs() {
    let search = ["--strategy", "random", "--schedules", "20000", "--json"]
    guard let jobs = JobsComparison(exploring: script, search) else { return }
    Table.print(
      Row(
        what: "schedules: six loads, random, rehearse explore --jobs 1",
        samples: jobs.one.rate(of: 20_000),
        unit: .rate
      )
    )
    jobs.printRatio("schedules: six loads, random")
  }
}
