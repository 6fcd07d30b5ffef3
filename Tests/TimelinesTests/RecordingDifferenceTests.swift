import RehearsalBase
import Script
import Testing
import Timelines

/// Comparisons of two runs.
@Suite struct RecordingDifferenceTests {
  private func run(_ answer: Int, value: String = "new", others: Bool = true) -> Recording {
    var recording = Recording.of {
      $0.start(1)
      $0.at(answer)
      $0.answer(1, value)
      if others { $0.member("posts") }
    }
    recording.advance(to: .seconds(3))
    return recording
  }

  @Test func `the same run does not differ from itself`() {
    let difference = RecordingDifference(run(1000), run(1000))
    #expect(difference.isSame)
    #expect(difference.lines() == ["both runs have the same events"])
    #expect(difference.json == "{\"same\": true, \"ends\": []}\n")
  }

  @Test func `an event that comes later in one run differs at the earlier time`() {
    let difference = RecordingDifference(run(1000), run(2000))
    #expect(!difference.isSame)
    #expect(
      difference.lines(width: 70).joined(separator: "\n") == """
        first difference at 1s
          a: profile  #1 loaded new
          b: nothing
                   0s        500ms      1s         1.5s       2s
                   ├─────────┼──────────┼──────────┼──────────┤
                                        ▲ first difference
        profile a  ┣#1━━━━━━━━━━━━━━━━━━✓                        loaded new
        profile b  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✓  loaded new
        posts                                                    absent
        ✓ answer
        the final states are the same
        """
    )
  }

  @Test func `another value is a different final state`() {
    let difference = RecordingDifference(run(1000), run(1000, value: "<other>"))
    #expect(
      difference.json == #"""
        {"same": false, "parting": {"time": 1, "a": {"lane": "profile", "happened": "#1 loaded new"}, "b": {"lane": "profile", "happened": "#1 loaded \u003cother>"}}, "ends": [{"lane": "profile", "a": "loaded new", "b": "loaded \u003cother>"}]}

        """#
    )
  }

  @Test func `a member that one lacks is a difference`() {
    let difference = RecordingDifference(run(1000), run(1000, others: false))
    #expect(!difference.isSame)
    #expect(difference.lines().first == "the members differ")
    #expect(difference.lines().last == "  posts  a: absent  b: not there")
  }

  @Test func `a replaced attempt is named without a stray blank`() {
    func run(_ replaced: Bool) -> Recording {
      .of {
        $0.start(1)
        if replaced { $0.start(2, replacing: 1) } else { $0.obey(1) }
      }
    }
    let lines = RecordingDifference(run(true), run(false)).lines()
    #expect(lines[1] == "  a: profile  #2 started, replacing #1")
    #expect(lines[2] == "  b: profile  #1 ended by cancellation")
  }

  @Test func `another policy is a different beginning`() {
    func run(_ machine: String) -> Recording {
      var recording = Recording()
      _ = recording.addLane(.init(name: "a", word: "loadable", initial: "absent", machine: machine))
      return recording
    }
    let difference = RecordingDifference(run("loadable latest"), run("loadable queue"))
    #expect(
      Array(difference.lines().prefix(2)) == [
        "the members begin differently",
        "  a  a: loadable latest, absent  b: loadable queue, absent",
      ]
    )
  }

  @Test func `a pointer at the right edge has its label to the left`() {
    let lines = RecordingDifference(run(3000), run(3000, value: "other")).lines(width: 40)
    #expect(lines.contains { $0.hasSuffix("first difference ▲") })
  }

  @Test func `requests of one name are paired in their order`() {
    func run(_ statuses: [String]) -> Recording {
      .of("posts") {
        for (index, status) in statuses.enumerated() {
          $0.turn(to: "posts")
          $0.request("GET /posts")
          $0.start(index + 1)
          $0.at(100 * index + 100)
          $0.answer(index + 1, status)
        }
      }
    }
    let overlaid = RecordingDifference(run(["503", "200"]), run(["503", "404"])).overlaid
    #expect(
      overlaid.lanes.map(\.name) == ["posts", "GET /posts", "GET /posts a", "GET /posts b"]
    )
    #expect(overlaid.lanes.map(\.owner) == [nil, 0, 0, 0])
  }

  @Test(arguments: [true, false])
  func `a picture is widened only if the runs differ in the order at one instant`(
    isOfOrder: Bool
  ) throws {
    func run(_ isFirst: Bool) -> Recording {
      .of {
        $0.start(1)
        if isFirst { $0.at(1000) }
        if isFirst { $0.answer(1, "a") }
        $0.at(isOfOrder ? 1000 : 1001)
        $0.request("GET /posts")
        if !isFirst { $0.answer(1, "a") }
        $0.at(3000)
        $0.start(2)
      }
    }
    let difference = RecordingDifference(run(true), run(false))
    let svg = try #require(TimelineFormat.named("svg"))
    var widened = TimelineFormat.Drawing()
    widened.isWidened = true
    #expect(!difference.isSame)
    let isWidened = difference.text(as: svg, .init()) == difference.text(as: svg, widened)
    #expect(isWidened == isOfOrder)
  }

  /// A load that starts at once and answers after a wait.
  private func told(_ load: String, answer: Int) -> Recording {
    var recording = Recording()
    let lane = recording.addLane(
      Recording.Lane(name: "n", word: "loadable", initial: "absent", phase: .resting)
    )
    func add(_ kind: Recording.Kind, at time: Int, cause: Int? = nil) {
      recording.append(
        Recording.Event(
          time: .seconds(time),
          lane: lane,
          attempt: 1,
          kind: kind,
          state: nil,
          phase: nil,
          cause: cause
        )
      )
    }
    _ = recording.begin("loadable n", at: .zero)
    let cause = recording.begin(load, at: .zero)
    add(.started(replacing: nil, silently: false), at: 0, cause: cause)
    _ = recording.begin("settle", at: .zero)
    add(.ended(.succeeded, dropped: false), at: answer)
    recording.print("\(answer)s")
    return recording
  }

  @Test func `shared commands have one position in SVG`() throws {
    let difference = RecordingDifference(run(1000), run(2000))
    let svg = try #require(TimelineFormat.named("svg"))
    let picture = difference.text(as: svg, .init())
    let bars = picture.split(separator: "\n").filter { $0.contains("<rect class=\"bar\"") }
    let places = bars.map { $0.split(separator: "\"")[3] }
    #expect(places.count == 2 && Set(places).count == 1)
  }

  @Test func `both transcripts are merged, and each event belongs to its own run`() {
    let overlaid = RecordingDifference(
      told("load n 1 after 1s", answer: 1),
      told("load n 1 after 2s", answer: 2)
    ).overlaid
    #expect(
      overlaid.records.map(\.command) == [
        "loadable n", "a: load n 1 after 1s", "b: load n 1 after 2s", "a: settle", "b: settle",
      ]
    )
    #expect(overlaid.records.map(\.output) == [[], [], [], ["1s"], ["2s"]])
    #expect(overlaid.events.map(\.lane) == [0, 1, 0, 1])
    #expect(overlaid.events.map(\.cause) == [1, 2, 1, 2])
    #expect(overlaid.records.map(\.firstEvent) == [0, 0, 1, 2, 3])
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `any two runs can be compared`(seed: UInt64) throws {
    let runs = [seed, seed + 1].map { Recording.odd(seed: $0, events: Int($0) * 2) }
    let difference = RecordingDifference(runs[0], runs[1])
    #expect(RecordingDifference(runs[0], runs[0]).isSame)
    for line in difference.lines(width: 60) {
      #expect(!line.unicodeScalars.contains { $0.needsEscape })
    }
    let ends = try JSONValue(json: Array(difference.json.utf8))
    #expect(ends["same"] == .bool(false))
    let overlaid = difference.overlaid
    #expect(
      zip(overlaid.records, overlaid.records.dropFirst()).allSatisfy {
        $0.firstEvent <= $1.firstEvent
      }
    )
    let events = overlaid.events
    #expect(events.count >= max(runs[0].events.count, runs[1].events.count))
  }
}
