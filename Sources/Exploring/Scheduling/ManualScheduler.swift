package import Staging

/// Chooses the first step, and lets the caller run other steps by `Stage.runStep`. As in a search, each hop between
/// executors is a job, and the places are known at which tasks are created.
package final class ManualScheduler: SearchScheduler {
  package override init() {
    super.init()
    keepsTexts = true
  }

  override package var wantsSteps: Bool { false }

  override package func noteEffect(_ effect: StepEffect) {}

  override package func noteValue(_ value: ChosenValue) {}
}
