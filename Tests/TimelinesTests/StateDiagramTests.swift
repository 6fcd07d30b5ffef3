import RehearsalBase
import Script
import Testing

@testable import Timelines

/// State diagrams of a machine's transitions.
@Suite struct StateDiagramTests {
  private static let start = Transition(from: .resting, cause: .start, to: .inFlight)
  private static let value = Transition(from: .inFlight, cause: .value, to: .succeeded)
  private static let error = Transition(from: .inFlight, cause: .error, to: .failed)
  private static let restart = Transition(from: .inFlight, cause: .restart, to: .inFlight)
  private static let set = Transition(from: nil, cause: .set, to: .succeeded)

  private func diagram(_ title: String = "profile") -> StateDiagram {
    StateDiagram(
      title: title,
      machine: "loadable latest",
      initial: .resting,
      counts: [Self.start: 12, Self.value: 2],
      possible: [Self.set, Self.error, Self.value, Self.start, Self.restart]
    )
  }

  @Test func `taken transitions are solid and come first`() {
    #expect(
      diagram().lines() == [
        "profile: loadable latest, 2 of 5 transitions taken",
        "absent    ──12──▶ loading  start",
        "loading   ───2──▶ loaded   value",
        "loading   ┄┄┄┄┄┄▶ loading  restart",
        "loading   ┄┄┄┄┄┄▶ error    error",
        "any       ┄┄┄┄┄┄▶ loaded   set",
      ]
    )
  }

  @Test func `ASCII draws the same`() {
    let lines = diagram().lines(style: .ascii)
    #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(lines[1] == "absent    --12--> loading  start")
    #expect(lines[3] == "loading   ......> loading  restart")
  }

  @Test func `causes between the same states share an arrow, each with its count`() {
    let diagram = StateDiagram(
      title: "a",
      machine: "process queue",
      counts: [
        Transition(from: .resting, cause: .start, to: .inFlight): 3,
        Transition(from: .resting, cause: .restart, to: .inFlight): 1,
      ],
      possible: nil
    )
    #expect(
      diagram.lines() == [
        "a: process queue, 2 transitions taken", "idle       ──4──▶ running   start 3, restart 1",
      ]
    )
  }

  @Test(arguments: [40, 80, 300]) func `no line is wider than it may be`(width: Int) {
    var counts: [Transition: Int] = [:]
    for cause in Transition.Cause.allCases {
      counts[Transition(from: .failed, cause: cause, to: .failed)] = 1_000_000
    }
    let name = String(repeating: "長い", count: 60)
    let diagram = StateDiagram(title: name, machine: name, counts: counts, possible: nil)
    #expect(diagram.lines(width: width).allSatisfy { $0.widthInColumns <= width })
  }

  @Test func `a transition that is not known to be possible is drawn but not counted`() {
    let odd = Transition(from: .failed, cause: .late, to: .resting)
    let diagram = StateDiagram(
      title: "a",
      machine: "loadable latest",
      counts: [odd: 1, Self.start: 1],
      possible: [Self.start, Self.value]
    )
    #expect(diagram.takenCount == 1)
    #expect(diagram.percent == 50)
    #expect(diagram.transitions.contains(odd))
  }

  @Test func `every transition has a unique number, in order`() {
    let phases: [Recording.Phase?] = Recording.Phase.allCases + [nil]
    var transitions: [Transition] = []
    for from in phases {
      for to in Recording.Phase.allCases {
        transitions += Transition.Cause.allCases.map { Transition(from: from, cause: $0, to: to) }
      }
    }
    #expect(transitions.map(\.code) == Array(0..<transitions.count))
    #expect(transitions.map { Transition(code: $0.code) } == transitions)
    #expect(Transition(code: transitions.count) == nil)
    #expect(Transition(code: -1) == nil)
  }

  // MARK: For other programs

  /// Markup, quotes, controls, emoji, right-to-left text.
  private static let odd = "a<b>&\"'\u{1B}[2J\n]--> ```{x}; ‮العربية 👩‍👩‍👧 %%"

  @Test func `Mermaid labels taken transitions with their counts and the others with never`() {
    #expect(
      diagram().mermaid == [
        "---", "title: \"profile: loadable latest, 2 of 5 transitions taken\"", "---",
        "stateDiagram-v2", "  direction LR", "  absent", "  loading", "  loaded", "  error",
        "  any", "  [*] --> absent", "  absent --> loading : 12× start",
        "  loading --> loaded : 2× value", "  loading --> loading : never restart",
        "  loading --> error : never error", "  any --> loaded : never set",
      ]
    )
  }

  @Test func `a name cannot inject Mermaid syntax`() {
    let one = diagram(Self.odd).mermaid
    let two = StateDiagram.mermaid([diagram(Self.odd), diagram()])
    for line in one + two {
      #expect(!line.contains { $0.isNewline })
      #expect(!line.unicodeScalars.contains { $0.value < 0x20 })
    }
    #expect(one.count == diagram().mermaid.count)
    let head = two[1]
    #expect(head.hasPrefix("  state \"a#60;b#62;#38;#34;'"))
    #expect(head.hasSuffix("\" as m1 {"))
    #expect(head.filter { $0 == "\"" }.count == 2)
    #expect(head.filter { $0 == "{" }.count == 1)
  }

  @Test func `a name cannot inject SVG markup`() {
    let svg = StateDiagram.svg([diagram(Self.odd), diagram()])
    #expect(!svg.contains("<b>"))
    #expect(!svg.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(svg.contains("a&lt;b&gt;&amp;&quot;"))
    #expect(!svg.contains("http", butFor: "http://www.w3.org/2000/svg"))
    #expect(!svg.contains("<script"))
  }

  @Test func `SVG draws taken transitions solid, with counts, and dashes the rest`() {
    let svg = StateDiagram.svg([diagram()])
    #expect(svg.contains("<title>absent → loading: 12× start</title>"))
    #expect(svg.contains("<title>loading → error: never error</title>"))
    #expect(svg.contains(">12</text>"))
    #expect(svg.contains("stroke-dasharray"))
    #expect(svg.contains("prefers-color-scheme: dark"))
  }

  @Test func `JSON has every transition with its count`() {
    let json = StateDiagram.json([diagram("a\u{1B}\"")])
    #expect(json.hasPrefix("{\"format\": \"rehearse-states\", \"version\": 1, \"diagrams\": ["))
    #expect(json.contains("\"title\": \"a\\u001b\\\"\""))
    #expect(json.contains("\"taken\": 2, \"possible\": 5, \"percent\": 40"))
    #expect(
      json.contains(
        "{\"from\": \"loading\", \"cause\": \"error\", \"to\": \"error\", \"count\": 0}"
      )
    )
    #expect(json.contains("{\"from\": \"any\", \"cause\": \"set\""))
  }

  // MARK: Coverage

  @Test func `a threshold applies to known percentages only`() {
    let unknown = StateDiagram(
      title: "own",
      machine: "own",
      counts: [Self.start: 1],
      possible: nil
    )
    let coverage = Coverage([diagram("loadable latest"), unknown])
    #expect(coverage.diagrams(below: 40) == [])
    #expect(coverage.diagrams(below: 41).map(\.title) == ["loadable latest"])
  }

  @Test func `a coverage table lists taken transitions, then those never taken`() {
    let unknown = StateDiagram(
      title: "own",
      machine: "own",
      counts: [Self.start: 1],
      possible: nil
    )
    #expect(
      Coverage([diagram(), unknown]).lines() == [
        "coverage:",
        "  loadable latest  2 of 5 transitions taken, 40%",
        "    absent    ──12──▶ loading  start",
        "    loading   ───2──▶ loaded   value",
        "    loading   ┄┄┄┄┄┄▶ loading  restart",
        "    loading   ┄┄┄┄┄┄▶ error    error",
        "    any       ┄┄┄┄┄┄▶ loaded   set",
        "  own              1 transition taken",
        "    absent    ──1──▶ loading  start",
      ]
    )
    #expect(Coverage([]).lines() == ["coverage: no machine took a transition"])
  }
}

extension String {
  fileprivate func contains(_ text: String, butFor known: String) -> Bool {
    var rest = Substring(self)
    while let found = rest.firstRange(of: text) {
      if !rest[found.lowerBound...].hasPrefix(known) { return true }
      rest = rest[found.upperBound...]
    }
    return false
  }
}
