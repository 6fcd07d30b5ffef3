import RehearsalBase
import Script
import Testing

@testable import Timelines

/// Pictures with more content than room.
@Suite struct TextTimelineCrowdsTests {
  @Test func `a thousand short attempts share one row, and the legend says that it is crowded`() {
    let recording = Recording.of("busy") {
      for index in 0..<1000 {
        $0.at(index * 7)
        $0.start(index + 1)
        $0.at(index * 7 + 5)
        $0.answer(index + 1, "\(index)")
      }
    }
    #expect(
      recording.drawn(width: 60) == """
              0s        2s       4s         6s   6.998s
              ├─────────┼────────┼──────────┼────┤
        busy  ✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓  loaded 999
        ✓ answer  crowded: one sign can mean several events
        """
    )
  }

  @Test func `overlapping attempts are drawn up to a limit, and the others counted`() {
    let recording = Recording.of("busy") {
      for index in 1...500 {
        $0.start(index)
      }
      for index in 1...500 {
        $0.at(index)
        $0.answer(index, "\(index)")
      }
    }
    #expect(
      recording.drawn(width: 60) == """
              0s                   200ms          500ms
              ├════════════────────┼──────────────┤
        busy  ┣#1━━━━━━━━━✓ 1                        loaded 500
              ┣#2━━━━━━━━━✓ 2
              ┣#3━━━━━━━━━✓ 3
              ┣#4━━━━━━━━━✓ 4
              ┣#5━━━━━━━━━✓ 5
              ┣#6━━━━━━━━━✓ 6
              ┣#7━━━━━━━━━✓ 7
              ┣#8━━━━━━━━━✓ 8
              and 492 more at the same time
        ✓ answer  ═ one instant
        """
    )
  }

  @Test(arguments: [1, 24, 40, 80, 300], [1, 2, 3, 4, 5, 6, 7, 8])
  func `lines are never empty nor too wide`(width: Int, seed: Int) {
    let recording = Recording.random(seed: UInt64(seed), events: 40 * seed)
    for style in [TextTimeline.Style.unicode, .ascii] {
      let lines = TextTimeline(width: width, style: style).lines(of: recording)
      #expect(lines.allSatisfy { $0.widthInColumns <= max(24, width) && !$0.isEmpty })
      #expect(lines.allSatisfy { $0 == $0.escapingControls && $0.last != " " })
      #expect(lines == TextTimeline(width: width, style: style).lines(of: recording))
    }
  }

  @Test func `times far beyond any session do not overflow`() {
    var recording = Recording.of { $0.start(1) }
    recording.advance(to: Duration(attoseconds: .max))
    #expect(recording.drawn(width: 60).contains("▶"))
  }
}
