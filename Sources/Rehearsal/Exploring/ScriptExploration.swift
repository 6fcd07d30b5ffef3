package import Exploring
package import Workers

/// The exploration of a script in workers: the search, shrinking, and rendering.
package struct ScriptExploration {
  package let executor: WorkerExecutor<SearchedScript>
  let stop: SearchStop
  let limits: WorkerLimits
  private let exploration: Exploration
  private let orAll: Bool

  /// Creates the exploration; nil if this process cannot have workers.
  ///
  /// - Parameters:
  ///   - script: the script.
  ///   - plan: the settings that all parts of the search share.
  ///   - part: the part that this process searches; nil for the whole search.
  ///   - orAll: whether systematic runs alternate with the others.
  ///   - jobs: the number of workers.
  ///   - limits: the limits of each worker.
  ///   - stop: when the search ends early.
  package init?(
    _ script: SearchedScript,
    _ plan: Exploration.Plan,
    part: SearchPart? = nil,
    orAll: Bool,
    jobs: Int,
    _ limits: WorkerLimits,
    until stop: SearchStop
  ) {
    guard let executor = WorkerExecutor(script, plan, jobs: jobs, limits) else { return nil }
    self.executor = executor
    self.stop = stop
    self.limits = limits
    self.orAll = orAll
    exploration = Exploration(plan, part: part, in: executor)
  }

  /// Maximum number of runs.
  package var mostRuns: Int { exploration.mostRuns(orAll: orAll) }

  /// Searches, without shrinking the failures.
  ///
  /// - Parameter report: receives the findings so far, many times per second.
  /// - Returns: the findings.
  /// - Throws: `Refusal` if the script cannot be explored.
  package func search(
    _ report: (Findings) -> Void
  ) throws(ExploredScript.Refusal) -> Findings {
    let findings = exploration.search(orAll: orAll) { findings in
      report(findings)
      return !stop.isDue
    }
    if let refusal = executor.refusal { throw refusal }
    return findings
  }

  /// Shortens the schedules of failures, repeats one run of each group, and notes the files that have changed.
  package func finish(_ findings: inout Findings) {
    exploration.finish(&findings, while: stop.whileShortening())
    // A path that is escaped is not that of the file.
    let files = findings.readings.filter { !$0.key.contains("\\") }
    let changed = files.filter { ExploredScript.digest(ofFile: $0.key) != $0.value }.keys.sorted()
    findings.changedFiles += changed.filter { !findings.changedFiles.contains($0) }
  }

  /// Renders the findings as text, with counterexamples.
  ///
  /// - Parameters:
  ///   - findings: the findings.
  ///   - wording: the context of the text.
  ///   - isShown: whether the text is shown, so that the schedules in it are shortened.
  ///   - folder: the folder for counterexamples as transcripts; nil if they are not saved.
  /// - Returns: the text, or why there is none.
  package func render(
    _ findings: Findings,
    _ wording: ExplorationWording,
    isShown: Bool = true,
    savedIn folder: String? = nil
  ) -> Result<RenderedExploration, RenderingProblem> {
    var shown = findings
    // Generated sessions are not listed as behaviours.
    if isShown, executor.subject.mostGenerated == nil {
      exploration.shorten(&shown, atMost: wording.mostBehaviours) {
        StopSignals.caught == nil && !stop.isDueForShortening
      }
    }
    let examples = counterexamples(findings)
    return ExplorationRendering(self, examples).rendered(shown, wording, savedIn: folder)
  }
}
