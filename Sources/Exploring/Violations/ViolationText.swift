import RehearsalBase
import Staging
import Workers

// No code parses this text.

/// Turns violations and checks into text: the rule, the actual situation, and the headline of a finding.
extension Violation {
  /// The requirement.
  public var rule: String { check.text }

  /// The actual situation.
  public var what: String {
    var what =
      switch (check, actual) {
      case (.condition(let rule), .text("")): rule
      case (.builtIn, .tasks(let report, _)): ActualValue.text(ofBuiltIn: report.tasks)
      case (.builtIn, .unknownTasks): "waiting tasks cannot be found with this toolchain"
      default: actual.text
      }
    if let crash { what += "; then \(ActualValue.crashed(crash, crashReport).text)" }
    return what
  }

  /// What the waiting tasks wait for, and where, or where the run crashed; empty if there is nothing more to say.
  package var details: [String] { actual.details + (crashReport?.lines ?? []) }

  /// The rule and the actual situation in one sentence.
  package var sentence: String {
    let what = what
    return rule == what || what.isEmpty ? rule : "\(rule): \(what)"
  }

  /// The text of an ignored violation.
  package var ignoredText: String {
    guard case .command(let command, _) = check, case .problem(let problem) = actual else {
      return what
    }
    return "'\(command)': \(problem.file == nil ? problem.message : problem.text)"
  }
}

extension CheckID {
  /// The requirement.
  package var text: String {
    switch self {
    case .condition(let rule): rule
    case .expectation(let file, let line): "\(file):\(line)"
    case .noIssue: "no issue is recorded"
    case .throwsNothing: "the scenario throws no error"
    case .returns: "the scenario returns"
    case .leavesNoWork: "no work is left at the end"
    case .tasksEnd: "'run.waitForAllTasks' waits forever"
    case .staysOnStage: "only code on the stage calls 'run'"
    case .noDeadlock: "no thread blocks forever"
    case .matchesModel: "an order of the operations explains their results"
    case .noCrash: "no run crashes"
    case .noExit: "no run ends the process"
    case .builtIn(let check): check.rawValue
    case .runAssertion(let text, let variant): "run assertion '\(text)'" + (variant?.text ?? "")
    case .command(let text, let variant): "'\(text)'" + (variant?.text ?? "")
    case .survives(let command, let cause): "'\(command)' \(cause.text)"
    case .settles: "the script settles"
    }
  }

  /// Returns the headline of a finding; `runs` states the number of runs that violate the check.
  package func headline(_ runs: String) -> String {
    let text = text.printable(atMost: 200)
    return switch self {
    case .command(_, nil), .command(_, .number), .runAssertion(_, nil), .runAssertion(_, .number):
      "\(text) fails in \(runs)"
    case .command, .runAssertion, .survives: "\(text), in \(runs)"
    case .builtIn(let check): "'\(text)' fails in \(runs) (\(check.promise))"
    default: "'\(text)' does not hold in \(runs)"
    }
  }
}

extension CheckID.Variant {
  fileprivate var text: String {
    switch self {
    case .number(let number): " (number \(number))"
    case .place(let place): " fails in \(place)"
    case .state(let state): " finds \(state)"
    case .other: " fails in another way"
    }
  }
}

extension BuiltInCheck {
  /// The requirement.
  package var promise: String {
    switch self {
    case .noStaleWrites:
      "an attempt that was replaced, cancelled or reset must not change the state"
    case .singleOutcome: "an attempt must not change its outcome"
    case .latestRequestWins: "the state at the end must belong to the latest request"
    case .completes: "every load must end"
    case .noDeadlock: "no thread may block forever"
    case .matchesModel: "an order of the calls must explain what the scene shows, as its model does"
    case .noLeakedWork: "no superseded attempt and no waiting task may be left at the end"
    }
  }
}

extension ActualValue {
  package var text: String {
    switch self {
    case .text(let text), .thrown(_, let text): text
    case .waits(let report, let outside):
      "nothing is left to do, and the scenario still waits"
        + (report?.summary.map { ": \($0)" } ?? "") + Self.resuming(outside)
    case .work(let pending, let report):
      "the scenario has ended, but work is left: \(pending)"
        + (report?.summary.map { "; \($0)" } ?? "")
    case .crashed(let cause, let report): "it \(cause.text)\(report?.text ?? "")"
    case .tasks(let report, let outside):
      """
      the scenario has ended, but nothing resumes \(report.tasks.count == 1 ? "a task that waits" : "\(report.tasks.count) tasks that wait"): \
      \(WaitingTask.list(report.tasks)); if this is intended, use 'mayLeaveWork: true'\(Self.resuming(outside))
      """
    case .tasksLeft(let report, let outside):
      "nothing is left to do, and \(report.tasks.count == 1 ? "a task has" : "\(report.tasks.count) tasks have") not ended: "
        + WaitingTask.list(report.tasks) + Self.resuming(outside)
    case .blocked(let calls, let report):
      if calls.first?.isOfTest == true, calls.count == 1, let summary = report?.summary {
        "nothing is left to do, and the test still waits: \(summary)"
      } else {
        calls.map(\.text).joined(separator: "; ")
      }
    case .unknownTasks:
      """
      waiting tasks cannot be found with this toolchain, or without the linker options that docs/your-own-code.md lists; \
      'mayLeaveWork: true' explores without this check
      """
    case .ended(let cause, let fatal, _):
      (["error: \(cause.text)"] + fatal).joined(separator: "\n")
    case .problem(let problem): problem.text
    case .endless(let problem, let limit):
      "after the last command, \(problem.message); every run continues for at most \(limit.compact), "
        + "without the checks at the end of a run"
    case .assertion(let finding, let time): "violated at \(time.text): \(finding.text)"
    case .neverMet: "nothing is left to do, and the condition was never true"
    case .member(let name, let finding): "\(name): \(finding.text)"
    case .model(.differs(let difference)): difference.text
    case .model(.wrong(let scene, let problem, let hint)):
      "the reference model of the scene '\(scene)' is wrong: \(problem); \(hint)"
    }
  }

