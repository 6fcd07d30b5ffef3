import Exploring
import Harness
import LibC
import Workers

/// What is to be said of a search beside what it has found.
enum SearchNote {
  static func notes(
    _ findings: Findings,
    patience: Int?,
    problem: SystemError? = nil
  ) -> [String] {
    if let problem { return ["stopped, since \(noWorker(problem))"] }
    return end(findings, patience).map { [$0] } ?? []
  }

  /// That the system gives no process for a worker, and why.
  static func noWorker(_ problem: SystemError?) -> String {
    "no worker could be started"
      + (problem.map { ": \(FileProblem(errno: $0.code).sentence)" } ?? "")
  }

  /// Why the findings cannot be shown.
  static func sentence(_ problem: RenderingProblem) -> String {
    switch problem {
    case .endsEachProcess:
      "what was found cannot be shown, since the script ends each process that performs it"
    case .noWorker(let problem): noWorker(problem)
    }
  }

  /// That another part counts the runs that come first.
  static let laterPart = "the default schedule, and those tried in order, count in the first part"

  /// That somebody else has killed workers, so many.
  static func kills(_ count: Int) -> [String] {
    switch count {
    case 0: []
    case 1: ["a worker was killed from outside; its runs were done again"]
    default: ["\(count) workers were killed from outside; their runs were done again"]
    }
  }

  /// Why it ended, where that is not plain to see.
  private static func end(_ findings: Findings, _ patience: Int?) -> String? {
    switch findings.end {
    case .stopped:
      if let signal = StopSignals.caught { return "stopped by \(StopSignals.name(of: signal))" }
      return "stopped, since time was up"
    case .nothingNew:
      let runs = patience == 1 ? "a run" : "\(patience ?? 0) runs in a row"
      return "stopped, since \(runs) had brought nothing new"
    case .complete, .partial, .budget, .failure, .nondeterministic: return nil
    }
  }
}
