import Exploring

/// Decides which violations of the default schedule are ignored in all runs.
extension ExploredScript {
  /// The failures of a script in the default schedule.
  struct Baseline: Sendable {
    /// All failures of commands and run assertions.
    var failures: Set<ScriptFailure.Identity> = []
    /// The failures that the transcript or the session shows.
    private var shown: Set<ScriptFailure.Identity> = []
    private var builtIn: [BuiltInViolation] = []
    /// Whether the numbers of attempts are those of the run with these violations. Other commands start other attempts.
    private var hasSameAttempts = true
    /// The violations that are ignored, for the report.
    var ignored: [Violation] = []

    /// Ignores violations of built-in checks, and the failures that are shown.
    ///
    /// - Parameters:
    ///   - plain: the run in the default schedule.
    ///   - checks: the enabled built-in checks.
    ///   - shownFailures: returns the failures of the command at a place that the transcript or the session shows.
    mutating func ignore(
      _ plain: ScriptRun,
      _ checks: Set<BuiltInCheck>,
      _ shownFailures: (CommandRecord, _ place: Int) -> [ScriptFailure]
    ) {
      for (place, record) in plain.records.enumerated() {
        if record.failures.isEmpty { continue }
        for failure in shownFailures(record, place)
        where shown.insert(failure.identity).inserted {
          ignored.append(failure.ofCommand)
        }
      }
      // A transcript does not show what a model says.
      builtIn = plain.violations.filter { checks.contains($0.check) && $0.check != .matchesModel }
      ignored += builtIn.map(\.violation)
    }

    /// Whether the default schedule has the same violation.
    func ignores(_ violation: BuiltInViolation) -> Bool {
      builtIn.contains(where: hasSameAttempts ? violation.isCovered : violation.isLike)
    }

    func ignores(_ identity: ScriptFailure.Identity) -> Bool { shown.contains(identity) }

    /// The first violation in a command record that the default schedule does not have; nil if
    /// there is none. The order
    /// of failures at one instant does not matter.
    func news(in record: CommandRecord) -> Violation? {
      let failures = record.failures.filter {
        $0.obstacle == nil && !self.failures.contains($0.identity)
      }
      guard let first = failures.first else { return nil }
      return failures.prefix { $0.time == first.time }.map(violation)
        .min { CheckID.isBefore($0.check, $1.check) }
    }

    /// The violation of a failure that the default schedule does not have. If the same command
    /// fails in another way in
    /// the default schedule, it is a variant of the check.
    private func violation(_ failure: ScriptFailure) -> Violation {
      let culprit = failure.identity.culprit
      return failures.contains { $0.culprit == culprit }
        ? failure.violationOfVariant : failure.violation
    }

    /// The violations in a command record that the default schedule has too and that are not
    /// ignored.
    func known(in record: CommandRecord) -> [Violation] {
      record.failures
        .filter { failures.contains($0.identity) && !shown.contains($0.identity) }
        .map(\.violation)
    }

    /// Returns the same failures for other commands. Commands are identified by their text.
    func moved(from commands: [String], to others: [String]) -> Baseline {
      let places = Dictionary(grouping: others.indices) { others[$0] }
      func moved(_ known: Set<ScriptFailure.Identity>) -> Set<ScriptFailure.Identity> {
        var moved: Set<ScriptFailure.Identity> = []
        for identity in known {
          guard case .command(let place) = identity.culprit else {
            moved.insert(identity)
            continue
          }
          let settling = [others.count]
          let found = place < commands.count ? places[commands[place]] ?? [] : settling
          for place in found {
            moved.insert(
              .init(culprit: .command(place), kind: identity.kind, place: identity.place)
            )
          }
        }
        return moved
      }
      var other = Baseline()
      other.failures = moved(failures)
      other.shown = moved(shown)
      other.builtIn = builtIn
      other.hasSameAttempts = hasSameAttempts && commands == others
      return other
    }
  }
}
