import Pipelines
import RehearsalBase
import Testing

@testable import Rehearsal
@testable import Script

@MainActor @Suite struct PipeLoadTests {
  private let run = PipeRun()

  @Test func `a request contains the value, escaped, and its answer is the pipe's value`() throws {
    run.perform(#"route GET /users/{name} 200 json {"name": "{name}"} after 100ms"#)
    run.input("query")
    try run.pipe("name", "query | flatMap load from /users/{value} | map name")
    try run.enter("query", .string("Ann/B?c"))

    #expect(run.perform("settle") == ["0.100s  name  \"Ann/B?c\""])
    #expect(run.perform("requests").first?.contains("GET /users/Ann%2FB%3Fc") == true)
  }

  @Test func `switchToLatest cancels the request of the value before`() throws {
    run.perform(
      "route GET /users/slow 200 json 1 after 1s",
      "route GET /users/fast 200 json 2 after 1s"
    )
    run.input("query")
    try run.pipe("user", "query | map load from /users/{value} | switchToLatest")
    try run.enter("query", .string("slow"))
    run.perform("wait 500ms")
    try run.enter("query", .string("fast"))

    #expect(run.perform("settle") == ["1.500s  user  2"])
    #expect(try run.fact("loads", of: "user") == "2 begun, 1 answered, 1 cancelled")
    #expect(
      try run.log(of: "user").filter { $0.contains("load #") } == [
        "0.000s  user | map  load #1 begins: GET /users/slow",
        "0.500s  user | map  load #1 cancelled",
        "0.500s  user | map  load #2 begins: GET /users/fast",
        "1.500s  user | map  load #2 answered 2",
      ]
    )
  }

  @Test func `a cancelled pipe cancels its requests`() throws {
    run.perform("route GET /never never")
    try run.pipe("user", "load from /never")

    #expect(run.perform("cancel user") == ["0.000s  user  cancelled"])
    #expect(try run.fact("loads", of: "user") == "1 begun, 1 cancelled")
    #expect(run.perform("settle") == [])
  }

  @Test(arguments: [
    ("future fail \"boom\" after 100ms | retry 2", "0.100s", 1),
    ("deferred (future fail \"boom\" after 100ms) | retry 2", "0.300s", 3),
    ("load fail \"boom\" after 100ms | retry 2", "0.300s", 0),
  ])
  func `retry repeats a load unless it is a future`(text: String, time: String, futures: Int) throws
  {
    try run.pipe("answer", text)

    #expect(run.perform("settle") == ["\(time)  answer  failed: \"boom\""])
    #expect(try run.fact("futures", of: "answer") == (futures == 0 ? nil : "\(futures) run"))
  }

  @Test func `a future runs when it is created, and keeps its value`() throws {
    try run.pipe("answer", "future 42 after 1s", isSubscribed: false)
    run.perform("wait 1s")

    #expect(try run.pipe("late", "answer") == ["1.000s  late  42", "1.000s  late  finished"])
  }

  @Test func `four requests are made if a failure is retried three times`() throws {
    run.perform("route GET /posts 500")
    try run.pipe("posts", "load from /posts | delay 1s | retry 3")

    #expect(run.perform("settle") == ["4.000s  posts  failed: http 500"])
    #expect(run.perform("expect requests 4") == ["ok"])
  }

  @Test func `a timeout around retries finishes, and cancels the third request`() throws {
    run.perform("route GET /posts 500 after 2s")
    try run.pipe("posts", "load from /posts | retry 5 | timeout 5s")

    #expect(run.perform("settle") == ["5.000s  posts  finished"])
    #expect(try run.fact("loads", of: "posts") == "3 begun, 2 failed, 1 cancelled")
  }

  @Test func `a body is decoded as the load's type`() throws {
    run.perform("route GET /n 200 json \"x\"")
    try run.pipe("n", "load from /n as Int")

    #expect(
      run.perform("settle").first?.hasPrefix("0.000s  n  failed: decoding") == true
        || run.lines.last?.contains("failed: decoding") == true
    )
  }

  @Test func `a load without demand waits for it`() throws {
    try run.pipe("pairs", "values 1, 2 | flatMap max 1 load \"{value}\" after 1s")

    #expect(
      run.perform("settle") == [
        "1.000s  pairs  1", "2.000s  pairs  2", "2.000s  pairs  finished",
      ]
    )
  }
}
