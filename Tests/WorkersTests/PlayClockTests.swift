import LibC
import Testing

@testable import Workers

@Suite struct PlayClockTests {
  /// Returns the second at which a limit of 10 s is exceeded, measured every 50 ms; nil if not within two minutes.
  private func end(
    looking: (_ milliseconds: Int) -> [Int32: ProcessActivity]
  ) -> Int? {
    var clock = PlayClock(start: 0)
    return stride(from: 0, through: 120_000, by: 50)
      .first { now in clock.isOver(limit: 10_000, at: now) { _ in looking(now) } }
      .map { $0 / 1_000 }
  }

  @Test(arguments: [(100, 10), (50, 19), (10, 91), (5, nil)])
  func `work that is ready to run counts by its processor time`(share: Int, second: Int?) {
    let end = end { [1: ProcessActivity(ran: $0 * share / 100, isReady: true)] }

    #expect(end == second)
  }

  @Test func `work that waits counts by real time`() {
    #expect(end { _ in [1: ProcessActivity(ran: 20, isReady: false)] } == 10)
  }

  @Test func `without reported activity, the limit is in real time`() {
    #expect(end { _ in [:] } == 10)
  }

  @Test func `work that waits for a process counts as that process does`() {
    var clock = PlayClock(start: 0)
    let end = stride(from: 0, through: 60_000, by: 50).first { now in
      clock.isOver(limit: 10_000, at: now) { atAll in
        let first = [Int32(1): ProcessActivity(ran: 0, isReady: false)]
        let second = [Int32(2): ProcessActivity(ran: now / 4, isReady: true)]
        return atAll ? first.merging(second) { $1 } : first
      }
    }

    #expect(end.map { $0 / 1_000 } == 36)
  }

  @Test func `concurrent processes count as one`() {
    let end = end { now in
      Dictionary(
        uniqueKeysWithValues: (1...8).map { (Int32($0), ProcessActivity(ran: now, isReady: true)) }
      )
    }

    #expect(end == 10)
  }

  @Test func `a late measurement counts limited waiting`() {
    var clock = PlayClock(start: 0)
    let looks = (1...).first { minute in
      clock.isOver(limit: 10_000, at: minute * 60_000 - 59_000) { _ in
        [1: ProcessActivity(ran: 0, isReady: false)]
      }
    }

    #expect(looks == 91)
  }

  @Test func `a first measurement that is late is no reason to end the work`() {
    var clock = PlayClock(start: 0)
    let isOver = { (now: Int, clock: inout PlayClock) in
      clock.isOver(limit: 200, at: now) { _ in [1: ProcessActivity(ran: 0, isReady: true)] }
    }

    #expect(!isOver(5_000, &clock))
    #expect(!isOver(9_000, &clock))
  }

  @Test func `the work is measured late and rarely`() {
    var clock = PlayClock(start: 0)
    var looks = 0
    for now in 0..<100 {
      _ = clock.isOver(limit: 1_000, at: now) { _ in
        looks += 1
        return [1: ProcessActivity(ran: now, isReady: true)]
      }
    }
    #expect(looks == 0)

    for now in 100..<1_000 {
      _ = clock.isOver(limit: 1_000, at: now) { _ in
        looks += 1
        return [1: ProcessActivity(ran: now, isReady: true)]
      }
    }
    #expect(looks == 18)
  }

  @Test func `the system reports a process and its descendants`() throws {
    let process = getpid()
    let own = try #require(ProcessActivity.of(process))
    let tree = ProcessActivity.ofTree(process)

    #expect(own.isReady)
    #expect((tree[process]?.ran ?? -1) >= own.ran)
    #expect(ProcessActivity.of(-1) == nil)
    let thread = try #require(ProcessActivity.thisThread)
    #expect(ProcessActivity.ofThread(thread)?.isReady == true)
  }

  @Test func `a thread that is kept from running uses no time`() {
    let at = { (ran: Int, isReady: Bool) in ProcessActivity(ran: ran, isReady: isReady) }
    var clock = ThreadClock()
    clock.reset(at(500, true))
    clock.pass(1_000, at(510, true))
    #expect(clock.milliseconds == 10)
    clock.pass(1_000, at(1_600, true))
    #expect(clock.milliseconds == 1_010)
    clock.pass(1_000, at(1_600, false))
    clock.pass(1_000, nil)
    #expect(clock.milliseconds == 3_010)
    clock.reset(nil)
    clock.pass(1_000, at(9_000, true))
    #expect(clock.milliseconds == 1_000)
  }
}
