package import Workers

/// The identity of an assertion or check. All violations of one check are one finding.
package enum CheckID: Sendable, Hashable, Codable {
  // Scenarios in Swift.

  /// A condition of `ExploredRun.check`, by its text.
  case condition(String)
  /// An expectation of Swift Testing, by its place.
  case expectation(file: String, line: Int)
  /// No issue without a position is recorded.
  case noIssue
  /// The scenario throws no error.
  case throwsNothing
  /// The scenario returns.
  case returns
  /// No work is left when the scenario has returned.
  case leavesNoWork
  /// `waitForAllTasks` waits for tasks that end.
  case tasksEnd
  /// Only code on the stage calls the functions of the run.
  case staysOnStage
  /// No thread of the scenario blocks forever.
  case noDeadlock
  /// An order of the operations explains their results, as the model gives them.
  case matchesModel
  /// No run crashes.
  case noCrash
  /// No run ends its process.
  case noExit

  // Scripts.

  case builtIn(BuiltInCheck)
  /// A run assertion, by its text.
  case runAssertion(String, Variant? = nil)
  /// A command succeeds, by its text.
  case command(String, Variant? = nil)
  /// A command does not end its process in this way.
  case survives(command: String, WorkerEnd.Cause)
  /// The script settles after its last command.
  case settles

  /// How a failure differs from the baseline failure of the same command or run assertion.
  package enum Variant: Sendable, Hashable, Codable {
    /// The number of the command or run assertion among those with the same text, from 1.
    case number(Int)
    /// The failure is at another position in a sourced file.
    case place(String)
    /// The member is in another state.
    case state(String)
    case other
  }

  // The names of the fields in reports.
  private enum ConditionCodingKeys: String, CodingKey {
    case _0 = "text"
  }
  private enum BuiltInCodingKeys: String, CodingKey {
    case _0 = "name"
  }
  private enum RunAssertionCodingKeys: String, CodingKey {
    case _0 = "text"
    case _1 = "variant"
  }
  private enum CommandCodingKeys: String, CodingKey {
    case _0 = "text"
    case _1 = "variant"
  }
  private enum SurvivesCodingKeys: String, CodingKey {
    case command
    case _1 = "end"
  }

  /// Returns the check of the same command or run assertion with its text changed; the same check
  /// if it contains no text of a script.
  package func changing(_ change: (String) -> String) -> CheckID {
    switch self {
    case .runAssertion(let text, nil): .runAssertion(change(text))
    case .command(let text, nil): .command(change(text))
    case .survives(let text, let cause): .survives(command: change(text), cause)
    default: self
    }
  }
}

extension CheckID {
  /// Returns the order of violations at one instant: commands, run assertions, then others, each by
  /// their texts.
  package static func isBefore(_ one: CheckID, _ other: CheckID) -> Bool {
    one.sortingKey < other.sortingKey
  }

  private var sortingKey: (Int, String, Int) {
    switch self {
    case .command(let text, let variant): (0, text, variant == nil ? 0 : 1)
    case .runAssertion(let text, let variant): (1, text, variant == nil ? 0 : 1)
    default: (2, "", 0)
    }
  }
}
