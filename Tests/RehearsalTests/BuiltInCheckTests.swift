import Exploring
import RehearsalBase
import Testing

@testable import Rehearsal

/// The built-in checks, and how counterexamples are shortened.
@Suite struct BuiltInCheckTests {
  private func script(
    _ commands: [String],
    isTranscript: Bool = false,
    disabling disabled: Set<BuiltInCheck> = []
  ) throws -> ExploredScript {
    let text = commands.map { isTranscript ? "> \($0)\n  ...\n  error: [..]\n  ...\n" : $0 + "\n" }
      .joined()
    let file = try #require(Playable(path: "a", bytes: Array(text.utf8)))
    return try ExploredScript(file, scenes: [], disabling: disabled)
  }

  private func failure(_ script: ExploredScript) -> Findings.Failure? {
    let search = Exploration(Exploration.Plan(.exhaustive, seeds: 0..<2_000), script.play)
    return search.run().failures.first
  }

  @Test(arguments: ["load never", "load 1 or never", "(load from /a)"])
  func `a pipe load that never ends violates completes`(load: String) throws {
    let findings = try explored([
      "route /a never", "input i", "pipe p = i | flatMap \(load)", "enter i 1",
    ])

    #expect(findings.failures.map(\.rule) == [CheckID.builtIn(.completes).text])
    #expect(findings.failures.first?.outcome.failure?.what == "p: a load never ends")
  }

