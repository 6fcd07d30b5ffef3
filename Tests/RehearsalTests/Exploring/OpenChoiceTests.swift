import Exploring
import MockHTTP
import RehearsalBase
import Testing

@testable import Rehearsal

/// Values that a script leaves open, and that no run asks for.
@Suite struct OpenChoiceTests {
  private func unasked(_ commands: [String]) throws -> [String] {
    try explored(commands).openChoices.unasked.map { "\($0.command): \($0.text)" }
  }

  @Test(arguments: [
    (["route /a 200 or 503"], "0: the alternatives of answer 1 of 'route /a 200 or 503'"),
    (["route /a 200 after 1s to 2s"], "0: the delay of answer 1 of 'route /a 200 after 1s to 2s'"),
    (
      ["route /a 200 after lognormal 1s sigma 1"],
      "0: the delay of answer 1 of 'route /a 200 after lognormal 1s sigma 1'"
    ),
    (
      ["route /a 200, 404 or 503", "loadable a", "load a from /a"],
      "0: the alternatives of answer 2 of 'route /a 200, 404 or 503'"
    ),
    (
      ["route /a 200 or 503", "forget route 1"],
      "0: the alternatives of answer 1 of 'route /a 200 or 503'"
    ),
    (["inject http 50% 503"], "0: which requests it replaces of 'inject http 50% 503'"),
    (
      ["inject http 50% 503", "inject http off"],
      "0: which requests it replaces of 'inject http 50% 503'"
    ),
    (
      ["loadable a policy queue", "load a 1 after 1s", "load a 2 or 3", "cancel a"],
      "2: the outcome of 'load a 2 or 3'"
    ),
    (
      [
        "loadable a policy queue", "load a 1 after 1s", "load a yielding 2 after 1s to 2s",
        "cancel a",
      ],
      "2: the delay 1s to 2s of a yield of 'load a yielding 2 after 1s to 2s'"
    ),
    (
      ["loadable a", "load a 1 retry 1 backoff 1s jitter"],
      "1: the jitter of 'load a 1 retry 1 backoff 1s jitter'"
    ),
    (
      ["loadable a", "loadable b", "load a 1 interrupt after 1s do load b 1 or 2"],
      "2: 'load b 1 or 2' of 'load a 1 interrupt after 1s do load b 1 or 2'"
    ),
    (
      ["loadable a", "loadable b", "load a 1 interrupt after 1s do expect b loaded"],
      "2: 'expect b loaded' of 'load a 1 interrupt after 1s do expect b loaded'"
    ),
    (
      ["loadable a", "load a 1 interrupt after 1s do inject http 50% 503"],
      "1: 'inject http 50% 503' of 'load a 1 interrupt after 1s do inject http 50% 503'"
    ),
    (
      ["loadable a", "load a 1 interrupt after 1s do route /q 500 after lognormal 1s sigma 1"],
      "1: 'route /q 500 after lognormal 1s sigma 1' of 'load a 1 interrupt after 1s do route /q 500 after lognormal 1s sigma 1'"
    ),
    (
      ["loadable a", "load a 1 interrupt after 1s do expect a loaded 2"],
      "1: 'expect a loaded 2' of 'load a 1 interrupt after 1s do expect a loaded 2'"
    ),
    (
      ["loadable a", "loadable b", "load a 1 after 2s interrupt after 1s, 5s do load b 1"],
      "2: 'load b 1' at interrupt 2 of 'load a 1 after 2s interrupt after 1s, 5s do load b 1'"
    ),
    (
      ["input i", "pipe p = i | flatMap load 1 or 2"],
      "1: the outcome of stage 1 of 'pipe p = i | flatMap load 1 or 2'"
    ),
    (
      ["input i", "pipe p = i | flatMap load 1 after 1s to 2s"],
      "1: the delay 1s to 2s of stage 1 of 'pipe p = i | flatMap load 1 after 1s to 2s'"
    ),
  ])
  func `each value that no run asks for is named`(commands: [String], what: String) throws {
    #expect(try unasked(commands) == [what])
  }

  @Test(arguments: [
    ["route /a 200 or 503", "loadable a", "load a from /a"],
    ["route /a 200 or 503", "loadable a", "load a from /a", "settle", "forget route 1"],
    ["route /a 200", "inject http 50% 503", "loadable a", "load a from /a", "inject http off"],
    ["loadable a", "in 1s load a 1 or fail \"x\" after 1s to 2s"],
    ["loadable a", "between 1s and 2s load a 1 failing \"x\" times 1 retry 1 backoff 1s jitter"],
    ["input i", "pipe p = i | flatMap load 1 or 2 after 1s to 2s", "enter i 1"],
    ["loadable a", "loadable b", "load a 1 after 2s interrupt after 1s do load b 1 or 2"],
    ["loadable a", "load a 1"],
    ["loadable a", "in 1s load a 1", "load a 1 after 2s interrupt after 1s do expect a loading"],
  ])
  func `a value that some run asks for is not named`(commands: [String]) throws {
    let findings = try explored(commands)
    #expect(findings.openChoices.unasked == [])
    #expect(findings.isExhausted)
  }

