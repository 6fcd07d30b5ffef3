import Exploring
import Script
import Staging

extension Session {
  /// Performs all that the session was told, in other orders, and prints what was found.
  ///
  /// - Parameters:
  ///   - search: which orders.
  ///   - allowed: what is not judged.
  ///   - mostBehaviours: how many behaviours are shown.
  /// - Throws: where there is nothing to perform, or not all of it is kept.
  func explore(
    _ search: ScriptSearch,
    allowing allowed: Set<Invariant>,
    showing mostBehaviours: Int
  ) throws(Diagnostic) {
    let verb = 0..<"explore".utf8.count
    guard decisions == nil || following != nil else {
      throw Diagnostic(.misfit("this session is one of those that are explored"), at: verb)
    }
    if let missing = log.missing { throw Diagnostic(.misfit(missing), at: verb) }
    let commands = log.entries.dropLast().filter(\.isExplored).map(\.command)
      .filter { !ExploredScript.isSchedule($0) }
    guard !commands.isEmpty else {
      throw Diagnostic(.misfit("nothing was done yet that could come in another order"), at: verb)
    }
    let (stage, scenes, folder, progress) = (stage, scenes, files.origin ?? ".", progress)
    let width = width - 2
    let (text, fails) = Stage.withoutStage {
      let script = ExploredScript(commands, inFolder: folder, scenes: scenes, allowing: allowed)
      let goesOn = { (_: Findings) in
        stage.answerKnock()
        progress.count()
        return !stage.isInterrupted
      }
      let findings = progress.whileCounting(to: search.mostRuns, of: "run") {
        search.findings(while: goesOn, script.play)
      }
      let examples = script.counterexamples(findings)
      let text = ExplorationText(
        file: "the session",
        script: script,
        findings: findings,
        width: width,
        words: .ofShell,
        mostBehaviours: mostBehaviours
      ).text(examples)
      return (text, !findings.isGood)
    }
    for line in text.split(separator: "\n") { emit(String(line)) }
    try driveWhatIsReady()  // This is what Ctrl-C interrupts.
    if fails { hasFailed = true }
  }
}

extension SessionLog.Entry {
  /// Whether it is worth being performed in each run: it changed something, let time pass, or judged.
  fileprivate var isExplored: Bool {
    switch kind {
    case .comment: false
    case .option, .pause: true
    case .command: effect == .changed || effect == .looked && letsTimePass
    }
  }
}

extension Findings {
  /// Whether nothing is wrong, as far as was seen.
  package var isGood: Bool { failures.isEmpty && !isNondeterministic }
}
