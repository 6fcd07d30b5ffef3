import Testing
import Timelines

/// Terminal colours.
@Suite struct TextTimelineColoursTests {
  private func plain(_ line: String) -> String { line.replacing(/\u{1B}\[\d+m/, with: "") }

  @Test(arguments: [
    ("a  ┣#1━✓ 1", "a  \u{1B}[32m┣\u{1B}[0m#1\u{1B}[32m━✓\u{1B}[0m 1"),
    ("┣━✗┣━▶", "\u{1B}[31m┣━✗\u{1B}[0m\u{1B}[33m┣━▶\u{1B}[0m"),
    ("◀━┫┈○", "\u{1B}[2m◀━┫┈○\u{1B}[0m"),
    ("├──┼─┤", "\u{1B}[2m├──┼─┤\u{1B}[0m"),
  ])
  func `a bar has the colour of its end`(line: String, painted: String) {
    #expect(TextTimeline.painted(line) == painted)
  }

  @Test(arguments: ["", "✓ answer", "     0.000s  a  absent → loading #1", "  ok"])
  func `other lines are unchanged`(line: String) {
    #expect(TextTimeline.painted(line) == line)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `painting changes no character`(seed: UInt64) {
    for line in TextTimeline(width: 70).lines(of: .odd(seed: seed, events: 60)) {
      #expect(plain(TextTimeline.painted(line)) == line)
    }
  }
}
