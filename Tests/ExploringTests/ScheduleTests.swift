import Testing

@testable import Exploring

@Suite struct ScheduleTests {
  @Test(arguments: [
    ([], ""), ([0, 0], ""), ([1], "1:1"), ([0, 0, 2], "3:2"), ([1, 0, 0, 12, 0], "1:1 4:12"),
  ])
  func `a schedule says where it differs from a plain run`(choices: [Int], text: String) {
    let schedule = Schedule(choices)

    #expect(schedule.description == text)
    #expect(Schedule(text) == schedule)
    #expect(schedule.isPlain == text.isEmpty)
  }

  @Test(arguments: [
    "1", "1:", ":1", "1:0", "0:1", "2:1 1:1", "1:1 1:2", "1:-1", "a:b", "1:1:1", "99999999999:1",
  ])
  func `what is none is not read`(text: String) {
    #expect(Schedule(text) == nil)
  }
}
