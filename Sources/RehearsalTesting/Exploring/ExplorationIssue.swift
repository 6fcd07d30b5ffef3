#if canImport(Testing)
import Exploring
import Staging
import Testing

/// Something that is wrong with a scenario, as Swift Testing tells it.
struct ExplorationIssue {
  let text: String
  /// Where the rule stands that was broken; nil where that is not known.
  var place: SourcePlace?

  func record(orAt location: SourceLocation) {
    let location =
      place.map {
        SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column)
      } ?? location
    Issue.record(Comment(rawValue: text), sourceLocation: location)
  }
}

extension ExplorationIssue {
  /// What is wrong with what a search has found.
  ///
  /// - Parameters:
  ///   - findings: what it has found.
  ///   - search: what was asked of it.
  ///   - trace: the execution trace and the notes of a run by a schedule.
  ///   - remarks: what is said of each failure behind its schedule.
  ///   - notes: what is noted in a run by a schedule; nil where that is not known.
  /// - Returns: an issue for each.
  static func issues(
    of findings: Findings,
    _ search: ScenarioSearch,
    trace: (Schedule) -> (decisions: [Decision], notes: [String]) = { _ in ([], []) },
    remarks: (Findings.Failure) -> [String] = { _ in [] },
    notes: (Schedule) -> [String]?
  ) -> [ExplorationIssue] {
    guard search.schedules > 0 else {
      return [ExplorationIssue(text: "nothing is explored in \(search.schedules) runs")]
    }
    var issues = findings.failures.map { failure in
      let issue = issue(of: failure, findings, search, notes)
      return ExplorationIssue(
        text: ([issue.text] + remarks(failure)).joined(separator: "\n"),
        place: issue.place
      )
    }
    if let schedule = findings.nondeterministicSchedule {
      issues.append(nondeterminism(schedule, trace))
    }
    if issues.isEmpty, let cut = findings.groups.first(where: { $0.outcome.inconclusive != nil }) {
      issues.append(issue(ofCut: cut))
    }
    return issues
  }

  /// What is wrong with a run by a schedule.
  static func issues(replaying text: String, _ player: ScenarioPlayer) -> [ExplorationIssue] {
    guard let schedule = Schedule(text) else {
      return [
        ExplorationIssue(
          text: "'\(text)' is no schedule; '3:1 7:2' is one: choice 1 at decision 3, and so on"
        )
      ]
    }
    let scheduler = ReplayScheduler(schedule)
    let outcome = player.play(scheduler)
    var issues: [ExplorationIssue] = []
    if let failure = outcome.failure {
      let lines = [failure.sentence] + comparison(of: schedule, player.notes)
      issues.append(ExplorationIssue(text: lines.joined(separator: "\n"), place: failure.place))
    }
    if let misfit = misfit(of: schedule, scheduler) {
      issues.append(ExplorationIssue(text: misfit))
    }
    if issues.isEmpty, let cut = outcome.inconclusive {
      issues.append(ExplorationIssue(text: "the run never settles: \(cut)"))
    }
    return issues
  }

  // MARK: Each kind

  private static func issue(
    of failure: Findings.Failure,
    _ findings: Findings,
    _ search: ScenarioSearch,
    _ notes: (Schedule) -> [String]?
  ) -> ExplorationIssue {
    let first = findings.groups.first { $0.outcome.failure?.check == failure.check }
    let again = failure.outcome.failure
    let known = again?.check == failure.check ? again : first?.outcome.failure
    var lines = [known?.sentence ?? failure.rule]
    if failure.schedule.isDefault {
      let hadPassed = findings.groups.contains { $0.first == 0 && $0.outcome.failure == nil }
      lines.append(
        hadPassed
          ? "in the plain run, which had passed before: something of a run is left to the next, or to chance"
          : "in the plain run already, so it takes no special schedule"
      )
    } else {
      // What was met while that was made short is of no run of the search.
      let isFirst = failure.check == findings.violatedChecks.first?.check
      let origin = isFirst ? ", " + origin(of: findings, search) : ""
      lines.append("by schedule '\(failure.schedule)'\(origin)")
    }
    if again?.check != failure.check {
      lines.append("but not when it was done again: \(chance)")
    }
    lines += comparison(of: failure.schedule, notes)
    lines.append("to replay it: try await explore(replaying: \"\(failure.schedule)\") { … }")
    if failure.check == .returns, let remark = ThreadExecutor.remarkOnWaiting {
      lines.append(remark)
    }
    return ExplorationIssue(text: lines.joined(separator: "\n"), place: known?.place)
  }

  /// Which run it was: the last one. Those that are chosen by chance, the plain one apart, have a seed.
  private static func origin(of findings: Findings, _ search: ScenarioSearch) -> String {
    let run = "found in run \(findings.runs)"
    guard !findings.isInOrder, findings.runs > 1 else { return run }
    let place = findings.runs - max(1, findings.runsInOrder) - 1
    return run + ", of seed \(search.seed + UInt64(place))"
  }

  /// So many times a run is done again to see how it differs.
  private static let mostTries = 20

  private static func nondeterminism(
    _ schedule: Schedule,
    _ trace: (Schedule) -> (decisions: [Decision], notes: [String])
  ) -> ExplorationIssue {
    var lines = ["\(name(of: schedule)) came to something else when it was done again: \(chance)"]
    let first = trace(schedule)
    for _ in 0..<mostTries {
      let other = trace(schedule)
      let divergence = Stage.Divergence(between: first.decisions, and: other.decisions)
      if divergence == nil, first.notes == other.notes { continue }
      lines += divergence.map { ["\($0)"] } ?? []
      if first.notes != other.notes {
        lines += ["two runs of it:"] + NoteComparison(plain: first.notes, other: other.notes).lines
      }
      break
    }
    return ExplorationIssue(text: lines.joined(separator: "\n"))
  }

  private static func issue(ofCut group: Findings.Group) -> ExplorationIssue {
    ExplorationIssue(
      text: """
        \(name(of: group.schedule)) never settles, so it proves nothing: \(group.outcome.inconclusive ?? "")
        what polls or repeats for ever has to be cancelled before the scenario ends
        """
    )
  }

  private static func misfit(of schedule: Schedule, _ scheduler: ReplayScheduler) -> String? {
    let hint = "the code has changed since it was found; 'explore(schedules:)' searches anew"
    if let misfit = scheduler.takeMisfit() {
      return
        "the schedule '\(schedule)' does not fit: decision \(misfit.decision) is among \(misfit.count)\n\(hint)"
    }
    guard scheduler.choices.count < schedule.choices.count else { return nil }
    let count = scheduler.choices.count
    return
      "the schedule '\(schedule)' does not fit: the run ends after \(count) decision\(count == 1 ? "" : "s")\n\(hint)"
  }

  // MARK: Words

  private static let chance =
    "look for state that outlives a run, such as a singleton, random numbers, the real clock, or dictionary order"

  private static func name(of schedule: Schedule) -> String {
    schedule.isDefault ? "the plain run" : "a run by schedule '\(schedule)'"
  }

  /// What was noted, and what of it differs from the plain run, as far as that is known.
  private static func comparison(
    of schedule: Schedule,
    _ notes: (Schedule) -> [String]?
  ) -> [String] {
    guard let other = notes(schedule) else { return [] }
    let plain = schedule.isDefault ? other : notes(Schedule()) ?? other
    return NoteComparison(plain: plain, other: other).lines
  }
}
#endif
