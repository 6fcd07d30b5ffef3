import Exploring
import Testing

@testable import Rehearsal

/// The length of counterexamples.
@MainActor @Suite struct CounterexampleTests {
  private func counterexamples(_ commands: [String]) throws -> [ExploredScript.Counterexample] {
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(
      .init(.exhaustive, seeds: 0..<1_000, continuesAfterFailure: true),
      script.play
    )
    return script.counterexamples(exploration.run())
  }

  @Test func `a script is shortened even if the default schedule has another violation`() throws {
    let examples = try counterexamples([
      "loadable z", "load z 1 after 5s", "loadable b", "load b never",
      "loadable a policy parallel", "load a 1 after 1s", "load a 2 after 1s",
    ])

    #expect(examples.count == 2)
    #expect(examples.allSatisfy { !$0.script.commands.contains { $0.contains("z") } })
    #expect(examples.last?.schedule.description == "1:1")
  }

  @Test func `a clause of four words is removed`() throws {
    let example = try #require(
      try counterexamples(["loadable a", #"load a 1 or never failing "a" times 1"#]).first
    )

    #expect(example.script.commands == ["loadable a", "load a 1 or never"])
  }

  @Test(arguments: ["2s", "30m"])
  func `times become simple, in every unit`(limit: String) throws {
    let example = try #require(
      try counterexamples([
        "loadable a", "load a 1 after 0s to 1h", "expect a loaded within \(limit)",
      ])
      .first
    )

    #expect(example.script.commands.last == "expect a loaded within 1s")
    #expect(example.schedule.description == "1:1")
  }

  @Test func `a range of times stays within the written one`() throws {
    let example = try #require(
      try counterexamples([
        "loadable a", "in 270ms cancel a", "load a 1 after 200ms to 300ms", "settle",
        "expect a loaded",
      ])
      .first
    )

    #expect(example.script.commands.contains("load a 1 after 200ms to 300ms"))
  }

  @Test func `a failure in the default schedule keeps its actual value`() throws {
    let example = try #require(
      try counterexamples([
        "input n", "pipe s = n | scan sum from 0", "enter n 1", "enter n 2", "enter n 3",
        "settle", "expect s 7",
      ])
      .first
    )

    #expect(example.violation.what == "error: expected s 7, but it is 6")
    #expect(
      example.script.commands == [
        "input n", "pipe s = n | scan sum", "enter n 1", "enter n 2", "enter n 3", "expect s 7",
      ]
    )
  }

  @Test func `a failure in the default schedule keeps the number that its check has found`() throws
  {
    let example = try #require(
      try counterexamples([
        "loadable a", "load a 1", "load a 2 after 1s", "load a 3 after 1s", "settle",
        "expect a attempts 4",
      ])
      .first
    )

    #expect(example.violation.what == "error: expected a attempts 4, but there were 3")
    #expect(example.script.commands.count == 5)
  }

  @Test func `a member that only shifts the choices of another one is removed`() throws {
    let examples = try counterexamples([
      "loadable a policy processed", "process p", "load a 1 after 2s timeout 2s",
      "run p after 2s retry 1 backoff 1s",
    ])

    #expect(examples.map(\.script.commands.count) == [2])
  }
}
