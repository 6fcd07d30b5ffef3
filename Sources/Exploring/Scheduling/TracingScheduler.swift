package import Staging

/// Replays a schedule, and keeps each step as text.
package final class TracingScheduler: ReplayScheduler {
  /// A step of the run.
  package struct TracedStep {
    package let instant: StageInstant
    package let text: StepText
  }

  package private(set) var steps: [TracedStep] = []

  package override init(_ schedule: Schedule) {
    super.init(schedule)
    keepsTexts = true
  }

  package override func willDo(_ choice: Int, _ turn: Turn) {
    super.willDo(choice, turn)
    steps.append(
      TracedStep(
        instant: StageInstant(nanoseconds: turn.nanoseconds),
        text: turn.text(of: choice)
      )
    )
  }
}
