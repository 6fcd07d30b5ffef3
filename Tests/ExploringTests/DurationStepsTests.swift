import Testing

@testable import Exploring

/// The durations of a range that can be chosen.
@Suite struct DurationStepsTests {
  @Test(arguments: [
    (100, 400, 301), (100, 110, 11), (0, 0, 1),
  ])
  func `whole milliseconds are a millisecond apart`(first: Int, last: Int, count: Int) {
    let steps = DurationSteps(.milliseconds(first) ... .milliseconds(last))

    #expect(steps.count == count)
    #expect(steps[0] == .milliseconds(first) && steps[count - 1] == .milliseconds(last))
  }

  @Test func `steps are as fine as the ends`() {
    #expect(DurationSteps(.microseconds(500) ... .milliseconds(1)).count == 501)
    #expect(DurationSteps(.nanoseconds(999_999) ... .milliseconds(1)).count == 2)
  }

  @Test func `a few steps are made finer`() {
    let steps = DurationSteps(.milliseconds(1) ... .milliseconds(2))

    #expect(steps.count == 11)
    #expect(steps[4] == .microseconds(1_400))
    #expect(steps[10] == .milliseconds(2))
  }

  @Test(arguments: [
    (1, 2, false), (1, 12, false), (1_000, 2_000, true), (1_000_000, 2_000_000, true),
  ])
  func `values between steps are left out`(first: Int, last: Int, leavesOut: Bool) {
    let steps = DurationSteps(.nanoseconds(first) ... .nanoseconds(last))

    #expect(steps.leavesValuesOut == leavesOut)
  }

  @Test func `a range of a century has no more steps than a schedule can name`() {
    let century = Duration.seconds(100 * 365 * 86_400)
    let steps = DurationSteps(.nanoseconds(1)...century)

    #expect(steps.count <= Schedule.mostChoices)
    #expect(steps[steps.count - 1] == century)
  }

  @Test func `steps are multiples of the step, whatever the ends`() {
    let steps = DurationSteps(.nanoseconds(1) ... .seconds(3 * 3_600))
    let places = steps.places(of: [.seconds(1)])

    #expect(places.map { steps[$0] } == [.seconds(1)])
    #expect(steps[0] == .nanoseconds(1))
    #expect(steps[steps.count - 1] == .seconds(3 * 3_600))
    #expect(
      steps.places(of: [steps[0], steps[1], steps[steps.count - 1]]) == [0, 1, steps.count - 1]
    )
    let odd = DurationSteps(.microseconds(1_500) ... .nanoseconds(3_000_001), most: 10)
    #expect(
      (0..<odd.count).map { odd[$0] } == [
        .microseconds(1_500), .milliseconds(2), .milliseconds(3), .nanoseconds(3_000_001),
      ]
    )
  }

  @Test func `a duration between two steps gives both steps`() {
    let steps = DurationSteps(.milliseconds(100) ... .milliseconds(400))
    let places = steps.places(of: [
      .milliseconds(50), .milliseconds(100), .microseconds(150_500), .milliseconds(151),
      .milliseconds(400), .milliseconds(401),
    ])

    #expect(places == [0, 50, 51, 300])
  }
}
