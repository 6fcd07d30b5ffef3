import Exploring
import RehearsalBase
import Script

/// A failure of a command or of a run assertion in one run of a script: its identity, and whether a search refuses the
/// script.
struct ScriptFailure: Sendable {
  /// The identity of the failure in all runs: the command or run assertion that failed, and the
  /// kind of the problem.
  struct Identity: Hashable, Sendable {
    let culprit: Culprit
    /// The problem without values that differ between runs; nil if it is not recorded.
    let kind: Problem?
    /// The sourced file and its line; nil outside of sourced files.
    var place: String?
    /// Number of earlier run assertions or scheduled commands with the same text.
    var repetition = 0
  }

  /// A command that a search cannot run, because it does the work of the search.
  enum Obstacle: Sendable {
    case goesBack, choosesOrder, explores

    fileprivate init?(_ problem: Problem) {
      switch problem {
      case Session.goesBackInSearch: self = .goesBack
      case SessionScheduling.choosesOrderInSearch: self = .choosesOrder
      case Session.exploresInSearch: self = .explores
      default: return nil
      }
    }

    /// The action of the command, as text.
    var words: String {
      switch self {
      case .goesBack: "would go back in time"
      case .choosesOrder: "would choose the order"
      case .explores: "would explore"
      }
    }
  }

  enum Culprit: Hashable, Sendable {
    /// The command at that place.
    case command(Int)
    /// A scheduled command, beginning with its time.
    case scheduled(String)
    case runAssertion(String)

    var isCommand: Bool { if case .command = self { true } else { false } }
  }

  let identity: Identity
  /// The command that was performed, or the scheduled one.
  let command: String
  let problem: CommandProblem
  let violation: Violation
  /// When it happened; nil if that is not recorded.
  let time: Duration?
  /// The reason why the run does not count for the search; nil if it counts.
  let obstacle: Obstacle?
  /// The printed diagnostic.
  let lines: [String]

  /// Creates a failure from the output of its command, if nothing else is known.
  private init(by command: String, at place: Int, _ output: CommandOutput) {
    identity = Identity(culprit: .command(place), kind: nil)
    self.command = command
    time = nil
    obstacle = nil
    lines = output.all.isEmpty ? ["it failed"] : output.all
    problem = CommandProblem(name: "failed", message: lines[0])
    violation = Violation(.command(command), .text(lines[0]))
  }

  private init(_ failure: SessionFailure, by command: String, at place: Int) {
    self.command = failure.laterCommand ?? command
    time = failure.time
    obstacle = Obstacle(failure.diagnostic.problem)
    lines = failure.lines
    problem = CommandProblem(failure.diagnostic.problem, at: failure.place)
    let culprit: Culprit
    if let (text, actual) = failure.assertion {
      culprit = .runAssertion(text)
      violation = Violation(.runAssertion(text), actual)
    } else {
      culprit = failure.laterCommand == nil ? .command(place) : .scheduled(failure.text)
      violation = Violation(.command(self.command), .problem(problem))
    }
    // A run assertion that is not met has no diagnostic and is always the same failure.
    let kind = failure.assertion == nil ? failure.diagnostic.problem.kind : nil
    let place = failure.assertion == nil ? failure.place : nil
    identity = Identity(
      culprit: culprit,
      kind: kind,
      place: place.map { "\($0.path.printable(atMost: 80)):\($0.line)" },
      repetition: culprit.isCommand ? 0 : failure.repetition
    )
  }

  /// Whether time could pass forever.
  var isEndless: Bool { if case .neverSettles = identity.kind { true } else { false } }

  /// The violation by a command that also fails in the default schedule, but in another way.
  var violationOfVariant: Violation {
    let variant: CheckID.Variant =
      if identity.repetition > 0 {
        .number(identity.repetition + 1)
      } else if let place = identity.place {
        .place(place)
      } else if case .expectationFailed(_, let state?, _, _) = identity.kind {
        .state(state)
      } else {
        .other
      }
    return switch violation.check {
    case .command(let text, _): violation.of(.command(text, variant))
    case .runAssertion(let text, _): violation.of(.runAssertion(text, variant))
    default: violation
    }
  }

  /// The same failure as one of its command, as a transcript shows it.
  var ofCommand: Violation { Violation(.command(command), .problem(problem)) }

  /// The failures of a command that has failed, and whether it was refused.
  ///
  /// - Parameters:
  ///   - host: the session.
  ///   - command: the command.
  ///   - place: its place among the commands of the script.
  ///   - output: its output.
  ///   - mayBeRefused: whether it is refused if it fails itself, which is no failure then.
  /// - Returns: the failures, and whether it was refused.
  static func all(
    in host: SessionHost,
    by command: String,
    at place: Int,
    _ output: CommandOutput,
    mayBeRefused: Bool
  ) -> (failures: [ScriptFailure], isRefused: Bool) {
    let all = host.failures
    if all.isEmpty {
      return mayBeRefused ? ([], true) : ([ScriptFailure(by: command, at: place, output)], false)
    }
    let failures = mayBeRefused ? all.filter { !$0.isOfCommand } : all
    return (
      failures.map { ScriptFailure($0, by: command, at: place) }, failures.count < all.count
    )
  }
}

extension Problem {
  /// The problem without values that differ between runs, such as times.
  fileprivate var kind: Problem {
    switch self {
    case .expectationFailed(_, let state, _, _): .expectationFailed("", state: state)
    case .neverSettles: .neverSettles("")
    case .inThePast(let time, _): .inThePast(time, now: "")
    default: self
    }
  }
}

extension CommandProblem {
  private static let failedExpectation = name(of: .expectationFailed(""))

  private static func name(of problem: Problem) -> String {
    Mirror(reflecting: problem).children.first?.label ?? "\(problem)"
  }

  /// Whether an expectation was checked and did not hold. Other problems of a check are mistakes in it.
  var isFailedExpectation: Bool { name == Self.failedExpectation }

  /// - Parameters:
  ///   - problem: the problem of the diagnostic.
  ///   - place: the sourced file and line of the command; nil outside of sourced files.
  init(_ problem: Problem, at place: CommandExecution.Source?) {
    let (state, actual): (String?, String?) =
      if case .expectationFailed(_, _, let kind, let actual) = problem {
        (kind, actual)
      } else {
        (nil, nil)
      }
    let unknownName: String? =
      switch problem {
      case .unknownMember(let name), .unknownEndpoint(let name), .unknownType(let name): name
      default: nil
      }
    self.init(
      name: Self.name(of: problem),
      state: state,
      actual: actual,
      unknownName: unknownName,
      message: problem.sentence,
      file: place?.path.printable(atMost: 80),
      line: place?.line
    )
  }
}
