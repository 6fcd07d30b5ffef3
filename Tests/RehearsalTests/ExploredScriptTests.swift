import Exploring
import Foundation
import Harness
import RehearsalBase
import Staging
import Testing
import Timelines

@testable import Rehearsal

/// Scripts under many schedules.
@Suite struct ExploredScriptTests {
  private func explore(
    _ commands: [String],
    _ plan: Exploration.Plan = .init(.exhaustive, seeds: 0..<100_000)
  ) throws -> Findings {
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(plan, script.play)
    return exploration.run()
  }

  private static func atOneInstant(_ end: String) -> [String] {
    [
      "loadable a", "loadable b", "loadable c", "load b 1 after \(end)", "load c 2 after \(end)",
      "in \(end) expect a absent", "in \(end) expect a absent", "settle",
    ]
  }

  @Test(arguments: [
    atOneInstant("1s"), atOneInstant("3h"), atOneInstant("1000000001ns"),
    ["loadable a", "loadable b", "in 1s show a", "in 1s show b", "in 1s list", "settle"],
    ["set times clock"] + atOneInstant("1s"), ["set times milliseconds"] + atOneInstant("1s"),
  ])
  func `the order of lines at one instant does not distinguish behaviours`(
    commands: [String]
  ) throws {
    let findings = try explore(commands)

    #expect(findings.end == .complete)
    #expect(findings.runs >= 6)
    #expect(findings.groups.count == 1)
  }

  private func loads(_ count: Int) -> [String] {
    let names = (1...count).map { "m\($0)" }
    return names.map { "loadable \($0)" } + names.map { "load \($0) 1 after 1s" } + ["settle"]
  }

  @Test(arguments: [(2, 2), (3, 6), (4, 24), (5, 120)])
  func `independent loads cost one run per order, although all look the same`(
    count: Int,
    orders: Int
  ) throws {
    let findings = try explore(loads(count))

    #expect(findings.end == .complete)
    #expect(findings.runs == orders + 1)
    #expect(findings.groups.count == 1)
  }

  @Test(arguments: [(2, 2), (3, 6), (4, 24), (5, 120)])
  func `independent requests cost one run per order of their answers`(
    count: Int,
    orders: Int
  ) throws {
    let names = (1...count).map { "m\($0)" }
    let findings = try explore(
      ["route /x 200 json 1 after 1s"] + names.map { "loadable \($0)" }
        + names.map { "load \($0) from /x" } + ["settle"]
    )

    #expect(findings.end == .complete)
    #expect(findings.groups.count == 1)
    #expect(findings.runs == orders + 1)
  }

  /// Commands at the instant of an answer that can see or change the effects of a pruned step.
  @Test(arguments: [
    ["load a fail \"e\" after 1s retry 1", "in 1s inject a \"i\""],
    ["load a fail \"e\" after 1s retry 1 backoff 1s", "in 1s inject a http 503"],
    ["load a yielding 1 after 1s, 2 after 1s", "in 1s inject a \"i\""],
    ["load a 1 after 1s failing \"b\" times 1 retry 2 uncancellable", "in 1s inject a \"i\""],
    ["load a from /y after 1s", "load b from /y after 1s"],
    ["load a from /x", "load b from /x", "in 2s timeline"],
    ["load a from /x", "in 1s requests"],
    ["load a from /x", "in 1s hold /x", "in 1s requests"],
    ["load a from /x", "in 1s requests", "in 1s load a 2"],
    ["load a from /x", "in 1s route /x 404", "in 1s requests", "in 1s retry a"],
  ])
  func `random runs find no behaviour that the exhaustive search misses`(commands: [String]) throws
  {
    let commands =
      ["loadable a policy parallel", "loadable b", "route /x 200 json 1 after 1s"]
      + ["route /y 200 json 1 or 503"] + commands + ["settle"]
    let all = try explore(
      commands,
      .init(.exhaustive, seeds: 0..<100_000, continuesAfterFailure: true)
    )
    let some = try explore(commands, .init(.random, seeds: 0..<500, continuesAfterFailure: true))

    #expect(all.isExhausted)
    #expect(all.groups.count > 1)
    #expect(Set(some.groups.map(\.fingerprint)).isSubset(of: all.groups.map(\.fingerprint)))
  }

