import Exploring
import PlantedBugs
import Testing

@testable import Rehearsal

/// Searches that also write the commands.
@MainActor @Suite struct GeneratedSessionTests {
  private func script(
    _ commands: [String],
    scenes: [Scene] = [],
    most: Int? = 10
  ) throws -> ExploredScript {
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    return try ExploredScript(file, scenes: scenes, generating: most)
  }

  private func refusal(_ commands: [String], scenes: [Scene] = []) throws -> [String] {
    do {
      _ = try script(commands, scenes: scenes)
      return []
    } catch let refusal as ExploredScript.Refusal {
      return [refusal.command] + refusal.lines
    }
  }

  private func explored(_ script: ExploredScript, runs: UInt64, _ strategy: Strategy = .random)
    -> Findings
  {
    Exploration(.init(strategy, seeds: 0..<runs), script.play).run()
  }

  @Test(arguments: PlantedBug.all)
  func `a planted bug is found in few runs and shortened`(bug: PlantedBug) throws {
    let script = try script(bug.script, scenes: bug.scenes)
    let findings = explored(script, runs: 3_000)

    let failure = try #require(findings.failures.first, "not found in \(findings.runs) runs")
    #expect(failure.rule.contains(bug.rule))
    let example = try #require(script.counterexamples(findings).first)
    #expect(example.script.commands.count <= bug.commands, "\(example.script.commands)")

    // The script fails without generation.
    let again = example.script.outcome(by: example.schedule)
    #expect(again.violation(of: example.violation.check) != nil)
    #expect(again.generated == nil)
  }

  @Test func `the default schedule is the script without generated commands`() throws {
    let commands = ["loadable a", "load a 1 after 1s"]
    let generating = try script(commands).outcome(by: Schedule())
    let plain = try script(commands, most: nil).outcome(by: Schedule())

    #expect(generating.seen == plain.seen)
  }

  @Test func `the same schedule generates the same session`() throws {
    let script = try script(["loadable a", "process p"])
    let findings = explored(script, runs: 200)

    #expect(!findings.isNondeterministic)
    #expect(findings.failures.isEmpty)
    #expect(findings.openChoices.unneeded(.command) == [])
  }

  @Test func `a search whose output nobody reads finds the same`() throws {
    let script = try script(["loadable a policy parallel", "process p"])
    func findings(readsOutput: Bool) -> Findings {
      var plan = Exploration.Plan(.random, seeds: 0..<300, continuesAfterFailure: true)
      (plan.mutates, plan.readsOutput) = (true, readsOutput)
      return Exploration(plan, script.play).run()
    }
    let (read, unread) = (findings(readsOutput: true), findings(readsOutput: false))

    #expect(unread.groups.map(\.schedule) == read.groups.map(\.schedule))
    #expect(unread.groups.map(\.fingerprint) == read.groups.map(\.fingerprint))
    #expect(unread.failures.map(\.outcome) == read.failures.map(\.outcome))
    #expect(!read.failures.isEmpty)
    // Only failures have their output.
    func outcomes(_ findings: Findings, failing: Bool) -> [RunOutcome] {
      findings.groups.map(\.outcome).filter { ($0.failure != nil) == failing }
    }
    #expect(outcomes(unread, failing: true) == outcomes(read, failing: true))
    #expect(outcomes(read, failing: false).contains { !$0.seen.isEmpty })
    #expect(outcomes(unread, failing: false).allSatisfy { $0.seen.isEmpty })
  }

  @Test func `a generated session that never settles fails again as a script`() throws {
    // Time ends after 292 years, so that the endless work ends soon.
    let scene = Scene("clock", "A clock.") { scene in
      scene.command("look", "Looks.") {}
      scene.command("tick", "Begins to tick.") {
        while true { try await Task.sleep(for: .seconds(1_000_000_000)) }
      }
    }
    let script = try script(["scene clock"], scenes: [scene])
    let failure = try #require(explored(script, runs: 300).failures.first)
    let (commands, schedule) = failure.written(script.commands, perform: script.replay)
    let example = script.with(commands).counterexample(schedule, failure.violation)
    let lines = CounterexampleText(file: "a.rehearse", width: 80).lines(of: example)

    #expect(failure.check == .command("settle"))
    #expect(example.script.commands == ["scene clock", "tick"])
    #expect(example.schedule.isDefault)
    #expect(!lines.contains { $0.contains("Nondeterministic") })
    // The code that still runs is named.
    let place = try #require(lines.firstIndex(of: "# what waits, and where:"))
    #expect(lines[(place + 1)...].prefix(3).contains { $0.contains("GeneratedSessionTests.swift") })
  }

