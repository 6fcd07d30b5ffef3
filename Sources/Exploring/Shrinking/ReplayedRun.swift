/// A run by a schedule, as the shrinking of failures needs it: its choices, the numbers of possible choices, and its
/// outcome.
package struct ReplayedRun: Sendable, Codable {
  /// The choice at each decision.
  package let choices: [Int]
  /// The number of possible choices at each decision.
  package let counts: [Int]
  /// The result of the run.
  package let outcome: RunOutcome
  /// The differences of the run from the default schedule, in words that name tasks; nil if the run did not end.
  let words: [Schedule.Word]?
  /// The first difference between the schedule and the run; nil if the run has followed the whole schedule, or is unknown.
  package let misfit: ReplayScheduler.Misfit?

  /// Makes a run that has not ended.
  package init(choices: [Int], counts: [Int], outcome: RunOutcome) {
    self.choices = choices
    self.counts = counts
    self.outcome = outcome
    (words, misfit) = (nil, nil)
  }

  /// A run without any information.
  package static let unknown = ReplayedRun(choices: [], counts: [], outcome: RunOutcome(seen: []))

  /// Performs the run in this process.
  package init(_ schedule: Schedule, _ play: (SearchScheduler) -> RunOutcome) {
    let scheduler = ReplayScheduler(schedule, describes: true)
    outcome = play(scheduler)
    choices = scheduler.choices
    counts = scheduler.counts
    words = scheduler.words
    misfit = scheduler.takeMisfitOfWholeRun()
  }
}
