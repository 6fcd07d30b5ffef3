import RehearsalBase
import Testing

@testable import Script

@Suite struct ParserTests {
  @Test(arguments: [
    ("250ms", Duration.milliseconds(250)), ("2s", .seconds(2)), ("1.5s", .milliseconds(1500)),
    ("1m", .seconds(60)), ("1h", .seconds(3600)), ("1us", .microseconds(1)),
    ("7ns", .nanoseconds(7)),
    ("0s", .zero), ("0.000000001s", .nanoseconds(1)), ("1.1s", .milliseconds(1100)),
    ("0.5ms", .microseconds(500)), ("876000h", .seconds(876_000 * 3600)),
  ])
  func `a number with a unit is an exact duration`(text: String, expected: Duration) throws {
    #expect(try duration(text) == expected)
  }

  @Test(arguments: [
    ("5", Problem.missingUnit("5")), ("5x", .unknownUnit("x")), ("-5s", .negative("-5s")),
    ("876001h", .durationTooLong("876001h")),
    ("99999999999999999999s", .durationTooLong("99999999999999999999s")),
    ("0.0000000001s", .durationTooFine("0.0000000001s")), ("1.5ns", .durationTooFine("1.5ns")),
    ("0.00000000001s", .durationTooFine("0.00000000001s")),
    ("0.000000000000000000000000000001h", .durationTooFine("0.000000000000000000000000000001h")),
  ])
  func `a bad duration is refused with the reason`(text: String, problem: Problem) {
    #expect { try duration(text) } throws: { ($0 as? Diagnostic)?.problem == problem }
  }

  @Test(arguments: ["", "s", "1..5s", ".5s", "1.s", "fast"])
  func `text that is not a duration is refused`(text: String) {
    #expect(throws: Diagnostic.self) { try duration(text) }
  }

  @Test func `identical text is parsed once, and text that only looks the same is not identical`()
    throws
  {
    let composed = "greet \"\u{E9}\""
    let decomposed = "greet \"e\u{301}\""
    let first = try command(composed)

    #expect(try command(composed) === first)
    #expect(composed == decomposed)
    #expect(Array(try command(decomposed).source.utf8) == Array(decomposed.utf8))
  }

