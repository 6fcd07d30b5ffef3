package import Staging

/// What separates a failing run from the nearest run that passes: the order of two steps, or one value.
package enum FailureCause: Sendable, Hashable {
  /// In the failing run, `early` runs before `late`.
  case order(early: StepText, late: StepText)
  /// In the failing run, the code at a place gets `value`, in the other one `other`.
  case value(of: String, String, other: String)

  /// The cause as a clause: `A at F.swift:3 ran before B at F.swift:9; in the other order the nearest run passes`.
  package var text: String {
    switch self {
    case .order(let early, let late):
      let isOneFunction = early.text == late.text
      let (early, late) = isOneFunction ? (early.longText, late.longText) : (early.text, late.text)
      return "\(early) ran before \(late); in the other order the nearest run passes"
    case .value(let place, let value, let other):
      return "\(place) is \(value); with \(other) the nearest run passes"
    }
  }

  /// The maximum number of steps that a step is delayed by.
  private static let mostSteps = 100

  /// Finds the cause of a failure; nil if the default schedule fails too, or if no run nearby passes.
  ///
  /// - Parameters:
  ///   - schedule: the shortest schedule that fails.
  ///   - fails: performs a run, and returns whether it fails in the same way.
  package init?(of schedule: Schedule, fails: (SearchScheduler) -> Bool) {
    guard let last = schedule.choices.last else { return nil }
    let failing = DelayingScheduler(schedule, delay: 0)
    guard fails(failing) || failing.early == nil else { return nil }
    guard let early = failing.early else {
      self.init(ofValue: last, in: schedule, fails: fails)
      return
    }
    for delay in 1...Self.mostSteps {
      let scheduler = DelayingScheduler(schedule, delay: delay)
      let stillFails = fails(scheduler)
      guard let late = scheduler.overtaken else { return nil }
      if !stillFails {
        self = .order(early: early, late: late)
        return
      }
      if !scheduler.hasDelayed { return nil }
    }
    return nil
  }

  private init?(ofValue value: Int, in schedule: Schedule, fails: (SearchScheduler) -> Bool) {
    let decision = schedule.choices.count - 1
    // Returns the value at the decision; nil if the run passes or fails against expectation.
    func read(_ choice: Int, failing: Bool) -> OpenValueText? {
      var choices = schedule.choices
      choices[decision] = choice
      let scheduler = ReplayScheduler(Schedule(choices))
      scheduler.keepsTexts = true
      guard fails(scheduler) == failing else { return nil }
      return scheduler.valueTexts[decision]
        ?? OpenValueText(
          place: "the open value of decision \(decision + 1)",
          value: "option \(choice)"
        )
    }
    guard let failing = read(value, failing: true) else { return nil }
    // The nearest smaller value that passes; the schedule is shortest, so the first one does.
    for other in (0..<value).reversed() {
      guard let passing = read(other, failing: false) else { continue }
      self = .value(of: failing.place, failing.value, other: passing.value)
      return
    }
    return nil
  }
}