  @Test func `an answer and a cancellation at one instant have three behaviours`() throws {
    let findings = try explore([
      "loadable a", "load a 1 after 1s", "in 1s cancel a", "settle",
    ])

    // The answer came first, the cancellation ended its wait, or the answer was on its way and came
    // too late.
    #expect(findings.end == .complete)
    #expect(
      Set(findings.groups.compactMap(\.outcome.seen.last)) == [
        "   1.000s  a  loaded 1; nothing in flight to cancel",
        "   1.000s  a  loading #1 → absent, #1 cancelled",
        "   1.000s  a  #1 answered 1; too late, dropped",
      ]
    )
  }

  @Test func `an expectation that fails in some orders has a short schedule`()
    throws
  {
    let findings = try explore([
      "loadable a", "load a 1 after 1s", "in 1s cancel a", "settle", "expect a loaded 1",
    ])
    let failure = try #require(findings.failures.first)

    #expect(failure.outcome.failure?.rule == "'expect a loaded 1'")
    #expect(failure.schedule == Schedule([1]))
  }

  @Test(arguments: [
    (["load a 1 after 1s", "in 1s cancel a"], false), (["load a 1 or fail \"x\" retry 3"], true),
  ])
  func `a schedule of a search does the same in a session`(loads: [String], isLong: Bool) throws {
    let commands = ["loadable a"] + loads + ["settle"]
    let findings = try explore(commands)
    #expect(findings.groups.count > 2)
    #expect(findings.groups.contains { $0.schedule.description.contains("-") } == isLong)
    for group in findings.groups {
      nonisolated(unsafe) var lines: [String] = []  // Only this thread performs commands.
      let host = SessionHost(files: MemoryFiles()) { lines.append($0) }
      let schedule = group.schedule.isDefault ? [] : ["schedule \(group.schedule)"]
      for command in schedule + commands { host.perform(command) }
      host.end()
      #expect(lines == group.outcome.seen)
    }
  }

  @Test(arguments: ["timeline as json", "timeline as trace", "log", "timeline"])
  func `a command that reads the log prints the same in a run and in a session`(reader: String)
    throws
  {
    let commands = ["loadable a", "load a 1 after 1s", "settle", reader]
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])

    #expect(script.play(ReplayScheduler(Schedule())).seen == performed(commands))
    #expect(script.rehearsed(by: Schedule()).records.flatMap(\.lines) == performed(commands))
  }

  @Test(arguments: 0..<50)
  func `a schedule is parsed from its text`(seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    let choices = (0..<numbers.next(below: 60)).flatMap { _ in
      Array(repeating: numbers.next(below: 3), count: 1 + numbers.next(below: 5))
    }
    let schedule = Schedule(choices + [1])
    let lines = performed(["schedule \(schedule)", "schedule"])

    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("\(schedule); 0 scheduling points so far, ") == true)
  }

  @Test func `findings of systematic runs stay when random runs follow`() throws {
    let commands = ["loadable a", "load a 1 after 1s timeout 1s", "settle", "expect a loaded"]
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let find = { (strategy: Strategy?) in
      let plan = Exploration.Plan(
        strategy ?? .mixed(changes: 3),
        seeds: 0..<40,
        continuesAfterFailure: true
      )
      return Exploration(plan, script.play).run(orAll: strategy == nil)
    }
    let (usual, inOrder, bySeeds) = (find(nil), find(.exhaustive), find(.mixed(changes: 3)))

    #expect(inOrder.end == .budget)
    #expect(usual.runs == 1 + 40 + 40)
    #expect(usual.failures.first?.count ?? 0 == failing(inOrder) + failing(bySeeds))
    #expect(failing(inOrder) > 0)
    #expect(fingerprints(usual) == fingerprints(inOrder).union(fingerprints(bySeeds)))
    #expect(!usual.isInOrder)
    #expect(usual.guessedSchedules != nil)
  }

  private func failing(_ findings: Findings) -> Int {
    findings.groups.reduce(0) { $0 + ($1.outcome.failure == nil ? 0 : $1.count) }
  }

  private func fingerprints(_ findings: Findings) -> Set<UInt64> {
    Set(findings.groups.map(\.fingerprint))
  }

  @Test func `a script that fails in the default schedule has an ordinary failure`() throws {
    let findings = try explore(["cancel a"])

    #expect(findings.end == .failure)
    #expect(findings.failures.map(\.rule) == ["'cancel a'"])
    #expect(findings.failures.first?.schedule.isDefault == true)
    #expect(findings.failures.first?.violation.what == "error: no member is called 'a'")
  }

  @Test func `runs continue after a failure of the default schedule, to find others`()
    throws
  {
    let commands = [
      "loadable a", "load a 1 after 1s", "in 1s cancel a", "expect a loaded 9", "settle",
      "expect a loaded 1", "expect a loaded 2", "eventually a error",
    ]
    let first = try explore(commands)
    let all = try explore(commands, .init(.exhaustive, seeds: 0..<100, continuesAfterFailure: true))

    #expect(first.failures.map(\.rule) == ["'expect a loaded 9'"])
    #expect(first.runs == 1)
    #expect(all.end == .complete)
    #expect(
      all.failures.map(\.rule) == [
        "'expect a loaded 9'", "'expect a loaded 2'", "run assertion 'eventually a error'",
        "'expect a loaded 1'",
      ]
    )
    #expect(all.failures.map(\.schedule.isDefault) == [true, true, true, false])
    #expect(all.failures.first?.count == all.runs)
  }

  @Test(arguments: [
    ("  error: expected a loaded 9, but it is loading #1\n", true), ("  ...\n", false),
    ("  [..]\n", false), ("  error: [..]\n  ...\n", true),
    ("  error: expected a loaded {{[0-9]}}, but it is loading #1\n", true), ("", false),
    ("  error: expected a loaded 8, but it is loading #1\n", false),
  ])
  func `a transcript's failure is ignored if the transcript shows it`(
    output: String,
    isShown: Bool
  ) throws {
    let text = "> loadable a\n> load a 1 after 1s\n> expect a loaded 9\n\(output)"
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)

    #expect(script.ignored.count == (isShown ? 1 : 0))
    #expect(exploration.run().failures.map(\.rule) == (isShown ? [] : ["'expect a loaded 9'"]))
  }

  @Test func `an ignored failure hides no other failure of the same command`() throws {
    let text = """
      > loadable a
      > load a 1 after 1s
      > in 1s cancel a
      > in 1s load a fail "x"
      > settle
        ...
      > expect a loaded
        error: expected a loaded, but it is error "x"
        ...

      """
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(
      .init(.exhaustive, seeds: 0..<100, continuesAfterFailure: true),
      script.play
    )
    let failures = exploration.run().failures

    #expect(script.ignored.map(\.rule) == ["'expect a loaded'"])
    #expect(failures.map(\.rule) == ["'expect a loaded' finds absent"])
    let failure = try #require(failures.first)
    let example = script.counterexample(failure.schedule, failure.violation)
    #expect(example.violation.rule == failure.rule)
    #expect(example.violation.what == "error: expected a loaded, but it is absent")
  }

  @Test(arguments: [
    (
      """
      > loadable a
      > never a error
      > load a fail "x"
        ...
      > forget a
      > loadable a
      > never a error
      > load a 1 or fail "y"
        ...

      """,
      "run assertion 'never a error' (number 2)"
    ),
    (
      """
      > loadable a
      > loadable b
      > load a fail "x" or 1
        ...
      > load b 1 or fail "y"
        ...
      > source checks.rehearse
        ...
      -- checks.rehearse --
      expect a loaded
      expect b loaded
      """,
      "'source checks.rehearse' fails in checks.rehearse:2"
    ),
    (
      """
      > loadable a
      > load a fail "x"
        ...
      > in 1s expect a loaded
      > settle
        ...
      > load a 1 or fail "y"
        ...
      > in 1s expect a loaded
      > settle
        ...

      """,
      "'expect a loaded' (number 2)"
    ),
  ])
  func `an ignored failure hides no failure of another command with the same text`(
    text: String,
    rule: String
  ) throws {
    let shown = text.replacing("  ...\n", with: "  ...\n  [..]error: [..]\n  ...\n")
    let file = try #require(Playable(path: "a.transcript", bytes: Array(shown.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    let failures = exploration.run().failures

    #expect(script.ignored.count == 1)
    #expect(failures.map(\.rule) == [rule])
    for failure in failures {
      let example = script.counterexample(failure.schedule, failure.violation)
      #expect(example.violation.rule == failure.rule)
    }
  }

  @Test func `a run assertion that checks nothing is refused`() throws {
    let commands = ["loadable a", "load a 1 after 1s", "settle", "always a loaded"]
    let refusal = #expect(throws: ExploredScript.Refusal.self) { try explore(commands) }

    #expect(refusal?.command == "always a loaded")
    #expect(
      refusal?.lines.first
        == "error: 'always a loaded' checked nothing: nothing happened after it"
    )
    #expect(try explore(Array(commands.dropLast(2)) + ["always a loading"]).failures.count == 1)
  }

  @Test func `a run with more events than the limit is inconclusive`() throws {
    let commands = ["loadable a", "load a 1", "load a 2", "load a 3", "load a 4", "list"]
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    var script = try ExploredScript(file, scenes: [])
    #expect(script.play(ReplayScheduler(Schedule())).inconclusive == nil)

    script.setting.limits.events = 4
    let outcome = script.play(ReplayScheduler(Schedule()))
    #expect(outcome.inconclusive?.hasPrefix("there are more than 4 events, and the first ") == true)
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<10), script.play)
    let findings = exploration.run()
    #expect(findings.isInconclusive)
    #expect(!findings.isGood)
  }

  @Test(arguments: [
    (
      ["loadable b", "eventually b loaded"],
      "run assertion 'eventually b loaded' was open when the run was over"
    ),
    (
      ["loadable b", "in 2000s expect b loaded"],
      "'in 2000s expect b loaded' was never performed: the session ended before 2000.000s"
    ),
  ])
  func `a search with only inconclusive runs is not good`(
    commands: [String],
    reason: String
  ) throws {
    let text = (Self.endless.dropLast() + commands).joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.random, seeds: 0..<2), script.play)
    let findings = exploration.run()

    #expect(findings.groups.map(\.outcome.inconclusive) == [reason])
    #expect(findings.isInconclusive)
    #expect(!findings.isGood)
    #expect(
      ExplorationText(
        script,
        findings,
        ExplorationWording(name: "a", width: 80, words: .ofProgram)
      ).lines([]).last == .error("every run is inconclusive, so the search shows nothing")
    )
  }

  @Test func `a command fails in another way than in the default schedule`() throws {
    let text = """
      > loadable a
      > loadable b
      > load a 1 after 1s to 2s
      > in 1s forget b
      > in 1s loadable c
      > in 1s inject b "x"
      > settle
        error: [..]
        ...

      """
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(
      .init(.exhaustive, seeds: 0..<1_000, continuesAfterFailure: true),
      script.play
    )
    let failures = exploration.run().failures

    #expect(script.ignored.map(\.rule) == ["'inject b \"x\"'"])
    #expect(failures.map(\.rule) == ["'inject b \"x\"' fails in another way"])
  }

  @Test func `a command with more failures than printed lines hides no other failure`() throws {
    let commands =
      ["loadable a", "loadable b"] + Array(repeating: "in 500ms expect b loaded", count: 1_000)
      + ["load a 1 after 1s", "in 1s cancel a", "in 2s expect a loaded", "settle"]
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let last = Schedule(Array(repeating: 0, count: 1_001) + [1])

    #expect(
      script.play(ReplayScheduler(last)).failures.map(\.rule)
        == ["'expect b loaded'", "'expect a loaded'"]
    )
  }

  @Test(arguments: [(10_000, false), (10_001, true)])
  func `a run with more failures of one command than the limit is inconclusive`(
    count: Int,
    isCut: Bool
  ) throws {
    let commands = ["loadable b"] + Array(repeating: "in 500ms expect b loaded", count: count)
    let text = (commands + ["settle"]).joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let outcome = try ExploredScript(file, scenes: []).play(ReplayScheduler(Schedule()))

    #expect(
      outcome.inconclusive
        == (isCut
          ? "'settle' has more than 10000 failures, and later ones are not checked" : nil)
    )
  }

  @Test(arguments: ["rewind", "rewind 9s", "undo 3x", "redo"])
  func `a command that fails to go back does not keep a transcript from being explored`(
    mistake: String
  ) throws {
    let text = """
      > loadable a
      > \(mistake)
        error: [..]
        ...
      > load a 1 after 1s
      > in 1s cancel a

      """
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)

    #expect(script.ignored.map(\.rule) == ["'\(mistake)'"])
    #expect(exploration.run().behaviours == 3)
  }

  @Test func `a run is inconclusive if a command that fails otherwise goes back in time`() throws {
    let text = """
      > loadable a
      > load a 1 after 1s to 3s
      > settle
      > rewind 2s
        error: [..]
        ...

      """
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    let findings = exploration.run()

    #expect(findings.inconclusiveRuns > 0)
    #expect(
      findings.groups.contains { $0.outcome.inconclusive == "'rewind 2s' would go back in time" }
    )
  }

  @Test func `checks of the end are made even if the script quits`() throws {
    let findings = try explore(["loadable a", "load a never", "quit"])
    #expect(findings.failures.map(\.rule) == [CheckID.builtIn(.completes).text])

    let error = #expect(throws: ExploredScript.Refusal.self) {
      try explore(["loadable a", "quit", "load a 1", "settle"])
    }
    #expect(error?.command == "quit")
    #expect(error?.lines.first?.contains("so 2 commands after it cannot be reached") == true)
  }

  private static let endless = [
    "loadable a", "load a never interrupt after 1s do retry a", "wait 5s",
  ]

  @Test func `a command that never ends in the default schedule is a failure`() throws {
    let failure = try #require(try explore(Self.endless + ["settle"]).failures.first)

    #expect(failure.rule == "'settle'")
    #expect(failure.violation.what.hasPrefix("error: more than 10000 instants by") == true)
  }

  @Test func `endless work after the last command is named as unchecked`()
    throws
  {
    let text = Self.endless.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let ignored = try ExploredScript(file, scenes: []).ignored

    #expect(ignored.map(\.rule) == ["the script settles"])
    #expect(
      ignored.first?.ignoredText.hasPrefix("after the last command, more than 10000 instants")
        == true
    )
    #expect(
      ignored.first?.ignoredText.hasSuffix(", without the checks at the end of a run") == true
    )
  }

  @Test func `an endless script runs for a tenth of the time after which that was clear`() throws {
    let commands =
      Self.endless + [
        "loadable b", "load b 1 after 1s", "in 1s cancel b", "in 2s expect b loaded",
      ]
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.random, seeds: 0..<100), script.play)
    let failure = try #require(exploration.run().failures.first)

    #expect(failure.rule == "'expect b loaded'")
    #expect(script.counterexample(failure.schedule, failure.violation).script.commands.count == 4)
  }

  @Test func `endless runs have the same length, whenever an eventually is met`() throws {
    let commands =
      Self.endless + [
        "loadable b", "eventually b loaded within 5s", "load b 1 after 1s", "in 1s cancel b",
        "in 3s load b 2", "wait 2s",
      ]
    let text = commands.map { "> " + $0 + "\n" }.joined()
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(
      .init(.random, seeds: 0..<20, continuesAfterFailure: true),
      script.play
    )
    let groups = exploration.run().groups
    let ends = groups.map { script.rehearsed(by: $0.schedule).recording.end }

    #expect(groups.count > 1)
    #expect(Set(ends).count == 1)
  }

  @Test func `failures after the end of an endless run are neither refused nor ignored`() throws {
    let commands =
      Self.endless + ["loadable b", "never a attempts 9", "load b 1 after 1s", "in 1s cancel b"]
    for name in ["a.rehearse", "a.transcript"] {
      let prompt = name == "a.transcript" ? "> " : ""
      let text = commands.map { prompt + $0 + "\n" }.joined()
      let file = try #require(Playable(path: name, bytes: Array(text.utf8)))

      #expect(try ExploredScript(file, scenes: []).ignored.map(\.rule) == ["the script settles"])
    }
  }

  @Test(arguments: ["schedule 1:1", "explore"])
  func `a script that sources a file with a command of a search is refused, with the place`(
    command: String
  ) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try "loadable a\n\(command)\n".write(
      toFile: folder + "/f.rehearse",
      atomically: true,
      encoding: .utf8
    )
    let text = "now\nsource f.rehearse\nsettle\n"
    let file = try #require(Playable(path: folder + "/a.rehearse", bytes: Array(text.utf8)))
    let error = #expect(throws: ExploredScript.Refusal.self) {
      try ExploredScript(file, scenes: [])
    }

    #expect(error?.command == "source f.rehearse")
    #expect(error?.lines.first?.contains("f.rehearse:2: error: ") == true)
  }

  @Test func `a transcript leaves out an explore command in a sourced file`() throws {
    let text = "> source b.rehearse\n> settle\n-- b.rehearse --\nloadable a\nexplore\nload a 1\n"
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    let findings = exploration.run()

    #expect(script.ignored.isEmpty && findings.failures.isEmpty)
    #expect(findings.groups.allSatisfy { $0.outcome.seen.joined().contains("loaded 1") })
  }

  @Test func `a search ignores a schedule in a sourced file`() throws {
    let text = """
      > loadable a
      > source b.rehearse
      > settle
      -- b.rehearse --
      schedule 1:1
      load a 1 after 1s
      in 1s cancel a

      """
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    let findings = exploration.run()

    #expect(script.ignored.isEmpty)
    #expect(script.schedulesLeftOut == ["schedule 1:1"])
    #expect(findings.behaviours == 3)
    for group in findings.groups {
      let told = script.rehearsed(by: group.schedule).records.drop {
        $0.command.hasPrefix("schedule")
      }
      #expect(told.flatMap(\.lines) == group.outcome.seen)
    }
  }

  @Test func `a counterexample keeps the commands that create its members`() throws {
    let commands = [
      "loadable a", "loadable b", "load a 1 after 1s interrupt after 1s do load b 1",
      "in 1s forget b", "settle",
    ]
    let findings = try explore(commands)
    let failure = try #require(findings.failures.first)
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let example = try ExploredScript(file, scenes: []).counterexample(
      failure.schedule,
      failure.violation
    )

    #expect(failure.rule == "'load b 1'")
    #expect(example.script.commands.contains("loadable b"))
    #expect(example.script.commands.contains("forget b"))
  }

  @Test func `a counterexample loses unused members, even if their name is also a word`() throws {
    let text = """
      loadable after
      loadable loaded
      loadable a
      load a 1 after 1s
      in 1s cancel a
      settle
      expect a loaded

      """
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<1_000), script.play)
    let failure = try #require(exploration.run().failures.first)
    let example = script.counterexample(failure.schedule, failure.violation)

    #expect(example.script.commands.filter { $0.hasPrefix("loadable") } == ["loadable a"])
  }

  @Test func `a file that fails in the default schedule is refused with the reason`() throws {
    let text =
      "> loadable a\n> source b.rehearse\n  [..]error: [..]\n  ...\n> settle\n-- b.rehearse --\nload a 1\nload b\n"
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let ignored = try ExploredScript(file, scenes: []).ignored.first?.ignoredText ?? ""

    #expect(ignored.hasPrefix("'source b.rehearse': b.rehearse:2: error: "))
  }

  @Test func `an eventually that stays open by default fails, also in a transcript`() throws {
    let commands = ["loadable a", "eventually a error", "load a 1 after 1s", "in 1s cancel a"]
    let failure = try #require(try explore(commands).failures.first)
    #expect(failure.rule == "run assertion 'eventually a error'")
    #expect(failure.violation.what == "nothing is left to do, and the condition was never true")

    let text = commands.map { "> \($0)\n" }.joined()
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    #expect(exploration.run().failures.map(\.rule) == ["run assertion 'eventually a error'"])
    #expect(script.ignored.isEmpty)
  }

  @Test func `a counterexample loses a load together with its retry`() throws {
    let commands = [
      "loadable a policy processed", "between 100ms and 1s load a 1", "in 100ms retry a",
      "at 100ms load a 1 after 200ms", "load a 1 after 400ms to 1s",
    ]
    let text = commands.joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let schedule = try #require(Schedule("1:200 8:1 9:1 11:1"))
    let failure = try #require(script.outcome(by: schedule).failure)

    #expect(script.counterexample(schedule, failure).script.commands.count <= 3)
  }

  @Test(arguments: [
    (12.4, "about 12"), (999_999, "about 999999"), (2e6, "about 10^6"), (1e308, "about 10^308"),
    (.infinity, "more than 10^308"),
  ])
  func `a huge number of schedules is printed as its magnitude`(number: Double, words: String) {
    #expect(ExplorationText.magnitude(number) == words)
  }
}