  @Test(arguments: [
    ("# a\rgreet 1", 3..<4), ("greet 1 # a\u{2028}greet 2", 11..<14), ("greet\r1", 5..<6),
    ("greet 1\rgreet 2", 7..<8), ("#\u{85}", 1..<3), ("greet 1 # a\r\r\n", 11..<12),
  ])
  func `a character that looks like a line end hides no command`(
    text: String,
    span: Range<Int>
  ) {
    #expect { try command(text) } throws: {
      guard let found = $0 as? Diagnostic, case .lineEndLookalike = found.problem else {
        return false
      }
      return found.span == span
    }
  }

  @Test(arguments: ["greet \"a\u{2028}b\"", "greet 1\r\n", "greet 1 # a\r"])
  func `values and line ends have no lookalikes`(text: String) throws {
    #expect(try command(text).verb.value == "greet")
  }

  @Test func `clauses come in any order, each once`() throws {
    let one = try command("greet \"Ann\" loudly after 1s")
    let other = try command("greet \"Ann\" after 1s loudly")
    #expect(one.arguments.has("loudly") && other.arguments.has("loudly"))
    #expect(one.arguments[Self.delay]?.value == .seconds(1))
    #expect { try command("greet 1 loudly loudly") } throws: {
      ($0 as? Diagnostic) == Diagnostic(.repeatedClause("loudly"), at: 15..<21)
    }
  }

  @Test(arguments: [
    ("gret 1", "there is no command 'gret'", "did you mean 'greet'?"),
    ("greet 1 aftr 2s", "did not expect 'aftr' here", "did you mean 'after'?"),
    (
      "greet", "expected a JSON value, but the command ends here",
      "'help greet' shows its syntax"
    ),
    (
      "greet 1 after", "expected a duration, but the command ends here",
      "write a number with a unit, as in '250ms' or '2s'"
    ),
    ("greet Ann", "expected a JSON value, but found 'Ann'", "put a text in quotes: \"Ann\""),
  ])
  func `a mistake is named, with a suggestion`(
    text: String,
    sentence: String,
    hint: String?
  ) {
    #expect { try command(text) } throws: { error in
      guard let diagnostic = error as? Diagnostic else { return false }
      return diagnostic.problem.sentence == sentence && diagnostic.hint == hint
    }
  }

  @Test(arguments: ["", "   ", "# a comment", "  # 2 comments"])
  func `blanks and comments are not commands`(text: String) throws {
    guard case .nothing = try Script.read(text, table: Self.table) else {
      Issue.record("It was taken for a command.")
      return
    }
  }

  @Test func `a line of a megabyte is refused without parsing it`() {
    let text = "greet \"" + String(repeating: "x", count: 1 << 20) + "\""
    #expect { try command(text) } throws: {
      if case .tooLong = ($0 as? Diagnostic)?.problem { true } else { false }
    }
  }

  @Test(arguments: [
    String(repeating: "[", count: 30_000), "Int" + String(repeating: "?", count: 30_000),
    String(repeating: "[", count: 60) + "Int" + String(repeating: "?]", count: 60),
  ])
  func `a type that nests deeper than a value can is refused`(text: String) {
    #expect {
      var parser = Parser(text, table: CommandTable([]))
      _ = try parser.type()
    } throws: {
      ($0 as? Diagnostic)?.problem == .nestedTooDeep(limit: 100)
    }
  }

  @Test func `completion offers what the parser accepts`() {
    #expect(expected(at: 0, in: "gr") == [.verb])
    #expect(
      expected(at: 8, in: "greet 1 ")
        == [.keyword("after"), .keyword("loudly")]
    )
    #expect(expected(at: 14, in: "greet 1 after ") == [.sample("a duration", example: "250ms")])
    #expect(expected(at: 15, in: "greet 1 loudly ") == [.keyword("after")])
  }

  @Test func `the synopsis is derived from the syntax`() {
    #expect(Self.table.definitions[0].synopsis == ["VALUE", "[after D]", "[loudly]"])
  }

  @Test(arguments: [("profle", "profile"), ("Lod", "load"), ("aftre", "after")])
  func `the nearest word is suggested`(typed: String, meant: String) {
    #expect(Suggestion.nearest(to: typed, in: ["load", "profile", "after"]) == meant)
  }

  @Test func `a far word is not suggested`() {
    #expect(Suggestion.nearest(to: "xyzzy", in: ["load", "profile"]) == nil)
  }

  private static let delay = Slot<Located<Duration>>("delay", "D") {
    parser throws(Diagnostic) in try parser.duration()
  }
  private static let value = Slot<Located<JSONValue>>("value", "VALUE") {
    parser throws(Diagnostic) in try parser.value()
  }
  private static let table = CommandTable([
    CommandDefinition(
      "greet",
      topic: .session,
      summary: "Greets.",
      arguments: [.slot(value)],
      clauses: [.sequence([.keyword("after"), .slot(delay)]), .keyword("loudly")],
      examples: []
    )
  ])

  private func command(_ text: String) throws -> ParsedCommand {
    guard case .command(let command) = try Script.read(text, table: Self.table) else {
      throw Diagnostic(.unexpected(text), at: 0..<0)
    }
    return command
  }

  private func expected(at place: Int, in text: String) -> [Acceptable] {
    Script.expectations(at: place, in: text, table: Self.table)
  }

  private func duration(_ text: String) throws -> Duration {
    var parser = Parser(text, table: CommandTable([]))
    let duration = try parser.duration()
    guard parser.isAtEnd else { throw parser.expected("nothing more") }
    return duration.value
  }
}
