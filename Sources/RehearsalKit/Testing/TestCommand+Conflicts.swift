import Rehearsal

/// Decides which flags of `test` exclude each other or have no effect, and has the errors.
extension TestCommand {
  /// An error about flags that exclude each other; nil if there are none. No flag is ignored.
  var conflict: String? {
    if selection.list, let flag = givenForRuns.first {
      return "--list replays nothing, so \(flag) has no effect; remove one of them"
    }
    if force, !update { return "--force needs --update" }
    if watch, update {
      return "--watch and --update exclude each other: unfinished edits would be accepted"
    }
    if watch, coverageOptions.chosen != nil {
      return "--watch replays only some transcripts, and coverage needs all"
    }
    if selection.shard != nil, coverageOptions.coverageThreshold != nil {
      return Self.thresholdOfPart
    }
    if repeating.checkDeterminism, coverageOptions.chosen != nil {
      return "--check-determinism counts no transitions; measure coverage in another run"
    }
    if limits.failFast, repeating.knownFlaky != nil {
      return "--fail-fast would end the run at a failure that --known-flaky allows"
    }
    if update, repeating.isOn, repeating.knownFlaky == nil {
      return
        "--update with --repeat or --check-determinism needs --known-flaky, whose list it shortens"
    }
    return pendingConflict
  }

  /// The error about a shard with a threshold.
  static let thresholdOfPart =
    "--coverage-threshold needs the whole run: give it to 'report', with the reports of all shards."

  private var pendingConflict: String? {
    guard let pending else { return nil }
    if Folder.realPath(pending) != nil, !Folder.isFolder(pending) {
      return "--pending takes a folder, and '\(pending)' is not one"
    }
    if noPending { return "--pending and --no-pending exclude each other" }
    if update { return "--update leaves no pending results; remove --pending" }
    return repeating.isOn ? "--pending excludes --repeat and --check-determinism" : nil
  }

  /// The given flags that only apply to played transcripts.
  private var givenForRuns: [String] {
    GivenFlags.names([
      "--watch": watch, "--update": update, "--force": force, "--pending": pending != nil,
    ]) + repeating.given + limits.given + coverageOptions.given + reporterOptions.givenForRuns
  }
}
