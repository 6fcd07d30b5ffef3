import Exploring
import Harness
import LibC
import Workers

/// What is to be said of a search beside what it has found.
enum SearchNote {
  static func notes(
    _ findings: Findings,
    stopAfter: Int?,
    problem: SystemError? = nil
  ) -> [String] {
    if let problem { return ["stopped, because \(noWorker(problem))"] }
    return end(findings, stopAfter).map { [$0] } ?? []
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
      "the findings cannot be shown, because the script ends each process that performs it"
    case .noWorker(let problem): noWorker(problem)
    }
  }

  /// That another part counts the runs that come first.
  static let laterPart = "the default schedule and the systematic runs count in the first part"

  /// That somebody else has killed workers, so many.
  static func kills(_ count: Int) -> [String] {
    switch count {
    case 0: []
    case 1: ["a worker was killed from outside; its runs were repeated"]
    default: ["\(count) workers were killed from outside; their runs were repeated"]
    }
  }

  /// Why it ended, where that is not plain to see.
  private static func end(_ findings: Findings, _ stopAfter: Int?) -> String? {
    switch findings.end {
    case .stopped:
      if let signal = StopSignals.caught { return "stopped by \(StopSignals.name(of: signal))" }
      return "stopped, because the time limit was reached"
    case .nothingNew:
      let runs = stopAfter == 1 ? "a run" : "\(stopAfter ?? 0) runs in a row"
      return "stopped, because \(runs) showed no new behaviour"
    case .complete, .partial, .budget, .failure, .nondeterministic: return nil
    }
  }
}
