import Testing
import Timelines

/// Traces for Perfetto.
@Suite struct ChromeTraceTests {
  private func trace(_ recording: Recording, last: Duration? = nil) throws -> TraceChecker {
    let format = try #require(TimelineFormat.named("trace"))
    return try TraceChecker(format.text(of: recording, .init(excerpt: Excerpt(last: last))))
  }

  @Test func `attempts that overlap have separate tracks`() throws {
    let trace = try trace(
      .of {
        $0.start(1)
        $0.at(1000)
        $0.start(2, replacing: 1)
        $0.request("GET /profile")
        $0.start(1)
        $0.at(2000)
        $0.answer(1, "200")
        $0.turn(to: "profile")
        $0.answer(2, "new")
        $0.at(3000)
        $0.answerTooLate(1, "old")
      }
    )
    #expect(trace.tracks == ["commands", "profile", "profile (2)", "profile › GET /profile"])
    #expect(trace.faults.isEmpty)
  }

  @Test func `an arrow leads from a command to its events`() throws {
    var recording = Recording()
    let lane = recording.addLane(.init(name: "a", word: "loadable", initial: "absent"))
    let load = recording.begin("load a 1 after 1.0000005s", at: .zero)
    recording.append(
      .init(
        time: .zero,
        lane: lane,
        attempt: 1,
        kind: .started(replacing: nil, silently: false),
        state: "loading",
        phase: .inFlight,
        cause: load
      )
    )
    _ = recording.begin("settle", at: .zero)
    recording.append(
      .init(
        time: .seconds(1) + .nanoseconds(500),
        lane: lane,
        attempt: 1,
        kind: .ended(.succeeded, dropped: false),
        state: "loaded 1",
        phase: .succeeded,
        answer: "1"
      )
    )
    let text = try #require(TimelineFormat.named("trace")).text(of: recording)
    #expect(
      text == """
        {"displayTimeUnit": "ms", "traceEvents": [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "session"}},
        {"ph": "M", "pid": 1, "tid": 1, "name": "thread_name", "args": {"name": "commands"}},
        {"ph": "M", "pid": 1, "tid": 1, "name": "thread_sort_index", "args": {"sort_index": 1}},
        {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 0, "name": "load a 1 after 1.0000005s", "cat": "command", "args": {"output": ""}},
        {"ph": "s", "pid": 1, "tid": 1, "ts": 0, "id": 1, "name": "cause", "cat": "cause"},
        {"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 1000000.5, "name": "settle", "cat": "command", "args": {"output": ""}},
        {"ph": "M", "pid": 1, "tid": 2, "name": "thread_name", "args": {"name": "a"}},
        {"ph": "M", "pid": 1, "tid": 2, "name": "thread_sort_index", "args": {"sort_index": 2}},
        {"ph": "X", "pid": 1, "tid": 2, "ts": 0, "dur": 1000000.5, "name": "#1 1", "cat": "attempt", "args": {"end": "answer", "value": "1"}},
        {"ph": "f", "pid": 1, "tid": 2, "ts": 0, "id": 1, "name": "cause", "cat": "cause", "bp": "e"},
        {"ph": "i", "pid": 1, "tid": 2, "ts": 1000000.5, "s": "t", "name": "answer", "cat": "mark", "args": {"value": "1"}}
        ]}

        """
    )
    #expect(try TraceChecker(text).faults.isEmpty)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `every recording gives a valid trace`(seed: UInt64) throws {
    let recording = Recording.odd(seed: seed, events: Int(seed) * 4)
    for last in [nil, Duration.zero, .seconds(90_000)] {
      #expect(try trace(recording, last: last).faults == [])
    }
  }
}
