import Exploring
import Harness

/// What is to be said of a search beside what it has found.
enum SearchNote {
  static func notes(_ findings: Findings, patience: Int?) -> [String] {
    end(findings, patience).map { [$0] } ?? []
  }

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
    case .complete, .budget, .failure, .unsteady: return nil
    }
  }
}
