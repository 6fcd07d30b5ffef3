import RehearsalBase
import Testing

@testable import Rehearsal

@Suite struct TimeStyleTests {
  @Test(arguments: [
    (Duration.zero, "0ms", "00:00.000"),
    (.milliseconds(1250), "1250ms", "00:01.250"),
    (.microseconds(1_234_567), "1234.567ms", "00:01.234567"),
    (.nanoseconds(1), "0.000001ms", "00:00.000000001"),
    (.seconds(3599), "3599000ms", "59:59.000"),
    (.seconds(3 * 3600 + 62), "10862000ms", "3:01:02.000"),
  ])
  func `an instant is printed exactly`(time: Duration, milliseconds: String, clock: String) {
    #expect(TimeStyle.milliseconds.text(of: time) == milliseconds)
    #expect(TimeStyle.clock.text(of: time) == clock)
  }

  @Test func `all milliseconds of an hour are the same in all three formats`() throws {
    for milliseconds in stride(from: 0, through: 3_600_000, by: 997) {
      let time = Duration.milliseconds(milliseconds)
      #expect(TimeStyle.milliseconds.text(of: time) == "\(milliseconds)ms")
      let parts = TimeStyle.clock.text(of: time).split { ":.".contains($0) }.compactMap { Int($0) }
      #expect(
        parts.dropLast().reduce(0) { $0 * 60 + $1 } * 1000 + parts[parts.count - 1] == milliseconds
      )
    }
  }
}
