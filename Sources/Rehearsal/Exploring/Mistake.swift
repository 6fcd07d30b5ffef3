import Exploring
import Script

/// Something that went wrong in a run, and who did it: by that it is known again in other runs.
struct Mistake: Sendable {
  enum Culprit: Hashable, Sendable {
    /// The command at that place.
    case command(Int)
    /// A command that had been scheduled, with its time in front.
    case scheduled(String)
    /// What was to hold in the whole run.
    case judge(String)

    var isCommand: Bool { if case .command = self { true } else { false } }
  }

  let culprit: Culprit
  /// The command that was performed, or the one that had been scheduled.
  let command: String
  /// The rule that is broken, and how.
  let failure: RunFailure
  /// When it happened; nil where nobody has noted that.
  let time: Duration?
  /// Whether a command would have put another session in the place of this one, in which nobody would decide.
  let goesBack: Bool
  /// The first line of what was printed of it.
  let line: String

  /// What is wrong, as it was printed.
  var sentence: Substring { line.trimmingPrefix("error: ") }

  /// Of a command alone, as its output tells.
  init(by command: String, at place: Int, _ output: PassageLines) {
    culprit = .command(place)
    self.command = command
    time = nil
    goesBack = false
    line = output.problem.first ?? output.all.first ?? "it failed"
    failure = RunFailure(rule: "'\(command)'", what: line)
  }

  /// As a session tells.
  private init(_ failure: SessionFailure, by command: String, at place: Int) {
    self.command = failure.laterCommand ?? command
    time = failure.time
    goesBack = failure.diagnostic.problem == Session.goesBackInSearch
    line = failure.line
    if let (rule, what) = failure.judge {
      culprit = .judge(rule)
      self.failure = RunFailure(rule: "judge '\(rule)'", what: what)
    } else {
      culprit = failure.laterCommand == nil ? .command(place) : .scheduled(failure.text)
      self.failure = RunFailure(rule: "'\(self.command)'", what: line)
    }
  }

  /// All of a command that has failed.
  static func all(
    in host: SessionHost,
    by command: String,
    at place: Int,
    _ output: PassageLines
  ) -> [Mistake] {
    let failures = host.failures
    return failures.isEmpty
      ? [Mistake(by: command, at: place, output)]
      : failures.map { Mistake($0, by: command, at: place) }
  }
}
