import Exploring
import Script

/// Which of several things that are due comes first.
extension Session {
  /// A schedule that is followed, and how it has gone.
  struct Following {
    let schedule: Schedule
    let decisions: ListedDecisions
  }

  /// Follows a schedule from now on; nil takes what became ready first.
  func follow(_ schedule: Schedule?) {
    following = schedule.map { Following(schedule: $0, decisions: ListedDecisions($0)) }
    stage.direct(by: following?.decisions)
  }

  /// What `schedule` says.
  var scheduleInWords: String {
    guard let following else { return "plain: what became ready first comes first" }
    let count = following.decisions.choices.count
    return "\(following.schedule); \(count) \(count == 1 ? "decision" : "decisions") so far"
  }

  /// - Throws: where the schedule said something that was not possible.
  func requireFit(span: Range<Int>) throws(Diagnostic) {
    guard let misfit = following?.decisions.takeMisfit() else { return }
    throw Diagnostic(
      .misfit(
        "the schedule does not fit: decision \(misfit.decision) is among \(misfit.count), choices 0 to \(misfit.count - 1)"
      ),
      at: span,
      hint: "the script was changed since the schedule was found; 'schedule plain' goes on without"
    )
  }
}
