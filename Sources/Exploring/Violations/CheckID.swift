package import Workers

/// The identity of an assertion or check. The violations of one check are one finding.
package enum CheckID: Sendable, Hashable, Codable {
  // Of scenarios in Swift.

  /// A condition of `ExploredRun.check`, by its text.
  case condition(String)
  /// An expectation of Swift Testing, by its place.
  case expectation(file: String, line: Int)
  /// No issue without a place is recorded.
  case noIssue
  /// The scenario throws no error.
  case throwsNothing
  /// The scenario returns.
  case returns
  /// When the scenario has returned, no work is left.
  case leavesNoWork
  /// No run crashes.
  case noCrash

  // Of scripts.

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
    /// It is of the command or run assertion with this number among those with the same text, from 1.
    case number(Int)
    /// It is at another place in a sourced file.
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

  /// The check of the same command or run assertion with another text; the same check if it is about no text of a
  /// script.
  package func changing(_ change: (String) -> String) -> CheckID {
    switch self {
    case .runAssertion(let text, nil): .runAssertion(change(text))
    case .command(let text, nil): .command(change(text))
    default: self
    }
  }
}

extension CheckID {
  /// The order in which violations of one instant are reported: commands, run assertions, then others, by their texts.
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
