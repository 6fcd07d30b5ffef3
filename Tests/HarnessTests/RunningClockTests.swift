import Testing

@testable import Harness

@Suite struct RunningClockTests {
  @Test func `time without a processor does not count, up to four times the limit`() {
    // A look a second: the process waits from the second 2 on, and 90% of the time.
    var clock = PlayClock(start: 0)
    let over = (1...60).first { second in
      clock.isOver(limit: 10_000, at: second * 1_000) { max(0, second - 2) * 900 }
    }
    #expect(over == 40)

    var half = PlayClock(start: 0)
    #expect((1...60).first { s in half.isOver(limit: 10_000, at: s * 1_000) { s * 500 } } == 19)
  }

  @Test func `without word of waiting the limit is the limit`() {
    var clock = PlayClock(start: 5)

    #expect((0...20).first { clock.isOver(limit: 10, at: $0) { 0 } } == 15)
  }

  @Test func `how long a process has waited is asked for late`() {
    var clock = PlayClock(start: 0)
    var questions = 0
    for now in 0..<100 {
      _ = clock.isOver(limit: 1_000, at: now) {
        questions += 1
        return 0
      }
    }
    #expect(questions == 0)

    for now in 100..<1_000 {
      _ = clock.isOver(limit: 1_000, at: now) {
        questions += 1
        return 0
      }
    }
    #expect(questions == 1)
  }
}
