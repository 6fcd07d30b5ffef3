import RehearsalBase
import Script
import Testing
import Timelines

/// Pictures of a part of a recording.
@Suite struct TextTimelineExcerptTests {
  private var session: Recording {
    .of {
      $0.start(1)
      $0.at(1000)
      $0.answer(1, "1")
      $0.at(4000)
      $0.start(2)
      $0.at(9000)
      $0.yield(2, "2")
      $0.member("other")
      $0.start(1)
      $0.at(10_000)
      $0.fail(1, "Boom")
    }
  }

  private func drawn(_ recording: Recording, last: Duration, names: [String]? = nil) -> String {
    TextTimeline(width: 76).lines(of: recording, Excerpt(names: names, last: last))
      .joined(separator: "\n")
  }

  @Test func `a bar that began earlier enters from the left edge`() {
    #expect(
      drawn(session, last: .seconds(5)) == """
                 5s   9s        9.2s     9.4s     9.6s     9.8s     10s
                 ├╱4s╱┼═────────┼────────┼────────┼────────┼────────┤
        profile  ◀#2━╱◆━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶  loaded 2
        other          ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✗  error Boom
        ◆ yield  ✗ error  ◀ began earlier  ▶ still going on  ═ one instant
        """
    )
  }

  @Test func `attempts that ended before are left out, but their state is shown`() {
    #expect(
      drawn(session, last: .milliseconds(500), names: ["profile", "other"]) == """
                 9.5s      9.6s      9.7s      9.8s      9.9s       10s
                 ├─────────┼─────────┼─────────┼─────────┼──────────┤
        profile  ◀#2━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶  loaded 2
        other    ◀#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✗  error Boom
        ✗ error  ◀ began earlier  ▶ still going on
        """
    )
  }

  @Test func `an excerpt longer than the recording shows everything`() {
    #expect(
      drawn(session, last: .seconds(60))
        == TextTimeline(width: 76).lines(of: session)
        .joined(separator: "\n")
    )
  }

  @Test func `an excerpt may have no events`() {
    var recording = session
    recording.advance(to: .seconds(20))
    #expect(
      drawn(recording, last: .seconds(1), names: ["other"]) == """
        other  error Boom
        nothing happened since 19s
        """
    )
    #expect(
      drawn(recording, last: .seconds(1)) == """
                 19s       19.2s     19.4s     19.6s     19.8s      20s
                 ├─────────┼─────────┼─────────┼─────────┼──────────┤
        profile  ◀#2━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶  loaded 2
        other                                                          error Boom
        ◀ began earlier  ▶ still going on
        """
    )
  }

  @Test func `requests are drawn below the member that sent them`() {
    let recording = Recording.of("posts") {
      $0.start(1)
      $0.request("GET /posts")
      $0.start(1)
      $0.at(300)
      $0.answer(1, "503")
      $0.turn(to: "posts")
      $0.request("GET /posts")
      $0.start(2)
      $0.at(600)
      $0.answer(2, "200")
      $0.turn(to: "posts")
      $0.answer(1, "[]")
      $0.member("profile")
    }
    #expect(
      recording.drawn(width: 76) == """
                      0s             200ms          400ms          600ms
                      ├═─────────────┼──────══──────┼──────────────┼┤
        posts         ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✓  loaded []
          GET /posts   ┣#1━━━━━━━━━━━━━━━━━━✓                          loaded 503
          GET /posts                         ┣#2━━━━━━━━━━━━━━━━━━━✓   loaded 200
        profile                                                        absent
        ✓ answer  ═ one instant
        """
    )
    #expect(
      drawn(recording, last: .milliseconds(200)) == """
                      400ms      450ms      500ms      550ms       600ms
                      ├──────────┼──────────┼──────────┼───────────┼┤
        posts         ◀#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✓  loaded []
          GET /posts  ◀#2━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✓   loaded 200
        profile                                                        absent
        ✓ answer  ◀ began earlier
        """
    )
    let one = TextTimeline(width: 76).lines(of: recording, Excerpt(names: ["profile"]))
    #expect(one == ["profile  absent", "nothing happened yet"])
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `every excerpt fits the width and is reproducible`(seed: UInt64) {
    let recording = Recording.odd(seed: seed, events: Int(seed) * 3)
    for last in [Duration.zero, .milliseconds(1), .seconds(90_000), recording.end] {
      let timeline = TextTimeline(width: 24 + Int(seed), style: seed % 2 == 0 ? .unicode : .ascii)
      let lines = timeline.lines(of: recording, Excerpt(last: last))
      #expect(lines == timeline.lines(of: recording, Excerpt(last: last)))
      #expect(!lines.isEmpty)
      for line in lines { #expect(line.widthInColumns <= 24 + Int(seed)) }
    }
  }
}
