#if canImport(FoundationNetworking)
import Exploring
import MockHTTP
import Rehearsal
import Staging
import Testing

/// Every row of "What may vary" in docs/exploring.md that applies to a route, through every client: a search tries the
/// same variants with all of them.
@Suite struct VaryingTests {
  /// A row, and the results of the requests in all runs.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    /// The commands of a script.
    let commands: [String]
    /// The same in Swift; nil if only a script can express it.
    var prepare: (@Sendable (MockServer) -> Void)?
    /// The text before the command that sends the request.
    var moment = ""
    var requests = 1
    /// The results of the requests of a run, in all runs.
    let outcomes: Set<[String]>
    /// The outcomes for a scenario, which has no instants of the default schedule that delays could coincide with; nil for
    /// no difference.
    var inScenario: Set<[String]>?

    var testDescription: String { name }
  }

  private static func at(_ times: String...) -> Set<[String]> {
    Set(times.map { ["200 at \($0)s"] })
  }

  private static let json = ScriptedAnswer.json("[]")

  private static func route(_ answers: ScriptedAnswer...) -> @Sendable (MockServer) -> Void {
    {
      $0.add(Route(RequestPattern(path: PathTemplate(segments: [.literal("a")])), answers: answers))
    }
  }

  static let rows = [
    Row(
      name: "a delay",
      commands: ["route /a 200 json [] after 100ms to 400ms"],
      prepare: route(json.after(.milliseconds(100), to: .milliseconds(400))),
      outcomes: Self.at("0.100", "0.232", "0.365", "0.382", "0.400"),
      inScenario: Self.at("0.100", "0.250", "0.365", "0.400")
    ),
    Row(
      name: "a delay of many near the median",
      commands: ["route /a 200 json [] after lognormal 200ms sigma 0.5"],
      prepare: route(json.after(.logNormal(median: .milliseconds(200), sigma: 0.5))),
      outcomes: Self.at("0.074", "0.139", "0.205", "0.374", "0.544"),
      inScenario: Self.at("0.074", "0.205", "0.309", "0.544")
    ),
    Row(
      name: "one of several answers",
      commands: ["route /a 200 json [] or 503 or reset"],
      prepare: route(json.or(503).or(.fault(.reset))),
      outcomes: [["200 at 0.000s"], ["503 at 0.000s"], ["reset at 0.000s"]]
    ),
    Row(
      name: "one of several for each request",
      commands: ["route /a 503 or reset, 200 json [] or 404"],
      prepare: route(.status(503).or(.fault(.reset)), json.or(404)),
      requests: 2,
      outcomes: [
        ["503 at 0.000s", "200 at 0.000s"], ["503 at 0.000s", "404 at 0.000s"],
        ["reset at 0.000s", "200 at 0.000s"], ["reset at 0.000s", "404 at 0.000s"],
      ]
    ),
    Row(
      name: "an injected answer",
      commands: ["route /a 200 json []", "inject http 50% 503"],
      prepare: { server in
        route(json)(server)
        server.inject(503, rate: 0.5)
      },
      requests: 2,
      outcomes: [
        ["200 at 0.000s", "200 at 0.000s"], ["200 at 0.000s", "503 at 0.000s"],
        ["503 at 0.000s", "200 at 0.000s"], ["503 at 0.000s", "503 at 0.000s"],
      ]
    ),
    Row(
      name: "an injected answer that takes its time",
      commands: ["route /a 200 json []", "inject http 50% 503 after 1s to 2s"],
      prepare: { server in
        route(json)(server)
        server.inject(ScriptedAnswer.status(503).after(.seconds(1), to: .seconds(2)), rate: 0.5)
      },
      outcomes: [
        ["200 at 0.000s"], ["503 at 1.000s"], ["503 at 1.431s"], ["503 at 1.500s"],
        ["503 at 2.000s"],
      ]
    ),
    Row(
      name: "after a time",
      commands: ["route /a 200 json []"],
      moment: "in 1s to 2s ",
      outcomes: Self.at("1.000", "1.500", "2.000")
    ),
    Row(
      name: "between two instants",
      commands: ["route /a 200 json []"],
      moment: "between 1s and 2s ",
      outcomes: Self.at("1.000", "1.500", "2.000")
    ),
  ]

  // MARK: A search through a script

  @Test(arguments: rows, Way.allCases)
  func `code of a scene`(row: Row, way: Way) throws {
    let scene = Rehearsal.Scene("client", "Asks for /a.") { scene in
      let ask = way.client(scene.server, on: scene.stage)
      scene.command("ask", "Asks.") { await ask() }
    }
    let outcomes = try explored(row, asking: [["scene client"], ["ask"]], scenes: [scene])
    #expect(outcomes == row.outcomes)
  }

  @Test(arguments: rows)
  func `the transport of a scene`(row: Row) throws {
    let scene = Rehearsal.Scene("client", "Asks for /a.") { scene in
      let transport = scene.transport(for: "client")
      scene.command("ask", "Asks.") {
        _ = try? await transport.send(Way.request) { _ in }
      }
    }
    let outcomes = try explored(row, asking: [["scene client"], ["ask"]], scenes: [scene])
    #expect(outcomes == row.outcomes)
  }

  @Test(
    arguments: rows,
    [
      [["loadable x"], ["load x from /a"]],
      [["process x"], ["run x from GET /a"]],
      [["input i", "pipe x = i | flatMap (load from /a | replaceError null)"], ["enter i 1"]],
    ]
  )
  func `a member of a script`(row: Row, commands: [[String]]) throws {
    #expect(try explored(row, asking: commands, scenes: []) == row.outcomes)
  }

  /// Variants that only a load can have, for a load from a route.
  @Test(
    arguments: [
      (#"load x from /a or fail "no""#, [["200 at 0.000s"], []]),
      ("load x from /a after 1s to 2s", [["200 at 1.000s"], ["200 at 1.500s"], ["200 at 2.000s"]]),
      (
        "load x from /503 retry 1 backoff 1s jitter",
        [
          ["503 at 0.000s", "503 at 0.000s"], ["503 at 0.000s", "503 at 0.058s"],
          ["503 at 0.000s", "503 at 0.116s"], ["503 at 0.000s", "503 at 0.558s"],
          ["503 at 0.000s", "503 at 1.000s"],
        ]
      ),
      ("load x from /a interrupt after 1s to 2s", [["200 at 0.000s"]]),
    ] as [(String, Set<[String]>)]
  )
  func `a load from a route`(load: String, outcomes: Set<[String]>) throws {
    let row = Row(
      name: load,
      commands: ["route /a 200 json []", "route /503 503"],
      outcomes: outcomes
    )
    #expect(try explored(row, asking: [["loadable x"], [load]], scenes: []) == outcomes)
    let run = load.replacing("load x from ", with: "run x from GET ")
    #expect(try explored(row, asking: [["process x"], [run]], scenes: []) == outcomes)
  }

  // MARK: A search through a scenario

  @Test(arguments: rows.filter { $0.prepare != nil }, Way.allCases)
  @MainActor func `code of a scenario`(row: Row, way: Way) throws {
    let prepare = try #require(row.prepare)
    let findings = Exploration.explore(.init(.exhaustive, seeds: 0..<10_000)) { run in
      let server = MockServer()
      prepare(server)
      let ask = way.client(server, on: run.stage)
      for _ in 0..<row.requests { await ask() }
      for entry in server.log.entries { run.note(Self.outcome(entry)) }
    }
    #expect(findings.isExhausted && findings.failures.isEmpty)
    #expect(Set(findings.groups.map(\.outcome.seen)) == row.inScenario ?? row.outcomes)
  }

  @Test(arguments: [false, true])
  @MainActor func `a scenario names values of a server that no run asks for`(asks: Bool) {
    let findings = Exploration.explore(.init(.exhaustive, seeds: 0..<10_000)) { run in
      let servers = (0..<2).map { _ in MockServer() }
      for server in servers { Self.route(.status(503).or(.fault(.reset)))(server) }
      servers[0].inject(ScriptedAnswer.status(500).or(501), rate: 0.5)
      let ask = Way.memory.client(servers[0], on: run.stage)
      if asks { await ask() }
      for entry in servers[0].log.entries { run.note(Self.outcome(entry)) }
    }

    #expect(findings.end == .partial)
    let other = "the alternatives of answer 1 of any /a"
    #expect(
      findings.openChoices.unasked.map(\.text).sorted()
        == (asks
          ? ["\(other) (2)"]
          : [
            "the alternatives of an injected answer", other, "\(other) (2)",
            "which requests it replaces of an injected answer",
          ])
    )
    let outcomes = ["500 at 0.000s", "501 at 0.000s", "503 at 0.000s", "reset at 0.000s"]
    #expect(
      Set(findings.groups.map(\.outcome.seen)) == (asks ? Set(outcomes.map { [$0] }) : [[]])
    )
  }

  @Test @MainActor func `a request does not use an ended injection`() {
    let findings = Exploration.explore(.init(.exhaustive, seeds: 0..<100)) { run in
      let server = MockServer()
      Self.route(Self.json)(server)
      server.inject(503, rate: 0.5)
      server.stopInjecting()
      await Way.memory.client(server, on: run.stage)()
    }

    #expect(
      findings.openChoices.unasked.map(\.text) == [
        "which requests it replaces of an injected answer"
      ]
    )
    #expect(findings.end == .partial)
  }

  @Test(arguments: [Way.completionHandler, .otherQueue, .urlSessionTransport])
  func `a search through code that uses URLSession is the same fifty times`(way: Way) async throws {
    let isBusy = Flag(true)
    let busy = (0..<4).map { _ in Task.detached { while isBusy.value { await Task.yield() } } }
    let searches = try await Task.detached {
      try (0..<50).map { _ in try Self.search(way) }
    }.value
    isBusy.value = false
    for task in busy { await task.value }
    #expect(Set(searches).count == 1)
  }

  /// Returns the results of two concurrent requests under random schedules. Each request asks for the open values of
  /// the routes.
  private static func search(_ way: Way) throws -> [String] {
    let scene = Rehearsal.Scene("client", "Asks for /a.") { scene in
      let ask = way.client(scene.server, on: scene.stage)
      scene.command("ask", "Asks.") { await ask() }
    }
    let text = """
      route /a 503 or reset after 1s to 2s, 200 after lognormal 1s sigma 1 or never
      inject http 30% 500
      scene client
      ask
      in 1s to 2s ask
      in 1s to 2s cancel ask
      wait 5s
      requests

      """
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: [scene], disabling: Set(BuiltInCheck.allCases))
    let exploration = Exploration(.init(.random, seeds: 0..<20), script.play)
    let findings = exploration.run()
    #expect(!findings.isNondeterministic)
    #expect(findings.openChoices.all.count >= 5 && findings.openChoices.unasked.isEmpty)
    #expect(findings.groups.count > 10)
    return findings.groups.flatMap { ["\($0.schedule)"] + $0.outcome.seen }
  }

  private static func outcome(_ entry: RequestLog.Entry) -> String {
    let milliseconds = (entry.ended ?? .zero) / .milliseconds(1)
    let digits = String(Int(milliseconds) + 10_000).dropFirst().suffix(3)
    let what = entry.fault?.rawValue ?? entry.status.map { "\($0)" } ?? "nothing"
    return "\(what) at \(Int(milliseconds) / 1000).\(digits)s"
  }

  private func explored(
    _ row: Row,
    asking commands: [[String]],
    scenes: [Rehearsal.Scene]
  ) throws -> Set<[String]> {
    let asking = (0..<row.requests).flatMap { _ in commands[1].map { row.moment + $0 } + ["settle"]
    }
    let text = (row.commands + commands[0] + asking + ["requests"]).joined(separator: "\n") + "\n"
    let file = try #require(Playable(path: "a.rehearse", bytes: Array(text.utf8)))
    let script = try ExploredScript(file, scenes: scenes)
    let exploration = Exploration(.init(.exhaustive, seeds: 0..<10_000), script.play)
    let findings = exploration.run()
    #expect(findings.isExhausted && findings.failures.isEmpty)
    return Set(findings.groups.map { Self.requests(in: $0.outcome.seen) })
  }

  /// Returns the result of each request, as `requests` prints it.
  private static func requests(in lines: [String]) -> [String] {
    lines.compactMap { line in
      let parts = line.split(separator: ",")[0].split(separator: " ")
      guard parts.count > 4, Int(parts[0]) != nil, parts[1].hasSuffix("s") else { return nil }
      return parts.suffix(3).joined(separator: " ")
    }
  }
}
#endif
