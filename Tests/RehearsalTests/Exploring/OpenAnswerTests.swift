import Exploring
import Testing

@testable import Rehearsal

/// Answers that a script leaves open.
@Suite struct OpenAnswerTests {
  /// Returns the final states of all runs.
  private func ends(_ commands: [String]) throws -> Set<String> {
    Set(try explored(commands).groups.compactMap(\.outcome.seen.last))
  }

  @Test func `a search tries every answer of a load`() throws {
    #expect(
      try ends(["loadable a", "load a 1 or fail \"x\" or 2", "settle"]) == [
        "   0.000s  a  loading #1 → loaded 1", "   0.000s  a  loading #1 → loaded 2",
        "   0.000s  a  loading #1 → error \"x\"",
      ]
    )
  }

  @Test func `a search tries every answer of a route, for each request`() throws {
    let ends = try ends([
      "route /a 200 json 1 or 503 or reset", "loadable a from /a", "load a retry 1", "settle",
    ])

    #expect(
      ends == [
        "   0.000s  a  loading #1 → loaded 1", "   0.000s  a  loading #1 → error http 503",
        "   0.000s  a  loading #1 → error transport reset",
      ]
    )
  }

  @Test(arguments: [
    ("load a from /a or fail \"x\"", "→ error \"x\""), ("load a fail \"x\" or 7", "→ loaded 7"),
    ("load a 1 or from /b", "→ loaded \"b\""),
    ("load a yielding 1 then fail \"x\" or cancelling", "#1 threw CancelLoadable"),
    ("load a 1 or never after 1s", "#1 still waiting, with nothing left to run"),
    ("run p or fail \"x\"", "→ failed \"x\""), ("run p from /a or never", "#1 still waiting"),
    ("run p cancelling or resetting after 1s", "→ idle"),
  ])
  func `a schedule chooses the answer after or`(load: String, end: String) {
    let lines = performed([
      "route /a 200 json []", "route /b 200 json \"b\"", "loadable a", "process p", "schedule 1:1",
      load, "settle",
    ])

    #expect(lines.last?.contains(end) == true, "\(lines)")
  }

  @Test func `each try of a load has its own answer`() {
    let lines = performed(["loadable a", "schedule 1:1 2:2", "load a 1 or fail \"x\" or 2 retry 1"])

    #expect(lines.last == "   0.000s  a  loading #1 → loaded 2")
  }

  @Test func `a chosen answer of a route keeps its place in the sequence`() {
    let lines = performed([
      "route /a 500, 200 json 1 or 503, 201 json 3 or reset", "loadable a from /a",
      "schedule 1:1 2:1", "load a retry 2", "load a", "requests",
    ])

    #expect(
      lines.filter { $0.contains("→ ") }.suffix(1) == [
        "   0.000s  a  loading #2 → loaded 3"
      ],
      "\(lines)"
    )
    #expect(lines.contains { $0.contains("try 2 of 3 failed: http 503") }, "\(lines)")
  }

  @Test(arguments: [
    (50, ["→ loaded 1", "→ error http 503"]), (100, ["→ error http 503"]), (0, ["→ loaded 1"]),
  ])
  func `a search tries both the drawn and the other answer of each request`(
    percent: Int,
    ends: [String]
  ) throws {
    let found = try self.ends([
      "route /a 200 json 1", "inject http \(percent)% 503", "loadable a from /a", "load a",
      "settle",
    ])

    #expect(found == Set(ends.map { "   0.000s  a  loading #1 " + $0 }))
  }

  @Test func `a plain session takes the first answer`() {
    let lines = performed([
      "route /a 200 json 1 or 503", "loadable a from /a", "load a", "load a 2 or fail \"x\"",
    ])

    #expect(lines[1] == "   0.000s  a  loading #1 → loaded 1")
    #expect(lines.last == "   0.000s  a  loading #2 → loaded 2")
  }

  @Test(arguments: [
    ("load a 1 or", "error: expected a JSON value, but the command ends here"),
    ("load a never or never after 1s", "error: 'never' and 'after' exclude each other"),
    (
      "run p or 1",
      "error: expected 'from', 'fail', 'never', 'cancelling' or 'resetting', but found '1'"
    ),
    ("route /a 200 or", "error: expected a status or a fault, but the command ends here"),
    ("process or kinds or", "error: 'or' is a word of 'run'"),
  ])
  func `an invalid answer is refused`(command: String, error: String) {
    #expect(performed(["loadable a", "process p", command]).first == error)
  }

  @Test func `a route prints as it was written`() {
    let lines = performed([
      "route /a 200 json [] or 503 or reset after 1s to 2s, 404 after 1s or tls then cycle",
      "routes",
    ])

    #expect(
      lines == [
        "1  GET /a 200 json [] or 503 or reset after 1s to 2s, 404 after 1s or tls then cycle"
      ]
    )
  }
}
