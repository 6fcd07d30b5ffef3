package import Exploring
package import Harness
package import RehearsalBase

/// A search through the schedules of the commands of a session.
package struct SessionSearch: Sendable, Codable {
  /// The commands of the session.
  package let commands: [String]
  /// The problems of each command.
  package let problems: [[CommandProblem]]
  /// The `schedule` commands of the session, which the search ignores.
  package let schedules: [String]
  /// The folder of its files.
  package let folder: String
  /// The files that a transcript contains itself.
  package let fixtures: Fixtures
  /// The disabled built-in checks.
  package let disabled: Set<BuiltInCheck>
  package let plan: Exploration.Plan
  /// Whether systematic runs alternate with the others.
  package let orAll: Bool
  /// Maximum number of commands that a run generates after those of the session; nil to generate none.
  package let mostGenerated: Int?
  /// Maximum number of columns of the text.
  package let width: Int
  /// Maximum number of behaviours that are shown.
  package let mostBehaviours: Int
  /// Whether failures are shown with tables of their steps, instead of timelines.
  package let showsTable: Bool

  /// The findings of a search as lines of text.
  package struct Rendered: Sendable, Codable {
    package let lines: [OutputLine]
    /// Whether no failure was found.
    package let isGood: Bool
    /// Whether each run has performed and checked everything that was pending.
    package let hasCheckedEnd: Bool

    package init(lines: [OutputLine], isGood: Bool, hasCheckedEnd: Bool = false) {
      self.lines = lines
      self.isGood = isGood
      self.hasCheckedEnd = hasCheckedEnd
    }

    /// The text if the session cannot be explored.
    package init(_ refusal: ExploredScript.Refusal) {
      let command = refusal.command.printable(atMost: 200)
      let error = OutputLine.error(
        "cannot explore \(SessionSearch.name), because of '\(command)'"
      )
      self.init(lines: [error] + refusal.lines.map { OutputLine("  " + $0) }, isGood: false)
    }

    /// The result of a search, with the text made of the findings.
    package init(lines: [OutputLine], _ findings: Findings) {
      self.init(lines: lines, isGood: findings.isGood, hasCheckedEnd: findings.hasCheckedEnd)
    }
  }

  /// Returns the script that the search performs.
  ///
  /// - Throws: `Refusal` if nothing can be generated.
  package func script(
    _ scenes: [Scene],
    progress: RunProgress? = nil
  ) throws(ExploredScript.Refusal) -> ExploredScript {
    try ExploredScript(
      commands,
      with: problems,
      fixtures: fixtures,
      inFolder: folder,
      scenes: scenes,
      disabling: disabled,
      generating: mostGenerated,
      progress: progress
    )
  }

  /// Returns the context of the text about its findings.
  ///
  /// - Parameter notes: further notes about the search.
  /// - Returns: the wording.
  package func wording(notes: [String] = []) -> ExplorationWording {
    ExplorationWording(
      name: Self.name,
      width: width,
      words: .ofShell,
      mostBehaviours: mostBehaviours,
      showsTable: showsTable,
      notes: ExplorationText.leftOut(schedules) + notes
    )
  }

  /// The name of the session in the text.
  package static let name = "the session"
}

/// Runs searches outside of the session's process, so that a crash costs only one run.
package protocol IsolatedSearch: Sendable {
  /// Searches.
  ///
  /// - Parameters:
  ///   - search: the search.
  ///   - control: asked many times per second whether the search continues, with its progress as
  ///     text if there is any.
  /// - Returns: the findings; nil if this process cannot search, or if the search was abandoned.
  @MainActor func rendered(
    _ search: SessionSearch,
    _ control: (_ words: String?) -> SearchControl
  ) -> SessionSearch.Rendered?
}

/// The decision whether a search continues.
package enum SearchControl {
  case continues
  /// It ends with the findings so far.
  case ends
  /// It ends without a result.
  case isAbandoned
}
