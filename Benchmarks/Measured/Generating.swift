import Exploring
import PlantedBugs
import Rehearsal

extension Benchmark {
  /// Sessions that a search generates, of at most ten commands on two loadables.
  static let generating = Benchmark(name: "generating") {
    let rate = Samples.seconds { GeneratedSessions.generate() }.rate(of: GeneratedSessions.runs)
    let floor = Row.Floor(
      what: "sessions of twelve such commands and 'settle', not explored",
      samples: Samples.seconds { GeneratedSessions.performPlain() }.rate(of: GeneratedSessions.runs)
    )
    Table.print(
      Row(
        what: "generating: sessions of at most ten commands, plain loadables",
        samples: rate,
        unit: .rate,
        goal: .atLeast(10_000),
        floor: floor
      )
    )
    Table.print(
      Row(
        what: "generating: empty sessions",
        samples: Samples.seconds { GeneratedSessions.performEmpty() }.rate(
          of: GeneratedSessions.runs
        ),
        unit: .rate
      )
    )
    GeneratedSessions.measureJobs()
    GeneratedSessions.huntPlantedBugs()
  }
}

private enum GeneratedSessions {
  static let runs = 10_000
  private static let script = "loadable a\nloadable b\n"
  /// After the commands of the script, and without `settle` at the end.
  private static let commands = [
    "load a 1 after 1s", "load b 2", "wait 500ms", "cancel a", "retry a", "load b 3 after 2s",
    "load b 1 uncancellable", "wait 1.5s", "reset b", #"load a fail "failed" after 1s timeout 2s"#,
  ]

  static func performPlain() {
    perform(script.split(separator: "\n").map(String.init) + commands + ["settle"])
  }

  static func performEmpty() { perform([]) }

  private static func perform(_ commands: [String]) {
    for _ in 0..<runs {
      let host = SessionHost(files: MemoryFiles(), keepsLog: false, output: (any OutputSink)?.none)
      for command in commands { host.perform(command) }
      host.end()
    }
  }

  static func generate() {
    guard let file = Playable(path: "a.rehearse", bytes: Array(script.utf8)),
      let script = try? ExploredScript(file, scenes: [], generating: 10)
    else { preconditionFailure("The script of a benchmark can be performed.") }
    var plan = Exploration.Plan(.random, seeds: 0..<UInt64(runs - 1), checkedEvery: nil)
    (plan.mutates, plan.readsOutput) = (true, false)
    precondition(Exploration(plan, script.play).run().runs == runs, "All sessions were run.")
  }

  /// Searches for each planted bug from several seeds, as `rehearse explore --generate` does, and shortens its session.
  static func huntPlantedBugs() {
    for bug in PlantedBug.all {
      let seconds = (0..<5).map { number in
        Samples.secondsOnce { hunt(bug, from: UInt64(number) * 1_000_000) }
      }
      Table.print(
        Row(
          what: "generating: found and shortened, slowest of 5 searches: \(bug.name)",
          samples: Samples([seconds.max() ?? 0]),
          unit: .seconds,
          goal: .atMost(5)
        )
      )
    }
  }

  private static func hunt(_ bug: PlantedBug, from seed: UInt64) {
    let text = bug.script.joined(separator: "\n") + "\n"
    guard let file = Playable(path: "a.rehearse", bytes: Array(text.utf8)),
      let script = try? ExploredScript(file, scenes: bug.scenes, generating: 10)
    else { preconditionFailure("The script of a planted bug can be performed.") }
    var plan = Exploration.Plan(.mixed(changes: 3), seeds: seed..<seed + 10_000)
    (plan.mutates, plan.readsOutput) = (true, false)
    let findings = Exploration(plan, script.play).run()
    precondition(!script.counterexamples(findings).isEmpty, "Each planted bug is found.")
  }

  static func measureJobs() {
    let search = ["--generate", "--strategy", "random", "--schedules", "20000"]
    JobsComparison(exploring: script, search)?.printRatio("generating: sessions")
  }
}
