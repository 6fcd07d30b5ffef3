package import RehearsalBase
package import Staging
package import Workers

/// The actual value in a violation.
package enum ActualValue: Sendable, Hashable, Codable {
  // Scenarios in Swift.

  /// A text from the scenario or from Swift Testing; may be empty.
  case text(String)
  /// The scenario threw an error; `type` and case identify it.
  case thrown(type: String, text: String)
  /// The scenario waits, but nothing is left to do. The work outside of virtual time may resume it.
  case waits(WaitReport? = nil, outside: [String])
  /// Work that is left on the stage, and the tasks that have not ended.
  case work(String, WaitReport? = nil)
  /// The thread of the scenario crashed.
  case crashed(WorkerEnd.Cause, CrashReport? = nil)

  /// Tasks that have not ended when nothing is left to do. The work outside of virtual time may resume them.
  case tasksLeft(WaitReport, outside: [String])

  // Scenarios and scripts.

  /// Tasks that nothing resumes. The work outside of virtual time may resume them.
  case tasks(WaitReport, outside: [String] = [])
  /// Threads, queues and groups that wait forever.
  case blocked([BlockedCall], WaitReport? = nil)
  /// It is unknown whether tasks wait.
  case unknownTasks
  /// The process ended. `fatal`: the reason, as lines of the Swift runtime. `activity`: the running and the waiting code, if
  /// it was ended at its time limit.
  case ended(WorkerEnd.Cause, fatal: [String] = [], activity: [String] = [])

  // Scripts.

  case problem(CommandProblem)
  /// After the last command, time never stops advancing, so only a part is performed.
  case endless(CommandProblem, performed: Duration)
  case assertion(AssertionFinding, at: ShownTime)
  /// Nothing is left to do that could meet an `eventually`.
  case neverMet
  case member(String, MemberFinding)

  // Scenarios and scripts.

  /// The code disagrees with its model.
  case model(ModelFinding)
}

/// A state of a member.
package struct StateValue: Sendable, Hashable, Codable {
  /// As the session prints it.
  package let text: String
  /// The state without its value: `loaded`, `error timeout`.
  package let kind: String

  package init(text: String, kind: String) {
    (self.text, self.kind) = (text, kind)
  }

  fileprivate var withoutValue: StateValue { StateValue(text: "", kind: kind) }
}

/// The problem of a command, as in its diagnostic.
package struct CommandProblem: Sendable, Hashable, Codable {
  /// The name of the problem.
  package let name: String
  /// The kind of the actual state; nil if the problem is about no state.
  package let state: String?
  /// The actual state or number as text; nil if the problem is about neither.
  package let actual: String?
  /// The undefined name in the script; nil for other problems.
  package let unknownName: String?
  /// The message of the diagnostic.
  package let message: String
  /// The sourced file, and the line in it.
  package let file: String?
  package let line: Int?

  package init(
    name: String,
    state: String? = nil,
    actual: String? = nil,
    unknownName: String? = nil,
    message: String,
    file: String? = nil,
    line: Int? = nil
  ) {
    (self.name, self.state, self.actual) = (name, state, actual)
    (self.unknownName, self.message, self.file, self.line) = (unknownName, message, file, line)
  }

  fileprivate var withoutValues: CommandProblem {
    CommandProblem(name: name, state: state, unknownName: unknownName, message: "", file: file)
  }
}

/// The actual value of a violated run assertion.
package enum AssertionFinding: Sendable, Hashable, Codable {
  case state(StateValue, of: String)
  case count(Int)
  /// The number of matches among the requests that are still kept.
  case countOfKept(Int)
  case neverSo
  case forgotten(String)

  fileprivate var withoutValues: AssertionFinding {
    switch self {
    case .state(let state, let member): .state(state.withoutValue, of: member)
    case .count: .count(0)
    case .countOfKept: .countOfKept(0)
    case .neverSo, .forgotten: self
    }
  }
}

/// A violation of a built-in check by a member.
package enum MemberFinding: Sendable, Hashable, Codable {
  /// An attempt changed the state after it was superseded.
  case wroteLate(attempt: Int, Supersession, at: ShownTime, wrote: StateValue, wroteAt: ShownTime)
  /// An attempt changed the state after its outcome.
  case changedOutcome(
    attempt: Int,
    StateValue,
    at: ShownTime,
    wrote: StateValue,
    wroteAt: ShownTime
  )
  /// The state at the end belongs to an attempt other than the last one, `asked`.
  case staleState(StateValue, of: Int, asked: Int?)
  case attemptNeverEnds(Int)
  case loadsNeverEnd(Int)

  /// The reason why an attempt was superseded.
  package enum Supersession: Sendable, Hashable, Codable {
    case replaced(by: Int)
    case cancelled, reset, assigned
  }

  fileprivate var withoutValues: MemberFinding {
    switch self {
    case .wroteLate(_, let how, _, let wrote, _):
      let how: Supersession = if case .replaced = how { .replaced(by: 0) } else { how }
      return .wroteLate(attempt: 0, how, at: .zero, wrote: wrote.withoutValue, wroteAt: .zero)
    case .changedOutcome(_, let outcome, _, let wrote, _):
      return .changedOutcome(
        attempt: 0,
        outcome.withoutValue,
        at: .zero,
        wrote: wrote.withoutValue,
        wroteAt: .zero
      )
    case .staleState(let state, _, let asked):
      return .staleState(state.withoutValue, of: 0, asked: asked.map { _ in 0 })
    case .attemptNeverEnds: return .attemptNeverEnds(0)
    case .loadsNeverEnd(let count): return .loadsNeverEnd(min(count, 2))
    }
  }
}

extension ActualValue {
  /// The actual state or number of an assertion or of `expect`, as text; nil for other violations.
  package var shown: String? {
    switch self {
    case .problem(let problem): problem.actual
    case .assertion(.state(let state, _), _): state.text
    case .assertion(.count(let count), _), .assertion(.countOfKept(let count), _): "\(count)"
    default: nil
    }
  }

  /// The value without details that differ between runs with the same failure: numbers, instants,
  /// values.
  var withoutValues: ActualValue {
    switch self {
    case .text: .text("")
    case .thrown(let type, _): .thrown(type: type, text: "")
    case .waits: .waits(nil, outside: [])
    case .work: .work("")
    case .blocked(let calls, _): .blocked(calls.map(\.withoutDetails))
    case .tasks(let tasks, _): .tasks(tasks.withoutDetails)
    case .tasksLeft(let tasks, _): .tasksLeft(tasks.withoutDetails, outside: [])
    // Messages contain values; positions do not.
    case .ended(let cause, let fatal, _): .ended(cause, fatal: fatal.map(Self.place(ofFatal:)))
    case .problem(let problem): .problem(problem.withoutValues)
    case .endless(let problem, _): .endless(problem.withoutValues, performed: .zero)
    case .assertion(let finding, _): .assertion(finding.withoutValues, at: .zero)
    case .member(let name, let finding): .member(name, finding.withoutValues)
    case .model(.differs(let difference)): .model(.differs(difference.withoutValues))
    case .crashed(let cause, _): .crashed(cause)
    case .model(.wrong), .unknownTasks, .neverMet: self
    }
  }

  /// The word before the message in a line of the Swift runtime: `main.swift:12: Fatal error:
  /// empty`.
  package static let fatalError = "Fatal error"

  private static func place(ofFatal line: String) -> String {
    line.firstRange(of: fatalError).map { String(line[..<$0.lowerBound]) } ?? line
  }
}
