import Testing
import Timelines

/// Layout of lanes, axis and legend.
@Suite struct TextTimelineLayoutTests {
  @Test func `every member has a lane and its final state at the right`() {
    let recording = Recording.of {
      $0.member("posts")
      $0.turn(to: "profile")
      $0.start(1)
      $0.turn(to: "posts")
      $0.start(1)
      $0.at(300)
      $0.fail(1, "HTTP 503")
      $0.turn(to: "profile")
      $0.at(1000)
      $0.answer(1, #"{"name": "Ada"}"#)
      $0.turn(to: "posts")
      $0.at(1200)
      $0.start(2)
      $0.at(2500)
      $0.answer(2, "[1, 2, 3]")
    }
    #expect(
      recording.drawn(width: 80) == """
                 0s               1s               2s       2.5s
                 ├═───────────────┼────────────────┼────────┤
        profile  ┣#1━━━━━━━━━━━━━━✓                            loaded {"name": "Ada"}
        posts     ┣#1━━✗ HTTP 503     ┣#2━━━━━━━━━━━━━━━━━━━✓  loaded [1, 2, 3]
        ✓ answer  ✗ error  ═ one instant
        """
    )
  }

  @Test func `a narrow terminal has the final state below`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(1000)
      $0.start(2, replacing: 1)
      $0.at(2000)
      $0.answer(2, #""new""#)
      $0.at(3000)
      $0.answerTooLate(1, #""old""#)
    }
    #expect(
      recording.drawn(width: 40) == """
                 0s                2s       3s
                 ├─────────────────┼────────┤
        profile  ┣#1━━━━━━┫┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈○
                          ┣#2━━━━━━✓
                 = loaded "new"
        ┫ replaced  ✓ answer
        ○ too late, dropped  ┈ no longer counts
        """
    )
  }

  @Test func `ASCII draws the same picture`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(1000)
      $0.start(2, replacing: 1)
      $0.at(2000)
      $0.answer(2, #""new""#)
      $0.at(3000)
      $0.answerTooLate(1, #""old""#)
    }
    #expect(
      recording.drawn(width: 72, style: .ascii) == """
                 0s             1s             2s             3s
                 +--------------+--------------+--------------+
        profile  |#1============|.............................? "old"
                                |#2============*                 loaded "new"
        | replaced  * answer  ? too late, dropped  . no longer counts
        """
    )
  }

  @Test func `a long gap without events is folded`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(1000)
      $0.answer(1, "1")
      $0.at(61_000)
      $0.start(2)
      $0.at(63_000)
      $0.fail(2, "offline")
    }
    #expect(
      recording.drawn(width: 72) == """
                 0s           1s   1m1s         1m2s         1m3s
                 ├────────────┼╱1m╱┼────────────┼────────────┤
        profile  ┣#1━━━━━━━━━━✓ 1  ┣#2━━━━━━━━━━━━━━━━━━━━━━━✗  error offline
        ✓ answer  ✗ error
        """
    )
  }

  @Test(arguments: [
    (90, "0s 30s 1m 1m30s"), (7200, "0s 30m 1h 1h30m 2h"),
    (36_000, "0s 2h 4h 6h 8h 10h"), (31_536_000, "0s 100d 200d 300d 365d"),
  ])
  func `ticks are round for any duration`(seconds: Int, labels: String) {
    let recording = Recording.of {
      $0.start(1)
      $0.at(seconds * 1000)
      $0.answer(1, "1")
    }
    let axis = recording.drawn(width: 80).prefix { $0 != "\n" }
    #expect(axis.split(separator: " ").joined(separator: " ") == labels)
  }

  @Test func `a bar continues through a fold`() {
    let recording = Recording.of {
      $0.member("posts")
      $0.turn(to: "profile")
      $0.start(1)
      $0.at(100)
      $0.turn(to: "posts")
      $0.start(1)
      $0.at(200)
      $0.answer(1, "2")
      $0.turn(to: "profile")
      $0.at(600_000)
      $0.answer(1, "1")
    }
    #expect(
      recording.drawn(width: 72) == """
                 0s        50ms      100ms     150ms     200ms    10m
                 ├─────────┼─────────┼─────────┼─────────┼╱599.8s╱┤
        profile  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╱━━━━━━╱✓  loaded 1
        posts    absent              ┣#1━━━━━━━━━━━━━━━━━✓           loaded 2
        ✓ answer
        """
    )
  }

  @Test func `the initial state fills the time before the first attempt`() {
    let recording = Recording.of("posts", initially: "loaded 1") {
      $0.at(3000)
      $0.startSilently(1)
      $0.at(3500)
      $0.add(.cancelled, 1)
      $0.at(4000)
      $0.obey(1)
    }
    #expect(
      recording.drawn(width: 72) == """
               0s          1s           2s           3s           4s
               ├───────────┼────────────┼────────────┼────────────┤
        posts  loaded 1                              ┣#1───⊘┈┈┈┈┈┈⊘  loaded 1
        ⊘ cancel  ─ silent  ┈ no longer counts
        """
    )
  }

  @Test func `names are aligned by their width in columns`() {
    let recording = Recording.of("プロフィール") {
      $0.member("a-very-long-name-that-goes-on-and-on")
      $0.turn(to: "プロフィール")
      $0.start(1)
      $0.turn(to: "a-very-long-name-that-goes-on-and-on")
      $0.at(10)
      $0.start(1)
      $0.turn(to: "プロフィール")
      $0.at(300)
      $0.answer(1, "\"日本\u{1B}[2J\"")
      $0.turn(to: "a-very-long-name-that-goes-on-and-on")
      $0.at(400)
      $0.answer(1, String(repeating: "x", count: 100))
    }
    #expect(
      recording.drawn(width: 72) == #"""
                            0s          200ms        400ms
                            ├───────────┼────────────┤
        プロフィール        ┣#1━━━━━━━━━━━━━━━✓         loaded "日本\u{1B}[2…
        a-very-long-name-…   ┣#1━━━━━━━━━━━━━━━━━━━━━✓  loaded xxxxxxxxxxxxx…
        ✓ answer
        """#
    )
  }

  @Test func `only the requested lanes are drawn, in the requested order`() {
    var situation = Situation("a")
    situation.member("b")
    situation.start(1)
    situation.member("c")
    let lines = TextTimeline(width: 60).lines(
      of: situation.recording,
      Excerpt(names: ["c", "a", "zz", "c"])
    )
    #expect(lines == ["c  absent", "a  absent", "nothing happened yet"])
  }

  @Test func `an empty recording says so`() {
    #expect(Recording().drawn(width: 60) == "nothing to draw: no member yet")
    #expect(Recording.of { _ in }.drawn(width: 60) == "profile  absent\nnothing happened yet")
    let lines = TextTimeline().lines(of: Recording.of { _ in }, Excerpt(names: ["posts"]))
    #expect(lines == ["no such member to draw"])
  }
}