  /// The waits of tasks with their places, the place of a crash, or the running code at a time limit; empty for other values.
  package var details: [String] {
    switch self {
    case .waits(let report, _), .work(_, let report): report?.lines ?? []
    case .tasks(let report, _), .tasksLeft(let report, _): report.lines
    case .crashed(_, let report): report?.lines ?? []
    case .ended(_, _, let activity): activity
    case .blocked(let calls, let report):
      // The text of a single call is the violation's own.
      (calls.count == 1 ? Array(calls[0].lines.dropFirst()) : calls.flatMap(\.lines))
        + (report?.lines ?? [])
    default: []
    }
  }

  private static func resuming(_ outside: [String]) -> String {
    guard let first = outside.first else { return "" }
    let more = outside.count > 1 ? " and \(outside.count - 1) more" : ""
    return "; outside of virtual time, \(first)\(more) may resume it"
  }

  /// Maximum number of named tasks.
  private static let mostTasks = 10

  /// Returns the first task, and the others in brackets.
  fileprivate static func text(ofBuiltIn tasks: [WaitingTask]) -> String {
    let texts = tasks.map { "at the end nothing resumes a task that waits: \($0)" }
    guard let first = texts.first, texts.count > 1 else { return texts.first ?? "" }
    let others = texts.dropFirst().prefix(mostTasks - 1)
    let more = texts.count > mostTasks ? ["\(texts.count - mostTasks) more"] : []
    return first + " [\((others + more).joined(separator: "; "))]"
  }
}

extension CommandProblem {
  /// The first line of the diagnostic.
  fileprivate var text: String {
    (file.map { "\($0):\(line ?? 0): ".escapingControls } ?? "") + "error: " + message
  }
}

extension AssertionFinding {
  fileprivate var text: String {
    switch self {
    case .state(let state, let member): "\(member) is \(state.text)"
    case .count(let count): "there \(count == 1 ? "is" : "are") \(count)"
    case .countOfKept(let count): "\(count) of the requests that are still kept match"
    case .neverSo: "the condition was never true"
    case .forgotten(let member): "\(member) was forgotten"
    }
  }
}

extension MemberFinding {
  fileprivate var text: String {
    switch self {
    case .wroteLate(let attempt, let how, let time, let state, let writing):
      "#\(attempt) \(how.text) at \(time.text), and wrote \(state.text) at \(writing.text)"
    case .changedOutcome(let attempt, let outcome, let time, let state, let writing):
      "#\(attempt) ended with \(outcome.text) at \(time.text), and wrote \(state.text) at \(writing.text)"
    case .staleState(let state, let attempt, let asked):
      "the state at the end is \(state.text), of #\(attempt), but "
        + (asked.map { "#\($0) was started last" }
          ?? "the latest request was a cancellation or reset")
    case .attemptNeverEnds(let attempt): "#\(attempt) never ends"
    case .loadsNeverEnd(let count): count == 1 ? "a load never ends" : "\(count) loads never end"
    }
  }
}

extension MemberFinding.Supersession {
  fileprivate var text: String {
    switch self {
    case .replaced(let attempt): "was replaced by #\(attempt)"
    case .cancelled: "was cancelled"
    case .reset: "was reset"
    case .assigned: "was replaced by 'set'"
    }
  }
}

extension ModelDifference {
  /// Maximum number of values of the model in the text.
  private static let mostValues = 4

  fileprivate var text: String {
    let name = operation.printable(atMost: 80)
    let values = expected.prefix(Self.mostValues).map { $0.printable(atMost: 80) }
    let more = expected.count - values.count
    let model = values.joined(separator: " or ") + (more > 0 ? " or \(more) other values" : "")
    let code = scene == nil ? "the code" : "the scene"
    let subject = members.map { "after '\(name)', \($0.joined(separator: ", "))" } ?? "'\(name)'"
    let owner = scene.map { "the reference model of '\($0)'" } ?? "the reference model"
    var text = "\(subject): \(owner) says \(model), \(code) \(actual.printable(atMost: 80))"
    if !overlapping.isEmpty {
      let names = overlapping.map { "'\($0.printable(atMost: 40))'" }.joined(separator: ", ")
      text += "; no order of \(names) explains it"
    }
    if isFirst {
      text +=
        "; no operation was compared before: check that the reference model begins in the state of \(code)"
    }
    return text
  }
}
