import Rehearsal

extension TestCommand {
  /// Why what was asked for does not go together; nil where it does. No flag is left unheard.
  var conflict: String? {
    if selection.list, let flag = givenForRuns.first {
      return "--list plays nothing, so \(flag) says nothing; leave one of them out."
    }
    if force, !update { return "--force goes with --update." }
    if watch, update {
      return "--watch does not go with --update: what is saved half-finished would be accepted."
    }
    if watch, coverageOptions.chosen != nil {
      return "--watch plays parts, and coverage is about the whole."
    }
    if selection.shard != nil, coverageOptions.coverageThreshold != nil {
      return Self.thresholdOfPart
    }
    if repeating.checkDeterminism, coverageOptions.chosen != nil {
      return "--check-determinism counts no arrows; ask for coverage in a run of its own."
    }
    if limits.failFast, repeating.knownFlaky != nil {
      return "--fail-fast would end the run at a failure that --known-flaky forgives."
    }
    if update, repeating.isOn, repeating.knownFlaky == nil {
      return
        "--update with --repeat or --check-determinism shortens the list of --known-flaky, and none is named."
    }
    return pendingConflict
  }

  /// Why a shard has no threshold.
  static let thresholdOfPart =
    "--coverage-threshold is about the whole run: give it to 'report', with the reports of all shards."

  private var pendingConflict: String? {
    guard let pending else { return nil }
    if Folder.realPath(pending) != nil, !Folder.isFolder(pending) {
      return "--pending takes a folder, and '\(pending)' is none."
    }
    if noPending { return "--pending and --no-pending do not go together." }
    if update { return "--update accepts at once, and leaves nothing for --pending." }
    return repeating.isOn ? "--pending does not go with --repeat and --check-determinism." : nil
  }

  /// What was given that is about playing.
  private var givenForRuns: [String] {
    GivenFlags.names([
      "--watch": watch, "--update": update, "--force": force, "--pending": pending != nil,
    ]) + repeating.given + limits.given + coverageOptions.given + reporterOptions.givenForRuns
  }
}
