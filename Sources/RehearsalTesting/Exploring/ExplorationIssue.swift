#if canImport(Testing)
import Exploring
import Staging
import Testing

/// The issues that a search in a test records: their text, line and picture.
struct ExplorationIssue {
  let text: String
  /// The line of the violated check; nil if unknown.
  var place: SourcePlace?
  /// A picture of the run.
  var picture: RunPicture?
}

extension ExplorationIssue {
  /// Returns the issues of a search.
  ///
  /// - Parameters:
  ///   - findings: the findings of the search.
  ///   - search: the parameters of the search.
  ///   - call: the code that replays a schedule.
  ///   - trace: returns the execution trace and the notes of a run by a schedule.
  ///   - explanation: returns why a run fails.
  ///   - picture: returns a picture of a failing run.
  ///   - remarks: returns further lines about a failure.
  ///   - notes: returns the notes of a run by a schedule; nil if unknown.
  /// - Returns: an issue for each failure.
  static func issues(
    of findings: Findings,
    _ search: ScenarioSearch,
    replayedBy call: ReplayCall = .function,
    trace: (Schedule) -> (steps: [ExecutionStep], notes: [String]) = { _ in ([], []) },
    explanation: (Findings.Failure) -> FailureExplanation = { _ in .none },
    picture: (Findings.Failure) -> RunPicture? = { _ in nil },
    remarks: (Findings.Failure) -> [String] = { _ in [] },
    notes: (Schedule) -> [String]?
  ) -> [ExplorationIssue] {
    if let problem = search.problem { return [ExplorationIssue(text: problem)] }
    var issues = findings.failures.map { failure in
      let issue = issue(of: failure, findings, search, call, explanation(failure), notes)
      return ExplorationIssue(
        text: ([issue.text] + remarks(failure)).joined(separator: "\n"),
        place: issue.place,
        picture: picture(failure)
      )
    }
    if let schedule = findings.nondeterministicSchedule {
      issues.append(nondeterminism(schedule, trace))
    }
    if issues.isEmpty, let cut = findings.groups.first(where: { $0.outcome.inconclusive != nil }) {
      issues.append(issue(ofCut: cut))
    }
    return issues.isEmpty ? missedSometimes(of: findings) : issues
  }

  /// Returns the issues of a run by a schedule.
  static func issues(replaying text: String, _ player: ScenarioPlayer) -> [ExplorationIssue] {
    guard let schedule = Schedule(text) else {
      let word = Schedule.mistake(in: text) ?? text
      let place = word == text ? "" : " because of '\(word)'"
      return [
        ExplorationIssue(
          text: """
            '\(text)' is not a schedule\(place); examples are '3:1', choice 1 at scheduling point 3, and \
            't1@4:t2', task t2 before job 4 of task t1
            """
        )
      ]
    }
    let scheduler = ReplayScheduler(schedule)
    scheduler.keepsTexts = true
    let outcome = player.play(scheduler)
    var issues: [ExplorationIssue] = []
    if let failure = outcome.failure {
      let notes = player.canRepeat ? comparison(of: schedule, player.notes) : []
      let lines = [failure.sentence] + failure.details + notes
      issues.append(ExplorationIssue(text: lines.joined(separator: "\n"), place: failure.place))
    }
    if let misfit = misfit(of: schedule, scheduler, player.notice.replayCall) {
      issues.append(ExplorationIssue(text: misfit))
    }
    if issues.isEmpty, let cut = outcome.inconclusive {
      issues.append(ExplorationIssue(text: "the run never settles: \(cut)"))
    }
    return issues
  }

  /// Makes the issue of a run by a schedule whose thread was stopped.
  init(_ stop: RunStop, in player: ScenarioPlayer) {
    let failure = player.violation(by: stop)
    var lines = [failure.sentence] + failure.details
    if stop.crash != nil {
      let call = player.notice.replayCall.text(Schedule())
      lines.append("with '\(call)' the crash ends the tests, and its line is shown")
    }
    self.init(
      text: lines.joined(separator: "\n"),
      place: failure.place
    )
  }

  // MARK: Each kind

