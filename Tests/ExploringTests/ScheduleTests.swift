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

  @Test func `a range may be written as single decisions, and a decision as a range`() {
    #expect(Schedule("3:1 4:1 5:1") == Schedule("3-5:1"))
    #expect(Schedule("2-2:1") == Schedule("2:1"))
  }

  @Test(arguments: [
    "1", "1:", ":1", "1:0", "0:1", "2:1 1:1", "1:1 1:2", "1:-1", "a:b", "1:1:1", "99999999999:1",
    "3-2:1", "1-:1", "-2:1", "1-2-3:1", "1-3:1 3:1", "1-3:0", "1-99999999999:1",
  ])
  func `other text is not a schedule`(text: String) {
    #expect(Schedule(text) == nil)
  }
}
