import LibC
import Pipelines
import RehearsalBase
import Staging
import Testing

@testable import Rehearsal
@testable import Script

@MainActor @Suite struct PipeStageTests {
  private let run = PipeRun()

  /// Returns the values and the end of a pipe that ends by itself.
  private func values(_ text: String) throws -> String {
    let lines = try run.pipe("p", text) + run.perform("settle")
    return lines.map { $0.split(separator: "  ").dropFirst(2).joined() }.joined(separator: " ")
  }

  @Test(arguments: [
    (#"values {"a": {"b": 1}}, {"a": 2}, 3 | map a.b"#, "1 null null finished"),
    (#"values {"a": 1}, {"a": "x"} | map "{value.a}!""#, #""1!" "x!" finished"#),
    (#"values {"a": 1}, "x" | map {"q": "{value}"}"#, #"{"q": {"a": 1}} {"q": "x"} finished"#),
    (#"values "a", "abc", [1], 5 | filter length >= 1"#, #""a" "abc" [1] finished"#),
    (#"values 1, 2.0, 2, "2" | filter == 2"#, "2.0 2 finished"),
    (#"values "b", "a", 1 | filter < "b""#, #""a" finished"#),
    (#"values 1, null | filter != null"#, "1 finished"),
    ("values 1, 1.0, 2, 1 | removeDuplicates", "1 2 1 finished"),
    (#"values 1, 2, "x" | scan sum"#, "1 3 3 finished"),
    ("values 9223372036854775807, 1 | scan sum | first", "9223372036854775807 finished"),
    ("values 7, 8 | scan count", "1 2 finished"),
    (#"values "a", 1 | scan join"#, #""a" "a1" finished"#),
    ("values 1, 2 | scan list", "[1] [1, 2] finished"),
    ("values 2, 1, 3 | scan min", "2 1 1 finished"),
    ("values 2, 1, 3 | scan max", "2 2 3 finished"),
    ("values 1, 2, 3 | prefix 2", "1 2 finished"),
    ("values 1, 2, 3 | prefix 0", "finished"),
    ("values 1, 2, 3 | dropFirst 2", "3 finished"),
    ("values 1, 2, 3 | first", "1 finished"),
    ("values 1, 2, 3 | last", "3 finished"),
    ("values 1, 2 | collect", "[1, 2] finished"),
    ("empty | collect", "[] finished"),
    ("fail \"no\" | replaceError 0", "0 finished"),
    ("fail \"no\" | catch (values 1, 2)", "1 2 finished"),
    ("values 1, 2 | merge (values 3, 4), (just 5)", "1 2 3 4 5 finished"),
    ("values 1, 2 | zip (values 3, 4), (values 5, 6, 7)", "[1, 3, 5] [2, 4, 6] finished"),
    ("values 1, 2 | combineLatest (just 3)", "[2, 3] finished"),
    ("just 1 | delay 1s", "1 finished"),
    ("never | timeout 1s", "finished"),
    ("never | timeout 1s fail \"late\"", "failed: \"late\""),
    ("values 1, 2 | flatMap (values \"{value}\", 0)", "1 0 2 0 finished"),
    ("values 1, 2 | map (load \"{value}\" after 1s) | switchToLatest", "2 finished"),
    ("values 1, 2 | map (load \"{value}\") | throttle 1s | switchToLatest", "2 finished"),
    ("just 5 | flatMap (values 4, 5, 6 | filter >= 5)", "5 6 finished"),
    ("timer 1s | prefix 3", "1 2 3 finished"),
    ("values 1, 2 | receive on main", "1 2 finished"),
    ("values 1, 2 | receive on background", "1 2 finished"),
    ("values 1, 2 | subscribe on main", "1 2 finished"),
    ("values 1, 2 | map load \"{value}\" | receive on main | switchToLatest", "1 2 finished"),
    ("values 1, 2 | buffer 1", "1 2 finished"),
    ("fail \"no\" | buffer 1 | tryMap fail \"null\"", "failed: \"no\""),
    (#"values {"a": 1}, {}, {"a": 2} | compactMap a"#, "1 2 finished"),
    ("values 1, null, 2 | compactMap", "1 2 finished"),
    (#"values {"a": 1}, {}, {"a": 2} | tryMap a fail "no a""#, #"1 failed: "no a""#),
    (#"values 1, 5, 2 | tryMap "{value}!" fail timeout if > 4"#, #""1!" failed: timeout"#),
    ("values 1, null | replaceNil 0", "1 0 finished"),
    ("empty | replaceEmpty 0", "0 finished"),
    ("values 1, 2 | replaceEmpty 0", "1 2 finished"),
    ("values 1, 2 | replaceEmpty 0 | flatMap max 1 load \"{value}\" after 1s", "1 2 finished"),
    ("fail \"no\" | mapError http 503", "failed: http 503"),
    ("values 1, 2 | scan sum from 10", "11 13 finished"),
    ("values 1, 2 | scan list from [0]", "[0, 1] [0, 1, 2] finished"),
    ("values 1, 2 | reduce sum", "3 finished"),
    ("empty | reduce sum from 7", "7 finished"),
    ("empty | reduce max", "finished"),
    ("values 1, 2 | count", "2 finished"),
    ("just 3 | prepend 1, 2 | append 4", "1 2 3 4 finished"),
    ("just 2 | prepend (just 1 | delay 1s) | append load 3", "1 2 3 finished"),
    ("values 1, 2, 3, 1 | prefix while < 3", "1 2 finished"),
    (
      "values 1, 2 | merge (just 3 | delay 1s) | prefix until (just 0 | delay 500ms)",
      "1 2 finished"
    ),
    ("values 1, 3, 1 | drop while < 3", "3 1 finished"),
    ("just 1 | merge (just 3 | delay 1s) | drop until (just 0 | delay 500ms)", "3 finished"),
    ("values 1, 2, 3 | first where > 1", "2 finished"),
    ("just 1 | first where > 1", "finished"),
    ("values 1, 2, 3 | collect 2", "[1, 2] [3] finished"),
    (
      "just 1 | merge (just 2 | delay 1500ms), (just 3 | delay 1800ms) | collect 1s",
      "[1] [2, 3] finished"
    ),
    ("values 1, 2, 3 | collect 1s max 2", "[1, 2] [3] finished"),
    ("values 1, 2 | flatMap (values 1, 2, 3 | first where > \"{value}\")", "2 3 finished"),
    ("just 2 | flatMap (values 1, 2, 3 | prefix while <= \"{value}\")", "1 2 finished"),
    ("just 2 | flatMap (values 1, 2, 3 | scan sum from \"{value}\")", "3 5 8 finished"),
    ("just 2 | flatMap (empty | replaceEmpty \"{value}\")", "2 finished"),
  ])
  func `each stage does what its name says`(text: String, expected: String) throws {
    #expect(try values(text) == expected)
  }

  @Test func `an error within flatMap cancels the upstream and the other loads`() throws {
    let input = run.input("query")
    try run.pipe("p", "query | flatMap (load fail \"boom\" after 1s)")
    try run.enter("query", .null)

    #expect(run.perform("settle") == ["1.000s  p  failed: \"boom\""])
    #expect(input.facts.last?.value == "0")
  }

  @Test func `a value that cannot be compared is in the log of each condition`() throws {
    run.input("query")
    for (name, stage) in [("a", "first where > 1"), ("b", "prefix while > 1")] {
      try run.pipe(name, "query | " + stage)
    }
    try run.enter("query", .string("x"))

    for name in ["a", "b"] {
      #expect(
        try run.log(of: name).contains {
          $0.hasSuffix("dropped: a String cannot be compared with an Int")
        }
      )
    }
  }

  @Test func `a pipe that ends until another one's value cancels its loads`() throws {
    run.input("stop")
    try run.pipe("p", "load 1 after 1s | prefix until stop")
    try run.enter("stop", .null)

    #expect(try run.fact("loads", of: "p") == "1 begun, 1 cancelled")
    #expect(try run.fact("subscribers", of: "stop") == "0")
  }

  @Test func `mapError does not hide the end of an endless pipe`() throws {
    let lines = try run.pipe("p", "fail \"no\" | retry 9223372036854775807 | mapError \"other\"")
    #expect(lines == [#"0.000s  p  failed: "more than 100000 values and attempts at 0s""#])
  }

  @Test func `a list has a maximum size, and the next one too`() throws {
    run.input("query")
    try run.pipe("p", "query | collect 2 | count")
    let text = String(repeating: "x", count: JSONValue.largest * 2 / 5)
    for _ in 0..<6 { try run.enter("query", .string(text)) }
    #expect(try run.member("p")?.hasEnded == false)

    try run.pipe("q", "query | collect 3")
    for _ in 0..<3 { try run.enter("query", .string(text)) }
    #expect(try run.member("q")?.hasEnded == true)
  }

  // MARK: Mistakes

  @Test func `stages that do not fit each other are found when the pipe is created`() {
    #expect(
      run.problem("just 1 | switchToLatest")?.problem
        == .unsuitableStage("switchToLatest", takes: "publishers", gets: "values")
    )
    let problem = run.problem("just 1 | map (load 1) | map name")
    #expect(problem?.problem == .unsuitableStage("map", takes: "values", gets: "publishers"))
    #expect(problem?.span == 24..<32)
    #expect(run.problem("just 1 | map load 1 | delay 1s")?.problem == .publishersAtEnd)
    #expect(
      run.problem("just 1 | flatMap (just 2 | map load 1)")?.problem == .publishersAtEnd
    )
  }

  @Test func `an unknown source, or one without values, is named`() {
    run.perform("loadable profile")
    run.input("query")

    #expect(run.problem("qery | first")?.problem == .unknownMember("qery"))
    #expect(run.problem("qery | first")?.hint == "did you mean 'query'?")
    #expect(run.problem("query | merge profile")?.problem == .noValues("profile", is: "loadable"))
    #expect(run.problem("query | merge profile")?.span == 14..<21)
  }

  @Test func `a pipe that is its own source is a cycle`() throws {
    #expect(run.problem("p | first")?.problem == .pipeCycle(["p", "p"]))

    run.input("query")
    try run.pipe("a", "query")
    try run.pipe("b", "a | first")
    try run.pipe("c", "query | merge b")
    run.perform("forget a")
    #expect(
      run.problem("query | merge c", named: "a")?.problem == .pipeCycle(["a", "c", "b", "a"])
    )
  }

  @Test func `a pipe with too many stages is refused`() throws {
    run.input("p0")
    for number in 1...8 { try run.pipe("p\(number)", "p\(number - 1) | merge p\(number - 1)") }

    #expect(
      run.problem("p8 | merge p8")?.problem
        == .tooMany("stages in a pipe and those before it", limit: 1_000)
    )
  }

  @Test func `stages within stages count, too`() throws {
    run.input("query")
    let part = "flatMap (just 1" + String(repeating: " | first", count: 900) + ")"
    try run.pipe("deep", "query | " + part)

    #expect(try run.enter("query", .number("1")).last == "0.000s  deep  1")
    #expect(
      run.problem("deep | " + part)?.problem
        == .tooMany("stages in a pipe and those before it", limit: 1_000)
    )
  }

  @Test func `the maximum number of stages can run`() throws {
    run.input("query")
    try run.pipe("deep", "query" + String(repeating: " | map \"{value}\"", count: 490))

    #expect(try run.enter("query", .number("1")).last == "0.000s  deep  1")
  }

  // MARK: The log

  @Test func `the log of a pipe has every stage`() throws {
    run.input("query")
    try run.pipe("p", "query | map \"{value}!\" | filter != \"b!\" | map (load 1) | switchToLatest")
    try run.enter("query", .string("a"))
    run.perform("wait 500ms")
    try run.enter("query", .string("b"))
    run.perform("cancel p")

    #expect(
      try run.log(of: "p") == [
        "0.000s  p | query  \"a\"",
        "0.000s  p | map  \"a!\"",
        "0.000s  p | filter  \"a!\"",
        "0.000s  p | map 2  a publisher",
        "0.000s  p | map 2  load #1 begins",
        "0.000s  p | map 2  load #1 answered 1",
        "0.000s  p | switchToLatest  1",
        "0.500s  p | query  \"b\"",
        "0.500s  p | map  \"b!\"",
        "0.500s  p | switchToLatest  cancelled",
      ]
    )
    #expect(
      run.perform("log query p last 3") == [
        "0.500s  p | query  \"b\"", "0.500s  p | map  \"b!\"",
        "0.500s  p | switchToLatest  cancelled", "9 earlier lines; 'log last N' shows more",
      ]
    )
  }

  @Test func `ten thousand values pass six stages in moderate time`() throws {
    let input = run.input("query")
    try run.pipe(
      "p",
      "query | filter != null | map \"{value}!\" | removeDuplicates | throttle 1s | scan count | dropFirst 1"
    )
    let start = Self.threadSeconds
    try run.stage.enter {
      for number in 0..<10_000 {
        try input.enter(Located(.number("\(number)"), at: 0..<0))
      }
    }
    let seconds = Self.threadSeconds - start
    let log = try #require(try run.member("p")).log

    // The input, the filter, the map and the removal of duplicates logged one event each.
    #expect(log.goneCount + log.entries.count == 40_000)
    #expect(seconds < 10)
  }

  /// Returns the processor time of this thread, which does not depend on the load of the machine.
  private static var threadSeconds: Double {
    // Seconds and nanoseconds. An array, because the module that declares the members of timespec
    // varies.
    var time = [0, 0]
    time.withUnsafeMutableBytes { bytes in
      guard let place = bytes.baseAddress else { return }
      _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, place.assumingMemoryBound(to: timespec.self))
    }
    return Double(time[0]) + Double(time[1]) / 1e9
  }
}