  private static func issue(
    of failure: Findings.Failure,
    _ findings: Findings,
    _ search: ScenarioSearch,
    _ call: ReplayCall,
    _ explanation: FailureExplanation,
    _ notes: (Schedule) -> [String]?
  ) -> ExplorationIssue {
    let first = findings.groups.first { $0.outcome.failure?.check == failure.check }
    let again = failure.outcome.failure
    let known = again?.check == failure.check ? again : first?.outcome.failure
    let because = explanation.cause.map { "; cause: \($0.text)" } ?? ""
    var lines = [(known?.sentence ?? failure.rule) + because] + (known?.details ?? [])
    if failure.schedule.isDefault {
      let hadPassed = findings.groups.contains { $0.first == 0 && $0.outcome.failure == nil }
      lines.append(
        hadPassed
          ? "in the default schedule, which had passed before, so it is nondeterministic or depends on an earlier run"
          : explanation.cause == nil
            ? "in the default schedule, so every schedule may fail" : "in the default schedule"
      )
    } else {
      // A failure that was found during shrinking does not belong to a run of the search.
      let isFirst = failure.check == findings.violatedChecks.first?.check
      let origin = isFirst ? ", " + origin(of: findings, search) : ""
      lines += explanation.valuesText.map { ["values: \($0)"] } ?? []
      lines.append("by schedule '\(failure.schedule)'\(origin)")
      lines += explanation.namesText.map { [$0] } ?? []
    }
    if again?.check != failure.check {
      lines.append("but not when it ran again: \(chance)")
    }
    lines += comparison(of: failure.schedule, notes)
    lines.append("to replay it: \(call.text(failure.schedule))")
    if failure.check == .returns, let remark = ThreadExecutor.remarkOnWaiting {
      lines.append(remark)
    }
    return ExplorationIssue(text: lines.joined(separator: "\n"), place: known?.place)
  }

  /// Returns the number of the failed run, which is the last one. A random run also has a seed.
  private static func origin(of findings: Findings, _ search: ScenarioSearch) -> String {
    let run = "found in run \(findings.runs)"
    guard !findings.isInOrder, !findings.isLastRunSystematic, findings.runs > 1 else { return run }
    let place = findings.runs - max(1, findings.runsInOrder) - 1
    return run + ", seed \(search.seed + UInt64(place))"
  }

  /// The maximum number of repetitions to find a difference.
  private static let mostTries = 20

  private static func nondeterminism(
    _ schedule: Schedule,
    _ trace: (Schedule) -> (steps: [ExecutionStep], notes: [String])
  ) -> ExplorationIssue {
    var lines = [
      "nondeterministic: \(name(of: schedule)) gave another result when it ran again: \(chance)"
    ]
    let first = trace(schedule)
    for _ in 0..<mostTries {
      let other = trace(schedule)
      let divergence = Stage.Divergence(between: first.steps, and: other.steps)
      if divergence == nil, first.notes == other.notes { continue }
      lines += divergence.map { ["\($0)"] } ?? []
      if first.notes != other.notes {
        lines += ["two runs:"] + NoteComparison(plain: first.notes, other: other.notes).lines
      }
      break
    }
    return ExplorationIssue(text: lines.joined(separator: "\n"))
  }

  private static func issue(ofCut group: Findings.Group) -> ExplorationIssue {
    if let reason = group.outcome.inconclusive, reason == ModelUndecided.text {
      return ExplorationIssue(
        text: "\(name(of: group.schedule)) is inconclusive: \(reason)\ngenerate fewer operations"
      )
    }
    return ExplorationIssue(
      text: """
        \(name(of: group.schedule)) is inconclusive, because it never settles: \(group.outcome.inconclusive ?? "")
        cancel polling and endless loops before the scenario ends
        """
    )
  }

  /// Returns an issue for each `sometimes` that held in no run.
  private static func missedSometimes(of findings: Findings) -> [ExplorationIssue] {
    var issues = findings.neverHeld.map { assertion in
      ExplorationIssue(
        text: "sometimes '\(assertion.text)' \(assertion.sentence(of: findings.runs))",
        place: assertion.place
      )
    }
    if !findings.holdsSometimes, issues.isEmpty {
      issues.append(
        ExplorationIssue(
          text:
            "there are too many 'sometimes' assertions, and some are not checked: use fixed texts"
        )
      )
    }
    return issues
  }

  private static func misfit(
    of schedule: Schedule,
    _ scheduler: ReplayScheduler,
    _ call: ReplayCall
  ) -> String? {
    let hint =
      "it belongs to another test, or the code has changed since it was found; \(call.name) without 'replaying' searches again"
    return scheduler.takeMisfitOfWholeRun().map {
      "the schedule '\(schedule)' does not fit: \($0.text)\n\(hint)"
    }
  }

  // MARK: Texts

  private static let chance =
    "look for state that outlives a run, such as a singleton, another thread, or memory addresses"

  private static func name(of schedule: Schedule) -> String {
    schedule.isDefault ? "the default schedule" : "schedule '\(schedule)'"
  }

  /// Returns the notes of a run and their differences from the default schedule's, as far as these are known.
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
