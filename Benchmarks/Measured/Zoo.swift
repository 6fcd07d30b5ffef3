import Exploring
import Scenes
import Staging

extension Benchmark {
  /// Known bugs: the number of runs and the time until each is found and its schedule is shrunk. Prints the tables of
  /// `docs/zoo.md`.
  static let zoo = Benchmark(name: "zoo") {
    let hunts = Zoo.all.map(Hunt.init)
    for (index, strategy) in Hunt.strategies.enumerated() {
      Table.print(
        Row(
          what: "zoo: the bug that takes longest, \(strategy.name)",
          samples: Samples([hunts.compactMap { $0.alone[index]?.seconds.most }.max() ?? 0]),
          unit: .seconds,
          goal: .atMost(1)
        )
      )
    }
    let names = Hunt.strategies.map(\.name).joined(separator: " | ")
    Table.note("\n| bug | effect for users | \(names) | repaired twin |")
    Table.note("| --- | --- | --- | --- | --- | --- |")
    for hunt in hunts { Table.note(hunt.line) }
    Table.note("\n| bug, with ten busy tasks | \(names) |")
    Table.note("| --- | --- | --- | --- |")
    for hunt in hunts { Table.note(hunt.lineInCompany) }
  }
}

/// One bug, searched for by each strategy.
private struct Hunt {
  static let strategies: [(name: String, strategy: Strategy)] = [
    ("random", .random), ("pct", .pct(changes: 2)),
    ("exhaustive", .exhaustive),
  ]

  /// Searches from several seeds.
  struct Search {
    let runs: Samples
    let seconds: Samples

    var text: String {
      let most = runs.most == runs.median ? "" : ", \(Int(runs.most)) at most"
      return "\(Int(runs.median))\(most); \(Row.Unit.seconds.text(seconds.median))"
    }
  }

  let specimen: Specimen
  let alone: [Search?]
  let inCompany: [Search?]
  let twin: (runs: Int, areAll: Bool, seconds: Double)

  init(_ specimen: Specimen) {
    self.specimen = specimen
    alone = Self.strategies.map {
      Self.search(for: specimen.bug, $0.strategy, seeds: 25, mostInOrder: 10_000)
    }
    inCompany = Self.strategies.map {
      Self.search(
        for: Self.besideBusyTasks(specimen.bug),
        $0.strategy,
        seeds: 5,
        mostInOrder: 1_000
      )
    }
    var (runs, areAll) = (0, false)
    let seconds = Samples.secondsOnce {
      let findings = Self.explore(.init(.exhaustive, seeds: 0..<10_000), specimen.twin)
      precondition(findings.failures.isEmpty, "A twin holds under all schedules.")
      (runs, areAll) = (findings.runs, findings.end == .complete)
    }
    twin = (runs, areAll, seconds)
  }

  var line: String {
    Self.line(
      [specimen.name, specimen.symptom] + alone.map(Self.text)
        + [
          "\(twin.areAll ? "all " : "")\(twin.runs)\(twin.areAll ? "" : " of more"); \(Row.Unit.seconds.text(twin.seconds))"
        ]
    )
  }

  var lineInCompany: String { Self.line([specimen.name] + inCompany.map(Self.text)) }

  private static func line(_ cells: [String]) -> String {
    "| " + cells.joined(separator: " | ") + " |"
  }

  private static func text(_ search: Search?) -> String { search?.text ?? "not found" }

  /// - Returns: nil if one of the searches does not find it.
  private static func search(
    for scenario: @escaping Specimen.Scenario,
    _ strategy: Strategy,
    seeds: UInt64,
    mostInOrder: UInt64
  ) -> Search? {
    let most = strategy == .exhaustive ? mostInOrder : 5_000
    var runs: [Double] = []
    var seconds: [Double] = []
    // An exhaustive search is the same for every seed.
    for number in 0..<(strategy == .exhaustive ? 1 : seeds) {
      let start = Samples.cpuSeconds
      let first = number * 1_000_000
      let findings = explore(.init(strategy, seeds: first..<first + most), scenario)
      if findings.failures.isEmpty { return nil }
      seconds.append(Samples.cpuSeconds - start)
      runs.append(Double(findings.runs))
    }
    return Search(runs: Samples(runs), seconds: Samples(seconds))
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
    _ scenario: @escaping Specimen.Scenario
  ) -> Findings {
    assumingMainActor { Exploration.explore(plan, scenario) }
  }
}
