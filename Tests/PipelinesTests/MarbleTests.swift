import Pipelines
import Staging
import Testing

@Suite struct MarbleTests {
  private func moments(_ text: String) throws -> String {
    try Marble(text).moments.map { "\($0.event.sign)@\($0.tick)" }.joined(separator: " ")
  }

  @Test(arguments: [
    ("a-b--(cd)-|", "a@0 b@2 c@5 d@5 |@7"),
    ("abc", "a@0 b@1 c@2"),
    ("--#", "#@2"),
    ("(a|)", "a@0 |@0"),
    (" a - 1 ", "a@0 1@2"),
    ("---", ""),
    ("-a -\n|", "a@1 |@3"),
  ])
  func `every sign takes a tick, and a group takes one`(text: String, expected: String) throws {
    #expect(try moments(text) == expected)
  }

  @Test(arguments: [
    ("", 0, MarbleProblem.Reason.empty),
    ("  ", 0, .empty),
    ("a(b", 1, .unclosedGroup),
    ("ab)", 2, .unopenedGroup),
    ("(a(b))", 2, .nestedGroup),
    ("a-()", 3, .emptyGroup),
    ("(a-b)", 2, .timeInGroup),
    ("a|-", 2, .afterEnd),
    ("a|b", 2, .afterEnd),
    ("(a|b)", 3, .afterEnd),
    ("#|", 1, .afterEnd),
    ("|)", 1, .afterEnd),
    ("a?b", 1, .unknownSign("?")),
    ("aé", 1, .unknownSign("é")),
    ("é?", 0, .unknownSign("é")),
    ("-→", 1, .unknownSign("→")),
    (String(repeating: "-", count: 10_001), 10_000, .tooLong),
  ])
  func `a mistake has a position and a reason`(
    text: String,
    offset: Int,
    reason: MarbleProblem.Reason
  ) {
    let problem = #expect(throws: MarbleProblem.self) { try Marble(text) }

    #expect(problem == MarbleProblem(offset: offset, reason: reason))
    #expect(problem?.description.isEmpty == false)
  }

  @Test(arguments: ["a-b--(cd)-|", "---", "(ab#)", "a", "--a--", "(12)-(34)", "a|"])
  func `a parsed diagram prints its source text`(text: String) throws {
    #expect(try Marble(text).description == text)
  }

  @Test func `random diagrams survive printing and parsing`() throws {
    var generator = Numbers(state: 7)
    for _ in 0..<500 {
      let marble = Marble(generator.moments(), length: Int(generator.next() % 20))
      guard marble.length > 0 else { continue }
      #expect(try Marble(marble.description) == marble, "\(marble)")
    }
  }

  // MARK: Playing

  @Test func `each subscriber gets the diagram from its own beginning`() throws {
    let run = Rehearsing()
    let source = try Marble("a-b|").publisher(on: run.scheduler, tick: .milliseconds(100)) { $0 }
    run.watch(source, as: "1")
    run.at(50) { run.watch(source, as: "2") }

    #expect(
      run.settle() == "1a@0 2a@50 1b@200 2b@250 1finished@300 2finished@350"
    )
  }

  @Test func `an error in a diagram ends its source`() throws {
    let run = Rehearsing()
    let marble = try Marble("a-#")
    run.watch(
      marble.publisher(on: run.scheduler, tick: .seconds(1), failure: Trouble.expected) { $0 }
    )

    #expect(run.settle() == "a@0 failed@2000")
  }

  @Test func `a diagram without subscribers takes no time`() throws {
    let run = Rehearsing()
    let source = try Marble("a----b").publisher(on: run.scheduler, tick: .seconds(1)) { $0 }
    let sink = run.watch(source)
    run.at(500) { sink.cancel() }

    #expect(run.settle() == "a@0")
    #expect(run.time == "500")
  }
}

@Suite struct MarbleDrawingTests {
  private typealias Event = MarbleDrawing.Event

  @Test func `values get names, and single letters keep theirs`() throws {
    let drawing = try MarbleDrawing(
      [
        (.zero, .value("apple")), (.milliseconds(200), .value("a")),
        (.milliseconds(300), .value("apple")), (.milliseconds(500), .finished),
      ],
      tick: .milliseconds(100)
    )

    #expect(drawing.marble.description == "b-ab-|")
    #expect(drawing.legend.map { "\($0.name) = \($0.value)" } == ["b = apple"])
    #expect(drawing.displaced == 0)
  }

  @Test func `an event between ticks is drawn at the tick before, and counted`() throws {
    let drawing = try MarbleDrawing(
      [(.milliseconds(800), .value("3")), (.milliseconds(1352), .value("7"))],
      tick: .milliseconds(100)
    )

    #expect(drawing.marble.description == "--------3----7")
    #expect(drawing.displaced == 1)
  }

  @Test func `events of one tick are in parentheses`() throws {
    let drawing = try MarbleDrawing(
      [(.zero, .value("1")), (.milliseconds(50), .value("2")), (.milliseconds(99), .failed)],
      tick: .milliseconds(100)
    )

    #expect(drawing.marble.description == "(12#)")
    #expect(drawing.displaced == 2)
  }

  @Test func `the diagram extends to the given end unless an event ended it before`() throws {
    let events: [(Duration, Event)] = [(.zero, .value("1"))]
    let alive = try MarbleDrawing(events, tick: .seconds(1), until: .seconds(3))
    let ended = try MarbleDrawing(
      events + [(.seconds(1), .finished)],
      tick: .seconds(1),
      until: .seconds(3)
    )

    #expect(alive.marble.description == "1--")
    #expect(ended.marble.description == "1|")
  }

  @Test func `events that cannot be drawn are rejected with a reason`() {
    #expect(throws: MarbleDrawing.Problem.noTick) {
      try MarbleDrawing([(Duration, Event)](), tick: .zero)
    }
    #expect(throws: MarbleDrawing.Problem.tooLong(ticks: 20_004)) {
      try MarbleDrawing([(.seconds(20_000), .finished)], tick: .seconds(1))
    }
    #expect(throws: MarbleDrawing.Problem.tooManyValues(63)) {
      try MarbleDrawing(
        (100..<200).map { (Duration.zero, Event.value("\($0)")) },
        tick: .seconds(1)
      )
    }
  }

  @Test func `a played diagram is drawn like the original`() throws {
    let text = "a-b--(cd)-|"
    let run = Rehearsing()
    var events: [(Duration, Event)] = []
    let source = try Marble(text).publisher(on: run.scheduler, tick: .milliseconds(100)) { $0 }
    let sink = source.sink { _ in
      events.append((run.stage.now.elapsed, .finished))
    } receiveValue: {
      events.append((run.stage.now.elapsed, .value(String($0))))
    }
    run.settle()

    #expect(try MarbleDrawing(events, tick: .milliseconds(100)).marble.description == text)
    sink.cancel()
  }
}

/// Numbers that are the same in every run.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }

  mutating func moments() -> [Marble.Moment] {
    var tick = 0
    var moments: [Marble.Moment] = []
    for _ in 0..<(next() % 8) {
      tick += Int(next() % 3)
      let name = Array("abcXYZ019")[Int(next() % 9)]
      moments.append(Marble.Moment(tick: tick, event: .value(name)))
    }
    if next() % 2 == 0 { moments.append(Marble.Moment(tick: tick + 1, event: .finished)) }
    return moments
  }
}
