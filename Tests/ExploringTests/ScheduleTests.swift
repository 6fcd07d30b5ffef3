import Testing

@testable import Exploring

@Suite struct ScheduleTests {
  @Test(arguments: [
    ([], ""), ([0, 0], ""), ([1], "1:1"), ([0, 0, 2], "3:2"), ([1, 0, 0, 12, 0], "1:1 4:12"),
    ([1, 1], "1:1 2:1"), ([0, 2, 2, 2, 1, 1, 1, 1, 0, 3], "2-4:2 5-8:1 10:3"),
  ])
  func `a schedule lists its differences from the default schedule`(choices: [Int], text: String) {
    let schedule = Schedule(choices)

    #expect(schedule.description == text)
    #expect(Schedule(text) == schedule)
    #expect(schedule.isDefault == text.isEmpty)
  }

  @Test(arguments: [
    "t1@2:t2", "t1.12@3:t1.2.4", "t1@2:t2@7", "t1@2:others", "v2:500",
    "1:1 4:2 v2:500 t1@2:t2 t1@2:t3@4",
  ])
  func `words name tasks, steps and values`(text: String) {
    let schedule = Schedule(text)

    #expect(schedule?.description == text)
    #expect(schedule.map { Schedule(words: $0.words) } == schedule)
    #expect(schedule?.isDefault == false)
    #expect(schedule?.deviations == text.split(separator: " ").count)
  }

  @Test func `a range may be written as single decisions, and a decision as a range`() {
    #expect(Schedule("3:1 4:1 5:1") == Schedule("3-5:1"))
    #expect(Schedule("2-2:1") == Schedule("2:1"))
  }

  @Test(arguments: [
    "1", "1:", ":1", "1:0", "0:1", "2:1 1:1", "1:1 1:2", "1:-1", "a:b", "1:1:1", "99999999999:1",
    "t1", "t1@2", "t1:t2", "t1@2:", "t1@2:t", "t1@0:t2", "t0@1:t2", "t1.@1:t2", "t1..2@1:t3",
    "t1@2:t1",
    "t1@2:t2@", "t1@2:t2@0", "t1@2:other", "t1@2:others@3", "t@1:t2", "v1", "v0:1", "v1:0", "v1:t2",
    "t1@2:t2 t1@2:t2", "T1@2:t2", "t+1@2:t2", "3-2:1", "1-:1", "-2:1", "1-2-3:1", "1-3:1 3:1",
    "1-3:0", "1-99999999999:1",
  ])
  func `other text is not a schedule`(text: String) {
    #expect(Schedule(text) == nil)
  }
}