  @Test(arguments: [
    ["loadable a", "quit", "load a 1 or 2"], ["source f.rehearse", "now"],
  ])
  func `a value after 'quit' is not left out, because the script is refused`(
    commands: [String]
  ) throws {
    let text =
      commands.map { "> \($0)\n" }.joined()
      + "-- f.rehearse --\nloadable a\nquit\nload a 1 or 2\n"
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let error = #expect(throws: ExploredScript.Refusal.self) {
      try ExploredScript(file, scenes: [])
    }
    #expect(error?.lines.first?.hasSuffix(" after it cannot be reached") == true)
  }

  @Test(arguments: [
    ("inject http 100% 503 after 1s to 2s", ["the delay"]),
    (
      "inject http 50% 503 after 1s to 2s",
      ["the delay", "which requests it replaces"]
    ),
  ])
  func `each value that an injection leaves open is named`(
    command: String,
    values: [String]
  ) throws {
    #expect(try unasked([command]) == values.map { "0: \($0) of '\(command)'" })
    #expect(
      try unasked(["route /a 200", command, "loadable a", "load a from /a", "settle"]) == []
    )
  }

  @Test(arguments: [false, true])
  func `a server names open values of routes that a scene adds and that no run asks for`(
    isOfSession: Bool
  ) throws {
    let scene = Scene("client", "Adds a route to a server.") { scene in
      let server = isOfSession ? scene.server : MockServer()
      server.add(.get("/a", ScriptedAnswer.status(200).or(503)))
      scene.command("keep", "Keeps the server.") { _ = server.routes.count }
    }
    let file = try #require(Playable(path: "a.rehearse", bytes: Array("scene client\n".utf8)))
    let script = try ExploredScript(file, scenes: [scene])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    let findings = exploration.run()
    #expect(findings.end == .partial)
    #expect(
      findings.openChoices.unasked.map { script.sentence(about: $0) } == [
        "the alternatives of answer 1 of GET /a"
      ]
    )
  }

  @Test func `each of two equal routes of a scene leaves its own value open`() throws {
    let scene = Scene("client", "Adds two routes to a server.") { scene in
      for _ in 0..<2 { scene.server.add(.get("/a", ScriptedAnswer.status(200).or(503))) }
    }
    let text = "scene client\nloadable a\nload a from /a\nsettle\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [scene])
    let findings = Exploration(.init(.exhaustive, seeds: 0..<100), script.play).run()

    #expect(findings.openChoices.all.count == 2)
    #expect(findings.openChoices.unasked.count == 1)
    #expect(findings.end == .partial)
  }

  @Test func `the summary names each with its line, and never says all`() throws {
    let text = """
      # A comment.
      route /a 200 or 503

      loadable a
      load a 1 or 2

      """
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    let findings = exploration.run()
    let told = ExplorationText(
      script,
      findings,
      ExplorationWording(name: "a.rehearse", width: 80, words: .ofProgram)
    ).lines([])
    #expect(
      told.prefix(2).map(\.text) == [
        "3 runs of a.rehearse, 2 distinct schedules, not all: 2 behaviours",
        "not varied, because no run reached it: line 2, the alternatives of answer 1 of 'route /a 200 or 503'",
      ]
    )
  }

  @Test func `the summary names all of them, however many`() throws {
    let text = (1...12).map { "route /a\($0) 200 or 503\n" }.joined()
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    let told = ExplorationText(
      script,
      exploration.run(),
      ExplorationWording(name: "a.rehearse", width: 80, words: .ofProgram)
    ).lines([]).map(\.text)

    #expect(told.count { $0.hasPrefix("not varied, ") } == 12)
    #expect(
      told.contains {
        $0.hasSuffix(" line 12, the alternatives of answer 1 of 'route /a12 200 or 503'")
      }
    )
  }

  @Test func `a route of a scene is named by what it answers`() throws {
    let scene = Scene("client", "Has routes.") { scene in
      scene.add(.get("/a", ScriptedAnswer.status(200).or(503)), .get("/b", .status(200).or(404)))
    }
    let file = try #require(Playable(path: "a.rehearse", bytes: Array("scene client\n".utf8)))
    let script = try ExploredScript(file, scenes: [scene])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    #expect(
      exploration.run().openChoices.unasked.map(\.text) == [
        "the alternatives of answer 1 of GET /a of 'scene client'",
        "the alternatives of answer 1 of GET /b of 'scene client'",
      ]
    )
  }

  @Test func `a value of a file that is sourced is named by its line there`() throws {
    let text = "> source routes.rehearse\n-- routes.rehearse --\n# b\nroute /a 200 or 503\n"
    let file = try #require(Playable(path: "a.transcript", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [])
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<100), script.play)
    #expect(
      exploration.run().openChoices.unasked.map(\.text) == [
        "routes.rehearse:2: the alternatives of answer 1 of 'route /a 200 or 503'"
      ]
    )
  }

  @Test func `no part of a search needs a value that another part has asked for`() {
    let choice = OpenChoice(command: 1, text: "the outcome")
    var one = OpenChoices()
    var other = OpenChoices()
    one.add(choice, isAsked: false)
    other.add(choice, isAsked: true)
    #expect(one.unasked == [choice])
    one.merge(other)
    #expect(one.unasked == [] && one.all.count == 1)
  }
}
