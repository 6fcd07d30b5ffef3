import Exploring
import Harness

extension Findings {
  /// What a search has found, for programs.
  var json: String {
    var lines = groups.map { group in
      JSONLine("behaviour").with("runs", group.count).with("schedule", group.schedule.description)
        .with("seen", group.outcome.seen).with("failure", group.outcome.failure?.rule).text
    }
    lines += failures.map { failure in
      JSONLine("failure").with("rule", failure.rule).with("runs", failure.count)
        .with("schedule", failure.schedule.description).with("seen", failure.outcome.seen).text
    }
    lines.append(
      JSONLine("end").with("runs", runs).with("schedules", schedules)
        .with("reason", end.rawValue).with("unsteady", unsteady?.description).text
    )
    return lines.joined()
  }
}