  @Test func `all sessions of one command are tried in order`() throws {
    let seen = Seen()
    let scene = Scene("shop", "A shop.") { scene in
      scene.command("type", "Types.", .text("TEXT")) { seen.texts.insert($0) }
      scene.command("buy", "Buys.") { seen.bought += 1 }
      scene.generate("type", .text(from: "x", "y", "z"))
      scene.generate("buy")
    }
    let findings = explored(
      try script(["scene shop"], scenes: [scene], most: 1),
      runs: 10_000,
      .exhaustive
    )

    #expect(findings.isExhausted)
    #expect(findings.leavesValuesOut)  // The durations of 'wait'.
    #expect(seen.texts == ["x", "y", "z"])
    #expect(seen.bought == 1)
  }

  @Test func `a command that is always refused is named`() throws {
    let scene = Scene("shop", "A shop.") { scene in
      scene.command("buy", "Buys.") { throw Refused() }
      scene.command("look", "Looks.") {}
    }
    let findings = explored(try script(["scene shop"], scenes: [scene]), runs: 50)

    #expect(findings.openChoices.unneeded(.command).map(\.text) == ["buy"])
    #expect(findings.isGood)
  }

  @Test func `a parameter without known values is named`() throws {
    struct Point: Decodable, Sendable { let x: Int }
    let scene = Scene("shop", "A shop.") { scene in
      scene.command("go", "Goes.", .json("POINT") as SceneParameter<Point>) { _ in }
      scene.command("look", "Looks.") {}
    }
    let findings = explored(try script(["scene shop"], scenes: [scene]), runs: 50)

    #expect(
      findings.openChoices.unneeded(.command).map(\.text) == [
        "'go', because no value for POINT is known"
      ]
    )
  }

  // MARK: Rules of a scene

  @Test func `a scene states what may be generated`() throws {
    let seen = Seen()
    let scene = Scene("shop", "A shop.") { scene in
      var count = 0
      scene.command("type", "Types.", .text("TEXT")) { text in
        seen.texts.insert(text)
        count += 1
      }
      scene.command("buy", "Buys.") {
        #expect(count > 1)
        seen.bought += 1
      }
      scene.command("forbidden", "Is not allowed.") { Issue.record("It was generated.") }
      scene.generate("type", .text(from: "x", "y z"), often: 3)
      scene.generate("buy", atMost: 1, when: { count > 1 })
    }
    let findings = explored(try script(["scene shop"], scenes: [scene]), runs: 300)

    #expect(seen.texts == ["x", "y z"])
    #expect(seen.bought > 10)
    #expect(findings.openChoices.unneeded(.command) == [])
    #expect(findings.openChoices.unneeded(.condition) == [])
    #expect(findings.isGood)
  }

  @Test func `a condition that never holds is named`() throws {
    let scene = Scene("shop", "A shop.") { scene in
      scene.command("look", "Looks.") {}
      scene.command("buy", "Buys.") {}
      scene.generate("look")
      scene.generate("buy", when: { false })
    }
    let findings = explored(try script(["scene shop"], scenes: [scene]), runs: 50)

    #expect(findings.openChoices.unneeded(.condition).map(\.text) == ["'buy' of the scene 'shop'"])
  }

  @Test func `a search whose conditions never hold shows nothing`() throws {
    let scene = Scene("shop", "A shop.") { scene in
      scene.command("buy", "Buys.") {}
      scene.generate("buy", when: { false })
    }
    let findings = explored(try script(["scene shop"], scenes: [scene]), runs: 50)

    #expect(findings.generatedNothing)
    #expect(!findings.isGood)
  }

  @Test func `wrong rules are refused with their place`() throws {
    func refusal(_ rule: @escaping @MainActor @Sendable (SceneBuilder) -> Void) throws -> [String] {
      let scene = Scene("shop", "A shop.") { scene in
        scene.command("buy", "Buys.", .integer("N", in: 1...3)) { _ in }
        rule(scene)
      }
      return try self.refusal(["scene shop"], scenes: [scene])
    }

    let unknown = try refusal { $0.generate("buyy") }
    #expect(unknown.first == "scene shop")
    #expect(
      unknown.dropFirst().first?.hasPrefix("error: the scene's code generates 'buyy': ") == true
    )
    #expect(unknown.last == "hint: did you mean 'buy'?")
    #expect(
      try refusal { $0.generate("buy", .text(from: "many")) }.first == "scene shop"
    )
    #expect(
      try refusal { $0.generate("buy", .word()) }.last == "hint: pass at least one value"
    )
    #expect(try refusal { $0.generate("buy") } == [])
  }

  @Test func `an empty grammar is refused with its place`() throws {
    #expect(
      try refusal(["now"]) == [
        "now", "error: nothing can be generated after this command",
        "hint: create a member, as in 'loadable a', or set up a scene that has commands",
      ]
    )
  }
}

private struct Refused: Error {}

@MainActor private final class Seen {
  var texts: Set<String> = []
  var bought = 0
}
