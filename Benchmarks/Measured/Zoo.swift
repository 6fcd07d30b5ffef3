import Exploring
import PublicBugs
import Scenes
import Staging

extension Benchmark {
  /// Known bugs: the number of runs and the time until each is found and its schedule is shrunk. Prints the tables of
  /// `docs/zoo.md`.
  static let zoo = Benchmark(name: "zoo") {
    let hunts = Zoo.all.map(Hunt.init)
    for (index, strategy) in Hunt.ofZoo.enumerated() {
      Table.print(
        Row(
          what: "zoo: the bug that takes longest, \(strategy.name)",
          samples: Samples([hunts.compactMap { $0.alone[index]?.seconds.most }.max() ?? 0]),
          unit: .seconds,
          goal: .atMost(1)
        )
      )
    }
    Hunt.printShrinking("zoo", hunts.flatMap { $0.alone + $0.inCompany })
    let names = Hunt.ofZoo.map(\.name)
    Hunt.printTable(["bug", "effect for users"] + names + ["repaired twin"], hunts.map(\.cells))
    Hunt.printTable(["bug, with ten busy tasks"] + names, hunts.map(\.cellsInCompany))
  }

  /// Bugs from public sources: the number of runs until each strategy finds it. Prints the last table of `docs/zoo.md`.
  static let bugs = Benchmark(name: "bugs") {
    let searches = PublicBugs.all.map { bug in
      Hunt.all.map { Hunt.search(for: bug.bug, $0.strategy, seeds: 20, most: 10_000) }
    }
    Hunt.printShrinking("bugs", searches.joined())
    let cells = zip(PublicBugs.all, searches).map { bug, searches in
      [bug.name] + searches.map { $0?.textOfRuns ?? "not found" }
    }
    Hunt.printTable(["bug"] + Hunt.all.map(\.name), cells)
  }
}

/// One bug, searched for by each strategy.
private struct Hunt {
  /// Without a strategy, a search alternates between systematic and random runs.
  static let ofZoo: [(name: String, strategy: Strategy?)] = [
    ("default", nil), ("random", .random), ("pct", .pct(changes: 2)),
    ("exhaustive", .exhaustive),
  ]
  static let all: [(name: String, strategy: Strategy?)] = [
    ("default", nil), ("random", .random), ("pct", .pct(changes: 2)), ("pos", .pos),
    ("urw", .urw), ("surw", .surw), ("exhaustive", .exhaustive),
  ]

  /// Searches from several seeds.
  struct Search {
    let runs: Samples
    let seconds: Samples
    /// The seconds of these for shrinking the schedule.
    let shrinking: Samples

    var text: String { "\(textOfRuns); \(Row.Unit.seconds.text(seconds.median))" }

    var textOfRuns: String {
      let most = runs.most == runs.median ? "" : ", \(Int(runs.most)) at most"
      return "\(Int(runs.median))\(most)"
    }
  }

  let specimen: Specimen
  let alone: [Search?]
  let inCompany: [Search?]
  let twin: (runs: Int, areAll: Bool, seconds: Double)

  init(_ specimen: Specimen) {
    self.specimen = specimen
    alone = Self.ofZoo.map {
      Self.search(
        for: specimen.bug,
        $0.strategy,
        seeds: 25,
        most: $0.strategy == .exhaustive ? 10_000 : 5_000
      )
    }
    inCompany = Self.ofZoo.map {
      Self.search(
        for: Self.besideBusyTasks(specimen.bug),
        $0.strategy,
        seeds: 5,
        most: $0.strategy == .exhaustive ? 1_000 : 5_000
      )
    }
    var (runs, areAll) = (0, false)
    let seconds = Samples.secondsOnce {
      let findings = Self.explore(.init(.exhaustive, seeds: 0..<10_000), specimen.twin).findings
      precondition(findings.failures.isEmpty, "A twin holds under all schedules.")
      (runs, areAll) = (findings.runs, findings.end == .complete)
    }
    twin = (runs, areAll, seconds)
  }

  var cells: [String] {
    let all = "\(twin.areAll ? "all " : "")\(twin.runs)\(twin.areAll ? "" : " of more")"
    return [specimen.name, specimen.symptom] + alone.map(Self.text)
      + ["\(all); \(Row.Unit.seconds.text(twin.seconds))"]
  }

  var cellsInCompany: [String] { [specimen.name] + inCompany.map(Self.text) }

  /// Prints the longest time for shrinking one failure. The goal is about a debug build, too: `swift run bench`.
  static func printShrinking(_ name: String, _ searches: some Sequence<Search?>) {
    Table.print(
      Row(
        what: "\(name): the failure that takes longest to shrink",
        samples: Samples([searches.compactMap { $0?.shrinking.most }.max() ?? 0]),
        unit: .seconds,
        goal: .atMost(1)
      )
    )
  }

  /// Prints a table in Markdown.
  static func printTable(_ head: [String], _ rows: [[String]]) {
    let lines = ([head, head.map { _ in "---" }] + rows).map {
      "| " + $0.joined(separator: " | ") + " |"
    }
    Table.note("\n" + lines.joined(separator: "\n"))
  }

  private static func text(_ search: Search?) -> String { search?.text ?? "not found" }

  /// - Returns: nil if one of the searches does not find it.
  static func search(
    for scenario: @escaping Specimen.Scenario,
    _ strategy: Strategy?,
    seeds: UInt64,
    most: UInt64
  ) -> Search? {
    var runs: [Double] = []
    var seconds: [Double] = []
    var shrinking: [Double] = []
    // An exhaustive search is the same for every seed.
    for number in 0..<(strategy == .exhaustive ? 1 : seeds) {
      let start = Samples.cpuSeconds
      let first = number * 1_000_000
      let plan = Exploration.Plan(strategy ?? .mixed(changes: 3), seeds: first..<first + most)
      let (findings, secondsOfShrinking) = explore(plan, orAll: strategy == nil, scenario)
      if findings.failures.isEmpty { return nil }
      seconds.append(Samples.cpuSeconds - start)
      shrinking.append(secondsOfShrinking)
      runs.append(Double(findings.runs))
    }
    return Search(
      runs: Samples(runs),
      seconds: Samples(seconds),
      shrinking: Samples(shrinking)
    )
  }

  private static func besideBusyTasks(
    _ scenario: @escaping Specimen.Scenario
  ) -> Specimen.Scenario {
    { run in
      for _ in 0..<10 {
        Task { for _ in 0..<10 { try await Task.sleep(for: .milliseconds(100)) } }
      }
      try await scenario(run)
    }
  }

  private static func explore(
    _ plan: Exploration.Plan,
    orAll: Bool = false,
    _ body: @escaping Specimen.Scenario
  ) -> (findings: Findings, secondsOfShrinking: Double) {
    assumingMainActor {
      let scenario = Scenario(limit: 10_000, leavesNothing: false, preempting: nil, body: body)
      let exploration = Exploration(plan) { scheduler in
        assumingMainActor { scenario.play(scheduler) }
      }
      var findings = exploration.search(orAll: orAll)
      let seconds = Samples.secondsOnce { exploration.finish(&findings) }
      return (findings, seconds)
    }
  }
}
