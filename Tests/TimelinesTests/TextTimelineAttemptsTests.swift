import Testing
import Timelines

/// Pictures of one or a few attempts.
@Suite struct TextTimelineAttemptsTests {
  @Test func `one load is one bar that ends in its answer`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(100)
      $0.answer(1, "1")
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s                50ms               100ms
                 ├─────────────────┼──────────────────┤
        profile  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✓  loaded 1
        ✓ answer
        """
    )
  }

  @Test func `a cancelled load ends where it was cancelled`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(50)
      $0.add(.cancelled, 1, state: "absent", phase: .resting)
      $0.obey(1)
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s             20ms            40ms    50ms
                 ├──────────────┼───────────────┼───────┤
        profile  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━⊘  absent
        ⊘ cancel
        """
    )
  }

  @Test func `a reset load shows the reset`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(50)
      $0.add(.reset, 1, state: "absent", phase: .resting)
      $0.obey(1)
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s             20ms            40ms    50ms
                 ├──────────────┼───────────────┼───────┤
        profile  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━∅  absent
        ∅ reset
        """
    )
  }

  @Test func `a load after a cancel at the same instant is drawn after it`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(50)
      $0.add(.cancelled, 1, state: "absent", phase: .resting)
      $0.obey(1)
      $0.start(2)
      $0.at(150)
      $0.answer(2, "2")
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s          50ms         100ms       150ms
                 ├───────────┼═───────────┼───────────┤
        profile  ┣#1━━━━━━━━━⊘┣#2━━━━━━━━━━━━━━━━━━━━━✓  loaded 2
        ✓ answer  ⊘ cancel  ═ one instant
        """
    )
  }

  @Test func `a replaced load that obeys shares its row with the next`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(50)
      $0.start(2, replacing: 1)
      $0.obey(1)
      $0.at(150)
      $0.answer(2, "2")
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s          50ms        100ms        150ms
                 ├───────────┼───────────┼────────────┤
        profile  ┣#1━━━━━━━━━╋#2━━━━━━━━━━━━━━━━━━━━━━✓  loaded 2
        ╋ replaced  ✓ answer
        """
    )
  }

  @Test func `a replaced uncancellable load runs next to the new one until its end`() throws {
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
      recording.drawn(width: 72) == """
                 0s             1s             2s             3s
                 ├──────────────┼──────────────┼──────────────┤
        profile  ┣#1━━━━━━━━━━━━┫┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈○ "old"
                                ┣#2━━━━━━━━━━━━✓                 loaded "new"
        ┫ replaced  ✓ answer  ○ too late, dropped  ┈ no longer counts
        """
    )
  }

  @Test func `a timeout takes effect at its time, even if the block continues`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(2000)
      $0.add(.interrupted, 1)
      $0.at(5000)
      $0.add(.interrupted, 1)
      $0.add(.stopped(.failed, pending: false), 1, state: "error timed out", phase: .failed)
      $0.at(10_000)
      $0.answerTooLate(1, "1")
    }
    #expect(
      recording.drawn(width: 72) == """
                 0s                  5s                    10s
                 ├───────────────────┼═────────────────────┤
        profile  ┣#1━━━━━▼━━━━━━━━━━━▼✗┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈○ 1  error timed out
        ▼ interrupt  ✗ error  ○ too late, dropped  ┈ no longer counts
        ═ one instant
        """
    )
  }

  @Test func `a retry is marked with the error that caused it`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(300)
      $0.add(.retrying, 1, answer: "Boom")
      $0.at(1000)
      $0.answer(1, "1")
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s                500ms              1s
                 ├─────────────────┼──────────────────┤
        profile  ┣#1━━━━━━━━↻Boom━━━━━━━━━━━━━━━━━━━━━✓  loaded 1
        ↻ retry  ✓ answer
        """
    )
  }

  @Test func `a silent reload is thin and leaves the state alone`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(1000)
      $0.answer(1, "1")
      $0.at(2000)
      $0.startSilently(2)
      $0.at(3000)
      $0.answer(2, "2")
      $0.at(4000)
      $0.startSilently(3)
      $0.at(5000)
      $0.fail(3, "Boom")
    }
    #expect(
      recording.drawn(width: 72) == """
                 0s                2s                 4s        5s
                 ├─────────────────┼──────────────────┼─────────┤
        profile  ┣#1━━━━━━✓ 1      ┣#2───────✓ 2      ┣#3───────✗  error Boom
        ✓ answer  ✗ error  ─ silent
        """
    )
  }

  @Test func `yields carry their values`() {
    let recording = Recording.of("feed") {
      $0.start(1)
      for second in 1...3 {
        $0.at(second * 1000)
        $0.yield(1, "\(second)")
      }
      $0.add(.ended(.succeeded, dropped: false), 1)
    }
    #expect(
      recording.drawn(width: 60) == """
              0s           1s           2s           3s
              ├────────────┼────────────┼────────────┼┤
        feed  ┣#1━━━━━━━━━━◆1━━━━━━━━━━━◆2━━━━━━━━━━━◆✓  loaded 3
        ◆ yield  ✓ answer
        """
    )
  }

  @Test func `a queued attempt waits below the one it waits for`() {
    let recording = Recording.of("save", initially: "idle") {
      $0.start(1)
      $0.at(100)
      $0.add(.queued, 2)
      $0.at(200)
      $0.add(.refused, 1)
      $0.at(1000)
      $0.answer(1, "1")
      $0.start(2)
      $0.at(1500)
      $0.add(.ended(.empty, dropped: false), 2)
      $0.at(1600)
      $0.add(.forgotten)
    }
    #expect(
      recording.drawn(width: 72) == """
              0s             500ms           1s                  1.6s
              ├──────────────┼───────────────┼═──────────────────┤
        save  ┣#1━━━⊖━━━━━━━━━━━━━━━━━━━━━━━━✓ 1                 †  forgotten
                 ┊#2··························┣━━━━━━━━━━━━━━□
        ┊ queued  ⊖ start refused  ✓ answer  □ ended without a value
        † forgotten  · waiting  ═ one instant
        """
    )
  }

  @Test func `an attempt in flight reaches to the current time`() {
    let recording = Recording.of {
      $0.start(1)
      $0.at(2000)
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s               1s                2s
                 ├────────────────┼─────────────────┤
        profile  ┣#1━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━▶  loading #1
        ▶ still going on
        """
    )
  }

  @Test func `an attempt that began just now is visible`() {
    let recording = Recording.of {
      $0.start(1)
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s
                 ┼
        profile  ┣#1▶  loading #1
        ▶ still going on
        """
    )
  }

  @Test func `attempts of zero length at one instant keep their order`() {
    let recording = Recording.of {
      $0.start(1)
      $0.answer(1, "1")
      $0.start(2)
      $0.answer(2, "2")
      $0.add(.assigned, state: "loaded 5", phase: .succeeded)
      $0.add(.reset, state: "absent", phase: .resting)
    }
    #expect(
      recording.drawn(width: 60) == """
                 0s
                 ├════┤
        profile  ┣✓#1 ∅   absent
                   ┣✓#2 2
                     ≔ loaded 5
        ✓ answer  ∅ reset  ≔ set by hand  ═ one instant
        """
    )
  }
}
