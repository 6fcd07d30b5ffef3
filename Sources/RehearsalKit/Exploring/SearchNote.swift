import Exploring
import Harness
import Script

/// What is to be said of a search beside what it has found.
enum SearchNote {
  static func notes(_ findings: Findings, _ options: SearchOptions) -> [String] {
    [
      end(findings, options), cuts(findings),
      findings.others.isEmpty
        ? nil
        : "\(findings.others.count) more behaviours, of \(findings.runsInOthers) runs, are not kept",
    ].compactMap { $0 }
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
  private static func end(_ findings: Findings, _ options: SearchOptions) -> String? {
    switch findings.end {
    case .stopped:
      if let signal = StopSignals.caught { return "stopped by \(StopSignals.name(of: signal))" }
      return "stopped, since time was up"
    case .nothingNew:
      return "stopped, since \(options.patience ?? 0) runs in a row had brought nothing new"
    case .complete, .budget, .failure, .unsteady: return nil
    }
  }

  private static func cuts(_ findings: Findings) -> String? {
    guard findings.cuts > 0 else { return nil }
    let why = findings.groups.lazy.compactMap(\.outcome.cut).first ?? ""
    let what =
      findings.cuts == 1
      ? "1 run was cut, so it proves" : "\(findings.cuts) runs were cut, so they prove"
    return "\(what) nothing: \(why.printable(atMost: 200))"
  }
}
