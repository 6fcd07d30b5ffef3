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

  private var noted: [NotedStep] = []

  /// What each step has done, after the run.
  var texts: [StepText] { noted.map(text) }

  package override func willDo(_ choice: Int, _ turn: Turn) {
    noted.append(noted(choice, turn))
    super.willDo(choice, turn)
    steps.append(
      TracedStep(
        instant: StageInstant(nanoseconds: turn.nanoseconds),
        text: turn.text(of: choice)
      )
    )
  }
}
