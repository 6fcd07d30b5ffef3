import Script
import Testing

@testable import Timelines

/// Recordings whose beginning was left out.
@Suite struct RecordingOmissionTests {
  /// Attempts that begin, are replaced, end and continue, in two members.
  private func session(_ rounds: Int) -> Recording {
    .of {
      for round in 1...rounds {
        $0.turn(to: "profile")
        $0.at(round * 1000)
        $0.start(2 * round - 1)
        $0.at(round * 1000 + 300)
        $0.start(2 * round, replacing: 2 * round - 1)
        $0.at(round * 1000 + 600)
        $0.answer(2 * round, "\(round)")
        // The replaced attempt continues for a while.
        $0.at(round * 1000 + 700)
        if round == 1 { $0.member("other") } else { $0.turn(to: "other") }
        $0.yield(1, "\(round)")
        if round > 3 {
          $0.turn(to: "profile")
          $0.at(round * 1000 + 800)
          $0.answerTooLate(2 * (round - 3) - 1, "late")
        }
      }
    }
  }

  private func shortened(_ recording: Recording, to count: Int) -> Recording {
    var recording = recording
    _ = recording.omit(keepingEvents: count, records: 0, lanes: [0, 1])
    return recording
  }

  @Test(arguments: 2..<40)
  func `the rest is drawn as before`(count: Int) {
    let whole = session(10)
    let part = shortened(whole, to: count)
    let start = part.omitted.until
    for last in [whole.end - start - .milliseconds(1), (whole.end - start) / 2] {
      let excerpt = Excerpt(last: last)
      #expect(
        TextTimeline().lines(of: part, excerpt) == TextTimeline().lines(of: whole, excerpt)
      )
    }
  }

  @Test func `recordings with omitted events are not equal`() {
    let (whole, part) = (session(10), shortened(session(10), to: 5))
    let gone = part.omitted.events
    let difference = RecordingDifference(part, part)

    #expect(gone > 0)
    #expect(RecordingDifference(whole, whole).isSame)
    #expect(!difference.isSame)
    #expect(
      difference.lines() == [
        "both runs have the same events, as far as they are known",
        "not compared: the earliest events, which were left out (\(gone) of a, \(gone) of b)",
      ]
    )
    #expect(
      difference.json
        == "{\"same\": false, \"leftOut\": {\"a\": \(gone), \"b\": \(gone)}, \"ends\": []}\n"
    )
    #expect(
      RecordingDifference(whole, part).lines().last
        == "not compared: the earliest events, which were left out (0 of a, \(gone) of b)"
    )
  }

  @Test(arguments: 1..<40)
  func `leaving out in steps leaves out the same`(count: Int) {
    var recording = session(10)
    for most in stride(from: recording.events.count, through: count, by: -1) {
      recording = shortened(recording, to: most)
    }
    #expect(recording.omitted == shortened(session(10), to: count).omitted)
    #expect(recording.events == shortened(session(10), to: count).events)
  }

  @Test(arguments: 1..<40)
  func `if an event concerns two attempts, the older comes first`(count: Int) {
    let part = shortened(session(10), to: count)
    let order = part.events.prefix(part.omitted.beginnings).map { ($0.time, $0.attempt ?? 0) }
    #expect(zip(order, order.dropFirst()).allSatisfy(<))
  }

  @Test func `every picture mentions missing events`() {
    let part = shortened(session(10), to: 5)
    let note = "earlier events left out, up to"
    for format in TimelineFormat.all where format.name != "json" {
      #expect(format.text(of: part).contains(note), "\(format.name)")
      #expect(!format.text(of: session(10)).contains(note), "\(format.name)")
    }
    #expect(part.json.contains("\"omitted\": {\"until\": "))
  }

  @Test func `a picture of the rest has no note`() {
    let part = shortened(session(10), to: 5)
    let drawing = TimelineFormat.Drawing(excerpt: Excerpt(last: .milliseconds(1)))
    #expect(!TimelineFormat.text.text(of: part, drawing).contains("left out"))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `any recording can leave out its beginning`(seed: UInt64) throws {
    let whole = Recording.odd(seed: seed, events: Int(seed) + 10)
    for count in stride(from: whole.events.count, through: 0, by: -3) {
      var part = whole
      let kept = part.omit(keepingEvents: count, records: count / 4, lanes: [])
      #expect(kept.map { whole.lanes[$0].name } == part.lanes.map(\.name))
      #expect(part.events.count - part.omitted.beginnings == min(count, whole.events.count))
      #expect(try Recording(json: Array(part.json.utf8)) == part)
      for format in TimelineFormat.all { #expect(format.text(of: part).hasSuffix("\n")) }
    }
  }

  @Test func `transitions are counted in the remaining events`() {
    var recording = Recording.of {
      $0.member("a", phase: .resting, machine: "loadable latest")
      for attempt in 1...10 {
        $0.at(1000 * attempt)
        $0.start(attempt)
        $0.answer(attempt, "1")
      }
    }
    _ = recording.omit(keepingEvents: 3, records: 0, lanes: [])
    // The end of the ninth, and all of the tenth.
    let counts = TransitionCounts(recording).machines["loadable latest"]
    #expect(counts?.values.reduce(0, +) == 3)
    #expect(counts?[Transition(from: .inFlight, cause: .value, to: .succeeded)] == 2)
  }

  @Test func `lanes of finished requests are left out, and the others keep their events`() {
    let whole = Recording.of {
      for request in 1...10 {
        $0.turn(to: "profile")
        $0.request("GET /\(request)")
        $0.at(request * 100)
        $0.start(request)
        $0.at(request * 100 + 50)
        $0.answer(request, "200")
      }
    }
    var part = whole
    let kept = part.omit(keepingEvents: 3, records: 0, lanes: [])
    #expect(kept == [0, 9, 10])
    #expect(part.omitted.lanes == 8)
    #expect(part.lanes.map(\.owner) == [nil, 0, 0])
    #expect(part.events.map(\.lane) == [1, 1, 2, 2])
  }
}
