import Exploring
import Harness
import LibC
import Workers

/// The notes about a search: why it ended early, killed workers, later parts.
enum SearchNote {
  static func notes(
    _ findings: Findings,
    stopAfter: Int?,
    problem: SystemError? = nil
  ) -> [String] {
    if let problem { return ["stopped, because \(noWorker(problem))"] }
    return end(findings, stopAfter).map { [$0] } ?? []
  }

  /// Returns the message that no worker process can be started, with the reason.
  static func noWorker(_ problem: SystemError?) -> String {
    "no worker could be started"
      + (problem.map { ": \(FileProblem(errno: $0.code).sentence)" } ?? "")
  }

  /// Returns the reason why findings cannot be shown.
  static func sentence(_ problem: RenderingProblem) -> String {
    switch problem {
    case .endsEachProcess:
      "the findings cannot be shown, because the script ends each process that performs it"
    case .noWorker(let problem): noWorker(problem)
    }
  }

  /// The note of every part but the first.
  static let laterPart = "the default schedule and the systematic runs count in the first part"

  /// Returns a note about workers that another process has killed.
  static func kills(_ count: Int) -> [String] {
    switch count {
    case 0: []
    case 1: ["a worker was killed from outside; its runs were repeated"]
    default: ["\(count) workers were killed from outside; their runs were repeated"]
    }
  }

  /// Returns the reason why a search has ended, if the report does not show it.
  private static func end(_ findings: Findings, _ stopAfter: Int?) -> String? {
    switch findings.end {
    case .stopped:
      if let signal = StopSignals.caught { return "stopped by \(StopSignals.name(of: signal))" }
      return "stopped, because the time limit was reached"
    case .nothingNew:
      let runs = stopAfter == 1 ? "a run" : "\(stopAfter ?? 0) runs in a row"
      return "stopped, because \(runs) showed no new behaviour"
    case .complete, .partial, .budget, .newBehaviourUnlikely, .failure, .nondeterministic:
      return nil
    }
  }
}
