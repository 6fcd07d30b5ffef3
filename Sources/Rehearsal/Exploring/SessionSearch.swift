package import Exploring
package import Harness

/// A search through the schedules of all that a session was told.
package struct SessionSearch: Sendable, Codable {
  /// What the session was told.
  package let commands: [String]
  /// The problems of each command.
  package let problems: [[CommandProblem]]
  /// What it was told of orders, which is left out.
  package let schedules: [String]
  /// Where its files are.
  package let folder: String
  /// What files it carries itself.
  package let fixtures: Fixtures
  /// What is not judged.
  package let disabled: Set<BuiltInCheck>
  package let plan: Exploration.Plan
  /// Whether systematic runs come first.
  package let orAll: Bool
  /// How many columns there are for what it has found.
  package let width: Int
  /// How many behaviours are shown.
  package let mostBehaviours: Int

  /// What it has found, as text.
  package struct Rendered: Sendable, Codable {
    package let text: String
    /// Whether nothing is wrong, as far as was seen.
    package let isGood: Bool
    /// Whether each run has performed and checked everything that was pending.
    package let hasCheckedEnd: Bool

    package init(text: String, isGood: Bool, hasCheckedEnd: Bool = false) {
      self.text = text
      self.isGood = isGood
      self.hasCheckedEnd = hasCheckedEnd
    }

    /// The result of a search, with the text made of the findings.
    package init(text: String, _ findings: Findings) {
      self.init(text: text, isGood: findings.isGood, hasCheckedEnd: findings.hasCheckedEnd)
    }
  }

  /// What is performed again and again.
  package func script(
    _ scenes: [Scene],
    progress: RunProgress? = nil
  ) -> ExploredScript {
    ExploredScript(
      commands,
      with: problems,
      fixtures: fixtures,
      inFolder: folder,
      scenes: scenes,
      disabling: disabled,
      progress: progress
    )
  }

  /// Makes the wording of the text about its findings.
  ///
  /// - Parameter notes: further notes about the search.
  /// - Returns: the wording.
  package func wording(notes: [String] = []) -> ExplorationWording {
    ExplorationWording(
      name: Self.name,
      width: width,
      words: .ofShell,
      mostBehaviours: mostBehaviours,
      notes: ExplorationText.leftOut(schedules) + notes
    )
  }

  /// The name of the session in the text.
  package static let name = "the session"
}

/// Searches apart from the process of the session, so that a crash costs only its own run.
package protocol IsolatedSearch: Sendable {
  /// Searches.
  ///
  /// - Parameters:
  ///   - search: what to search.
  ///   - patience: asked many times a second whether it continues, with text about its progress if there is any.
  /// - Returns: what was found; nil if this process cannot search, or if the search was abandoned.
  @MainActor func rendered(
    _ search: SessionSearch,
    _ patience: (_ words: String?) -> SearchPatience
  ) -> SessionSearch.Rendered?
}

/// Whether a search continues.
package enum SearchPatience {
  case continues
  /// It ends with what was found so far.
  case ends
  /// It ends without a result.
  case isAbandoned
}
