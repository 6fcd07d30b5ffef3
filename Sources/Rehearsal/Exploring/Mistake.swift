import Exploring
import RehearsalBase
import Script

/// A failure in a run.
struct Mistake: Sendable {
  /// The identity of the failure in all runs: the command or run assertion that failed, and the kind of the problem.
  struct Identity: Hashable, Sendable {
    let culprit: Culprit
    /// The problem without values that differ between runs; nil if it is not recorded.
    let kind: Problem?
    /// The sourced file and its line; nil outside of sourced files.
    var place: String?
    /// Number of earlier run assertions or scheduled commands with the same text.
    var repetition = 0
  }

  /// A command that a search cannot run, because it does a search's own work.
  enum Obstacle: Sendable {
    case goesBack, choosesOrder, explores

    fileprivate init?(_ problem: Problem) {
      switch problem {
      case Session.goesBackInSearch: self = .goesBack
      case Session.choosesOrderInSearch: self = .choosesOrder
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
    /// A command that had been scheduled, with its time in front.
    case scheduled(String)
    /// What was to hold in the whole run.
    case judge(String)

    var isCommand: Bool { if case .command = self { true } else { false } }
  }

  let identity: Identity
  /// The command that was performed, or the one that had been scheduled.
  let command: String
  /// The rule that is broken, and how.
  let failure: Violation
  /// When it happened; nil where nobody has noted that.
  let time: Duration?
  /// The reason why the run does not count for the search; nil if it counts.
  let obstacle: Obstacle?
  /// The first line of what was printed of it.
  let line: String

  /// What is wrong, as it was printed.
  var sentence: Substring { line.trimmingPrefix("error: ") }

  /// Of a command alone, as its output tells.
  init(by command: String, at place: Int, _ output: CommandOutput) {
    identity = Identity(culprit: .command(place), kind: nil)
    self.command = command
    time = nil
    obstacle = nil
    line = output.problem.first ?? output.all.first ?? "it failed"
    failure = Violation(rule: "'\(command)'", what: line)
  }

  /// As a session tells.
  private init(_ failure: SessionFailure, by command: String, at place: Int) {
    self.command = failure.laterCommand ?? command
    time = failure.time
    obstacle = Obstacle(failure.diagnostic.problem)
    line = failure.line
    let culprit: Culprit
    if let (rule, what) = failure.judge {
      culprit = .judge(rule)
      self.failure = Violation(rule: "judge '\(rule)'", what: what)
    } else {
      culprit = failure.laterCommand == nil ? .command(place) : .scheduled(failure.text)
      self.failure = Violation(rule: "'\(self.command)'", what: line)
    }
    // A run assertion that is not met has no diagnostic and is always the same failure.
    let kind = failure.judge == nil ? failure.diagnostic.problem.kind : nil
    let place = failure.place.map { "\($0.path.printable(atMost: 80)):\($0.line)" }
    let repetition = culprit.isCommand ? 0 : failure.repetition
    identity = Identity(
      culprit: culprit,
      kind: kind,
      place: failure.judge == nil ? place : nil,
      repetition: repetition
    )
  }

  /// The failure of a command that also fails in the default schedule, but in another way. Its text says so.
  var failureInAnotherWay: Violation {
    let way =
      if identity.repetition > 0 {
        "(number \(identity.repetition + 1))"
      } else if let place = identity.place {
        "fails in \(place)"
      } else if case .expectationFailed(_, let found?) = identity.kind {
        "finds \(found)"
      } else {
        "fails in another way"
      }
    return failure.with(rule: "\(failure.rule) \(way)")
  }

  /// All of a command that has failed.
  static func all(
    in host: SessionHost,
    by command: String,
    at place: Int,
    _ output: CommandOutput
  ) -> [Mistake] {
    let failures = host.failures
    return failures.isEmpty
      ? [Mistake(by: command, at: place, output)]
      : failures.map { Mistake($0, by: command, at: place) }
  }
}

extension Problem {
  /// The problem without values that differ between runs, such as times.
  fileprivate var kind: Problem {
    switch self {
    case .expectationFailed(_, let found): .expectationFailed("", found: found)
    case .neverSettles: .neverSettles("")
    case .inThePast(let time, _): .inThePast(time, now: "")
    default: self
    }
  }
}
