import Pipelines
import RehearsalBase
import Testing
import Timelines

@testable import Rehearsal
@testable import Script

@MainActor @Suite struct PipeMemberTests {
  private let run = PipeRun()

  @Test func `values pass the stages in virtual time`() throws {
    run.input("query")
    try run.pipe("results", #"query | throttle 500ms | filter length >= 2 | map "{value}!""#)
    #expect(try run.enter("query", .string("a")) == ["0.000s  query  \"a\""])
    run.perform("wait 100ms")
    try run.enter("query", .string("ab"))

    #expect(run.perform("settle") == ["0.500s  results  \"ab!\""])
    #expect(try run.member("results")?.stateText == "\"ab!\"")
  }

  @Test func `the current value of an input arrives immediately, and a change shows both values`()
    throws
  {
    run.input("query", .string(""))

    #expect(try run.pipe("copy", "query") == ["0.000s  copy  \"\""])
    #expect(
      try run.enter("query", .string("a")) == [
        "0.000s  query  \"\" → \"a\"", "0.000s  copy  \"a\"",
      ]
    )
  }

  @Test func `a cancelled pipe receives nothing more`() throws {
    let input = run.input("query")
    try run.pipe("copy", "query | delay 1s")
    try run.enter("query", .number("1"))

    #expect(run.perform("cancel copy") == ["0.000s  copy  cancelled"])
    #expect(try run.enter("query", .number("2")) == ["0.000s  query  2"])
    #expect(run.perform("settle") == [])
    #expect(run.perform("cancel copy") == ["0.000s  copy  cancelled; cancel changes nothing"])
    #expect(input.facts.last?.value == "0")
  }

  @Test func `the end of a source is the end of its pipes`() throws {
    let input = run.input("query")
    try run.pipe("copy", "query")

    #expect(
      try run.printing { try input.end(.text("no network"), at: 0..<0) } == [
        "0.000s  query  failed: \"no network\"", "0.000s  copy  failed: \"no network\"",
      ]
    )
    #expect(try run.member("copy")?.stateText == "failed \"no network\"")
    #expect(
      throws: Diagnostic(.hasEnded("query"), at: 3..<4, hint: "'forget query' makes the name free")
    ) {
      try input.enter(Located(.null, at: 3..<4))
    }
  }

  @Test func `a value of another type is refused`() throws {
    let input = run.input("count", of: .int)

    #expect(throws: Diagnostic.self) { try input.enter(Located(.string("a"), at: 0..<1)) }
    #expect(throws: Diagnostic.self) {
      try input.type(Located("abc", at: 0..<1), every: .seconds(1))
    }
    #expect(input.stateText == "no value")
  }

  @Test func `a text is typed key by key, and typing again replaces it`() throws {
    let input = run.input("query")
    func type(_ text: String) throws -> [String] {
      try run.printing {
        try input.type(Located(text, at: 0..<0), every: .milliseconds(100))
      }
    }

    #expect(try type("abc") == ["0.000s  query  \"a\""])
    #expect(run.perform("wait 100ms") == ["0.100s  query  \"ab\""])
    #expect(try type("x👩‍👩‍👧y") == ["0.100s  query  \"x\""])
    #expect(
      run.perform("settle") == ["0.200s  query  \"x👩‍👩‍👧\"", "0.300s  query  \"x👩‍👩‍👧y\""]
    )
    #expect(try type("") == ["0.300s  query  \"\""])
  }

  @Test func `a diagram is a source for each subscriber, or is played into an input`() throws {
    try run.marble("keys", "a-(bc)|")
    try run.pipe("all", "keys | collect")
    #expect(
      run.perform("settle") == [
        "0.300s  all  [\"a\", \"b\", \"c\"]", "0.300s  all  finished",
      ]
    )

    let input = run.input("query")
    let marble = Located(try Marble("a-#"), at: 0..<0)
    #expect(
      try run.printing {
        try input.play(marble, tick: .seconds(1), values: ["a": .number("1")])
      } == ["0.300s  query  1"]
    )
    #expect(run.perform("settle") == ["2.300s  query  failed: \"#\""])
    #expect(try run.fact("subscriptions", of: "keys") == "1")
  }

  @Test func `subscribers are served in the order of their creation`() throws {
    run.input("query")
    let names = (0..<20).map { "p\($0)" }
    for name in names { try run.pipe(name, "query") }

    #expect(
      try run.enter("query", .null) == ["0.000s  query  null"] + names.map { "0.000s  \($0)  null" }
    )
  }

  @Test func `a publisher begins with its subscribers, and they share its shared stages`() throws {
    try run.pipe("shared", "load 1 after 1s | share", isSubscribed: false)
    #expect(try run.fact("loads", of: "shared") == nil)
    try run.pipe("a", "shared")
    try run.pipe("b", "shared")
    #expect(
      run.perform("settle") == [
        "1.000s  a  1", "1.000s  b  1", "1.000s  a  finished", "1.000s  b  finished",
      ]
    )
    #expect(try run.pipe("c", "shared") == ["1.000s  c  finished"])
    #expect(try run.fact("loads", of: "shared") == "1 begun, 1 answered")
    #expect(try run.fact("subscriptions", of: "shared") == "3")
    #expect(try run.member("shared")?.stateText == "not subscribed")
  }

  @Test func `a pipe is an attempt in the recording`() throws {
    run.input("query")
    try run.pipe("copy", "query")
    try run.enter("query", .number("1"))
    run.perform("wait 1s", "cancel copy")
    let lane = try #require(try run.member("copy")).lane
    let events = run.session.history.recording.events.filter { $0.lane == lane }

    #expect(
      events.map(\.kind) == [
        .started(replacing: nil, silently: false), .yielded(dropped: false), .cancelled,
        .ended(.cancelled, dropped: false),
      ]
    )
    #expect(events.allSatisfy { $0.attempt == 1 })
  }

  @Test func `expectations check values and ends`() throws {
    let input = run.input("query")
    try run.pipe("copy", "query")
    try run.enter("query", .number("1"))

    #expect(run.perform("expect copy 1", "expect copy 1.0") == ["ok", "ok"])
    #expect(run.perform("expect copy 2").first?.contains("copy") == true)
    try run.printing { try input.end(nil, at: 0..<0) }
    #expect(run.perform("expect copy finished", "expect query finished") == ["ok", "ok"])
    #expect(run.perform("expect copy loaded").first?.hasPrefix("error: expected a value") == true)
  }
}
