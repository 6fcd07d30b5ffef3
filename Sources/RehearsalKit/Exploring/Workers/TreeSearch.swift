import Exploring
import Harness

/// A search through all schedules.
struct TreeSearch {
  private let crew: SearchCrew
  private let goesOn: Bool
  private let patience: Int?
  private var runsLeft: Int
  private(set) var found: Findings
  private var place = TreePlace()
  private var size = SearchUnit()
  /// Whether what is behind a lost run was left out.
  private var leavesOut = false

  /// - Parameters:
  ///   - plan: what is searched.
  ///   - crew: who searches.
  ///   - plain: what the runs before these have found.
  init(_ plan: Exploration.Plan, _ crew: SearchCrew, after plain: Findings) {
    self.crew = crew
    goesOn = plan.goesOn
    patience = plan.patience
    runsLeft = plan.seeds.count
    found = plain
  }

  /// Searches until the end, or until somebody stops it.
  mutating func run(until stop: SearchStop, _ tell: (Findings) -> Void) {
    while runsLeft > 0 {
      if stop.isDue {
        found.end = .stopped
        return
      }
      if search(runs: min(size.runs, runsLeft)) { break }
      tell(found)
    }
    if leavesOut, found.end == .complete { found.end = .budget }
  }

  /// Does some runs.
  ///
  /// - Returns: whether the search is over.
  private mutating func search(runs: Int) -> Bool {
    let start = ProcessControl.milliseconds
    let keeping = found.groups.count < Findings.mostGroups
    switch crew.reply(to: .tree(place, runs: runs, keeping: keeping)) {
    case .answer(.found(let part, let place)):
      size.note(runs: part.runs, start: start)
      if let patience, let runs = found.runs(of: part, before: patience), runs < part.runs {
        return search(runs: runs)
      }
      return take(part, place)
    case .answer: preconditionFailure("A worker answers what it was asked.")
    case .lost(let loss):
      if loss.run > 0, search(runs: loss.run) { return true }
      var part = Findings(lost: loss.replay.outcome, choices: loss.replay.choices)
      if !goesOn { part.end = .failure }
      // What else there is to choose in that run, nobody has heard of.
      leavesOut = true
      guard let place = place.passingOver() else {
        part.end = goesOn ? .complete : .failure
        return take(part, self.place)
      }
      return take(part, place)
    }
  }

  private mutating func take(_ part: Findings, _ place: TreePlace) -> Bool {
    self.place = place
    found.append(part)
    runsLeft -= part.runs
    if let patience, found.runsSinceNews >= patience, part.end == .budget {
      found.end = .nothingNew
    }
    return found.end != .budget
  }
}