  @Test(arguments: [
    (
      BuiltInCheck.noStaleWrites, "processed",
      ["load a 1 after 2s uncancellable", "load a 2 after 1s"]
    ),
    (.singleOutcome, "processed", ["load a 1 after 300ms uncancellable timeout 50ms"]),
    (.latestRequestWins, "parallel", ["load a 1 after 2s", "load a 2 after 1s"]),
    (.completes, "latest", ["load a never"]),
    (.noLeakedWork, "latest", ["load a never uncancellable", "load a 2"]),
  ])
  func `each check is violated by its example, and by nothing if it is disabled`(
    check: BuiltInCheck,
    policy: String,
    loads: [String]
  ) throws {
    let commands = ["loadable a policy \(policy)"] + loads + ["settle"]
    let failure = try #require(self.failure(try script(commands)))

    #expect(failure.rule == CheckID.builtIn(check).text)
    let others = Set(BuiltInCheck.allCases.filter { $0 != check })
    #expect(
      self.failure(try script(commands, disabling: others))?.rule == CheckID.builtIn(check).text
    )
    #expect(self.failure(try script(commands, disabling: Set(BuiltInCheck.allCases))) == nil)
  }

  @Test func `a violation of a transcript in the default schedule is ignored and reported`() throws
  {
    let script = try script(["loadable a", "load a never", "settle"], isTranscript: true)

    #expect(script.ignored.map(\.rule) == [CheckID.builtIn(.completes).text])
    #expect(script.ignored.map(\.ignoredText) == ["a: #1 never ends"])
    #expect(failure(script) == nil)
  }

  @Test func `work in flight after the last command continues until it ends`() throws {
    let script = try script([
      "loadable a policy parallel", "load a 1 after 2s", "load a 2 after 1s",
    ])
    let failure = try #require(self.failure(script))

    #expect(
      failure.outcome.failure?.what.hasPrefix("a: the state at the end is loaded 1, of #1, but")
        == true
    )
    #expect(script.rehearsed(by: Schedule()).records.last?.command == "settle")
  }

  @Test func `orders that an app must handle violate nothing`() throws {
    let script = try script([
      "loadable a", "load a 1 after 1s", "in 1s load a 2 after 1s", "in 2s cancel a", "settle",
    ])
    #expect(failure(script) == nil)
  }

  @Test(arguments: [
    (
      ["never a error", "load a 1 after 1s timeout 1s", "settle"], "run assertion 'never a error'",
      "violated at 1.000s: a is error timeout"
    ),
    (
      ["eventually a loaded within 3s", "load a 1 after 1s", "in 1s cancel a", "settle"],
      "run assertion 'eventually a loaded within 3s'",
      "nothing is left to do, and the condition was never true"
    ),
    (
      ["eventually a loaded within 3s", "load a 1 after 1s", "in 1s cancel a", "wait 4s"],
      "run assertion 'eventually a loaded within 3s'",
      "violated at 3.000s: the condition was never true"
    ),
  ])
  func `a run assertion must hold in every order`(
    commands: [String],
    rule: String,
    what: String
  ) throws {
    let failure = try #require(self.failure(try script(["loadable a"] + commands)))
    #expect(failure.rule == rule)
    #expect(failure.outcome.failure?.what == what)
  }

  @Test func `a failure after the last command is an ordinary failure`() throws {
    for isTranscript in [false, true] {
      let script = try script(
        ["loadable a", "never a error", "load a fail \"x\" after 1s"],
        isTranscript: isTranscript
      )
      let failure = try #require(self.failure(script))
      #expect(failure.rule == "run assertion 'never a error'")
      #expect(failure.schedule.isDefault)
    }
  }

  @Test(arguments: [
    // An expected failure of the default schedule hides no other failure of the same command.
    (
      [
        "never a error", "never b error", "load a fail \"x\" after 1s",
        "load b 1 or fail \"y\" after 1s", "settle",
      ], "run assertion 'never b error'"
    ),
    (
      [
        "load a fail \"x\" after 1s", "load b 1 or fail \"y\" after 1s", "in 2s expect a loaded",
        "in 2s expect b loaded", "settle",
      ], "'expect b loaded'"
    ),
    (
      [
        "load a 1 or fail \"x\" after 2s", "in 1s expect a loaded", "in 3s expect a loaded",
        "settle",
      ], "'expect a loaded'"
    ),
    // An expected failure that comes earlier in another run hides no other failure.
    (
      [
        "never a error", "load a 1 or fail \"x\" after 1s", "wait 1s", "expect a loaded",
        "load a fail \"z\"",
      ], "'expect a loaded'"
    ),
    // An expected failure is not mistaken for another one.
    (
      [
        "never a error", "load a fail \"x\"", "load b 1 or fail \"y\"", "expect b loaded",
      ], "'expect b loaded'"
    ),
    (
      [
        "never a error", "never b error", "load a fail \"x\" after 1s", "wait 1s",
        "load b 1 or fail \"y\" after 1s", "wait 1s",
      ], "run assertion 'never b error'"
    ),
  ])
  func `a failure of the default schedule is ignored, and no other failure`(
    commands: [String],
    rule: String
  ) throws {
    let script = try script(["loadable a", "loadable b"] + commands, isTranscript: true)

    #expect(failure(script)?.rule == rule)
    #expect(script.ignored.count == 1)
  }

  @Test(arguments: [
    ("load a 1 or never after 2s", CheckID.builtIn(.completes).text),
    // If it is open at the end of the default schedule, it has no error that a transcript could
    // show.
    ("load a never or 1 after 2s", "run assertion 'eventually b loaded within 1s'"),
  ])
  func `a run assertion that the default schedule violates is ignored however it fails`(
    load: String,
    rule: String
  ) throws {
    let script = try script(
      ["loadable a", "loadable b", "eventually b loaded within 1s", load, "settle"],
      isTranscript: true
    )

    #expect(failure(script)?.rule == rule)
  }

  @Test func `a failure of the default schedule is ignored at every time`() throws {
    let script = try script(
      ["loadable a", "never a error", "load a fail \"x\" after 1s to 2s", "wait 1s", "settle"],
      isTranscript: true
    )

    #expect(failure(script) == nil)
  }

  @Test func `the order of two violations at one instant does not matter`() throws {
    let script = try script([
      "loadable a", "loadable b", "never a error", "never b error",
      "load a 1 or fail \"x\" after 1s", "load b 1 or fail \"y\" after 1s",
    ])
    let exploration = Exploration(
      .init(.exhaustive, seeds: 0..<100, continuesAfterFailure: true),
      script.play
    )

    #expect(exploration.run().behaviours == 4)
  }

  @Test func `a failure of the default schedule is ignored for its own member only`() throws {
    let script = try script(
      ["loadable a", "loadable b", "load a never", "load b 1 or never"],
      isTranscript: true
    )
    #expect(script.ignored.map(\.ignoredText) == ["a: #1 never ends"])
    #expect(failure(script)?.outcome.failure?.what == "b: #1 never ends")
  }

  @Test func `violations with other values are alike, and with another reason are not`() {
    func violation(_ text: String, kind: String, at seconds: Int = 1) -> Violation {
      let state = StateValue(text: text, kind: kind)
      let time = ShownTime(.seconds(seconds), .seconds)
      return Violation(.runAssertion("never a error"), .assertion(.state(state, of: "a"), at: time))
    }
    let known = violation("loaded \"1 \\\" 2\"", kind: "loaded")

    #expect(known.isLike(violation("loaded {\"x\": [3]}", kind: "loaded", at: 2)))
    #expect(!known.isLike(violation("error timeout", kind: "error timeout")))
    #expect(
      !violation("error decoding \"a\"", kind: "error decoding a")
        .isLike(violation("error decoding \"b\"", kind: "error decoding b"))
    )
  }

  @Test func `a schedule is found again without a command that made several choices`() throws {
    let script = try script([
      "loadable a", "input q: String", "pipe s = q | map load \"x\" after 1s | switchToLatest",
      "at 1s load a yielding 1 after 500ms, 2 after 500ms timeout 1s", "in 1s enter q \"ab\"",
      "settle", "expect a loaded 2",
    ])
    let failure = try #require(self.failure(script))
    let known = try #require(failure.outcome.failure)
    let commands = script.counterexample(failure.schedule, known).script.commands

    #expect(commands.count == 4, "\(commands)")
  }

  @Test func `commands that fail in the default schedule are named, and a schedule is left out`()
    throws
  {
    let script = try script(
      ["schedule 1:1", "loadable a", "expect a loaded", "nonsense"],
      isTranscript: true
    )
    #expect(script.commands.first == "loadable a")
    #expect(
      script.ignored.map(\.ignoredText) == [
        "'expect a loaded': expected a loaded, but it is absent",
        "'nonsense': there is no command 'nonsense'",
      ]
    )
  }

  @Test func `shrinking keeps the identity of the failure`() throws {
    let script = try script([
      "loadable a", "eventually a loaded within 3s", "load a 1 or fail \"x\" after 1s to 4s",
      "settle",
    ])
    let schedule = Schedule([0, 3_000])
    let late = try #require(script.play(ReplayScheduler(schedule)).failure)
    let example = script.counterexample(schedule, late)

    #expect(late.what == "violated at 3.000s: the condition was never true")
    #expect(example.violation.of(late.check).isLike(late))
    #expect(example.script.commands.contains { $0.hasPrefix("load a ") && $0.contains(" to ") })
  }

  @Test func `a scheduled command that fails is named, not the command that was performed then`()
    throws
  {
    let commands = ["loadable a", "load a 1 after 1s", "in 1s cancel a", "in 2s expect a loaded 1"]
    let failure = try #require(self.failure(try script(commands + ["settle"])))

    #expect(failure.rule == "'expect a loaded 1'")
    #expect(
      failure.outcome.failure?.what == "error: expected a loaded 1, but it is absent"
    )
    let plain = try script(["loadable a", "in 1s expect a loaded", "settle"], isTranscript: true)
    #expect(
      plain.ignored.map(\.ignoredText) == ["'expect a loaded': expected a loaded, but it is absent"]
    )
  }

  @Test func `a violation has instants in the format of the option times`() throws {
    let script = try script([
      "loadable a policy processed", "load a 1 after 2s uncancellable",
      "in 1s load a 2 after 500ms",
    ])
    #expect(
      failure(script)?.outcome.failure?.what
        == "a: #1 was replaced by #2 at 1.000s, and wrote loaded 1 at 2.000s"
    )
  }

  @Test(arguments: ["between 1s and 2s", "between 1s and 1s", "in 1s to 2s"])
  func `a counterexample replaces a range of moments by one moment`(moment: String) throws {
    let script = try script([
      "loadable a", "load a 1 after 1s", "\(moment) cancel a", "settle", "expect a loaded 1",
    ])
    let failure = try #require(self.failure(script))
    let known = try #require(failure.outcome.failure)
    let example = script.counterexample(failure.schedule, known)

    #expect(
      ["at 1s cancel a", "in 1s cancel a"].contains(example.script.commands[2]),
      "\(example.script.commands)"
    )
  }

  @Test(arguments: ["undo", "rewind 1s"])
  func `a script that goes back in time is refused`(command: String) throws {
    #expect(throws: ExploredScript.Refusal.self) {
      try script(["loadable a", "load a 1 after 1s", "wait 1s", command], isTranscript: true)
    }
  }

  @Test func `a run that ends with an open assertion is inconclusive`() throws {
    let script = try script(
      [
        "loadable poll", "load poll never interrupt after 1s do retry poll", "loadable a",
        "eventually a loaded", "load a never",
      ],
      isTranscript: true
    )
    let outcome = script.play(ReplayScheduler(Schedule()))
    #expect(outcome.failure == nil)
    #expect(
      outcome.inconclusive == "run assertion 'eventually a loaded' was open when the run was over"
    )
  }

  @Test func `a counterexample loses unrelated commands, and keeps the checked value`() throws {
    let script = try script([
      "loadable other", "loadable a", "load other \"x\" after 300ms",
      "load a \"old\" after 1500ms retry 2",
      "list", "in 1500ms cancel a", "wait 100ms", "settle", "expect a loaded \"old\"",
    ])
    let failure = try #require(self.failure(script))
    let known = try #require(failure.outcome.failure)
    let example = script.counterexample(failure.schedule, known)

    #expect(
      example.script.commands == [
        "loadable a", "load a \"old\" after 1s", "in 1s cancel a", "settle",
        "expect a loaded \"old\"",
      ]
    )
    #expect(example.schedule == Schedule([1]))
    #expect(failure.rule == "'expect a loaded \"old\"'")
    #expect(example.violation.rule == failure.rule)
    #expect(example.script.play(ReplayScheduler(example.schedule)).failure == example.violation)
    #expect(example.script.play(ReplayScheduler(Schedule())).failure == nil)
  }

  @Test func `times that can only be shortened together are shortened`() throws {
    let script = try script([
      "loadable a", "load a 1 after 2s", "wait 1s", "in 1s cancel a", "settle", "expect a loaded 1",
    ])
    let failure = try #require(self.failure(script))
    let known = try #require(failure.outcome.failure)
    #expect(
      script.counterexample(failure.schedule, known).script.commands == [
        "loadable a", "load a 1 after 1s", "in 1s cancel a", "settle", "expect a loaded 1",
      ]
    )
  }

  @Test(arguments: ["{\"user\": {\"name\": \"Ada\"}}", "[10, 20]", "1234"])
  func `the value of a violated run assertion stays`(value: String) throws {
    let script = try script([
      "loadable a", "eventually a loaded \(value)", "load a \(value) after 1s", "in 1s cancel a",
      "settle",
    ])
    let failure = try #require(self.failure(script))
    let known = try #require(failure.outcome.failure)
    let example = script.counterexample(failure.schedule, known)

    #expect(failure.rule == "run assertion 'eventually a loaded \(value)'")
    #expect(example.violation.rule == failure.rule)
    #expect(example.script.commands.contains("load a \(value) after 1s"))
  }

  @Test func `a counterexample keeps the commands without which every order fails`() throws {
    // Without its load, or its time, the expectation would fail for another reason.
    let script = try script([
      "loadable a", "load a 1 after 1s", "in 1s cancel a", "settle", "expect a loaded 1",
    ])
    let failure = try #require(self.failure(script))
    let known = try #require(failure.outcome.failure)
    #expect(script.counterexample(failure.schedule, known).script.commands == script.commands)
  }

  @Test(arguments: [
    ("load a {\"x\": [1, 2]} after 1s", ["load", "a", "{\"x\": [1, 2]}", "after", "1s"]),
    ("enter a \"b \\\" c\" every 1s", ["enter", "a", "\"b \\\" c\"", "every", "1s"]),
    ("  list  ", ["list"]), ("", []),
  ])
  func `words are separated by blanks, outside of quotes and brackets`(
    text: String,
    words: [String]
  ) {
    #expect(CommandText.words(text) == words)
  }
}
