import Exploring
import Harness
import Rehearsal

/// Tells what a search has found. Runs are performed again to be shown, and scripts to be made shorter, so this is done
/// in a worker, too; what ends it is left as it was found.
final class SearchTelling {
  private let script: SearchedScript
  private let report: SearchReport
  private let limits: WorkerCrew.Limits
  private var losses: [Schedule: ExploredScript.Loss]
  /// Failures whose scripts cannot be made shorter.
  private var unshortened: Set<Int> = []

  /// - Parameters:
  ///   - script: what was explored.
  ///   - report: what was found.
  ///   - losses: runs that end their process.
  ///   - limits: for the worker.
  init(
    _ script: SearchedScript,
    _ report: SearchReport,
    _ losses: [Schedule: ExploredScript.Loss],
    _ limits: WorkerCrew.Limits
  ) {
    self.script = script
    self.report = report
    self.losses = losses
    self.limits = limits
  }

  /// Prints it.
  ///
  /// - Returns: how the program ends.
  func tell(json: Bool, _ painter: OutputPainter) -> Result<ProgramExit, HarFailure> {
    if json {
      StandardStreams.write(report.json)
    } else {
      guard let text = text() else {
        let failure = HarFailure(
          "what was found cannot be shown, since the script ends each process that performs it",
          hint: "--json tells it without",
          exit: .harness
        )
        return .failure(failure)
      }
      StandardStreams.write(painter.paint(lines: text))
    }
    return .success(report.findings.isGood ? .success : .differences)
  }

  /// How many workers may be lost over it.
  private static let mostLosses = 100

  /// The text; nil where it cannot be told.
  private func text() -> String? {
    let service: WorkerCrew.Service = { [self] desk in
      { _ in Array((self.text(desk) ?? "").utf8) }
    }
    guard
      let crew = WorkerCrew(count: 1, limits: limits, noteSize: SearchNotes.size, service: service)
    else { return nil }
    for _ in 0..<Self.mostLosses {
      switch crew.answer(to: []) {
      case .answer(let bytes): return String(decoding: bytes, as: UTF8.self)
      case .lost(let problem, let written):
        note(SearchNotes(at: crew.desk(0).notes), problem, written)
      }
    }
    return nil
  }

  private func note(_ notes: SearchNotes, _ problem: TranscriptProblem, _ written: [String]) {
    if notes.run >= 0 {
      unshortened.insert(notes.run)
      return
    }
    let command =
      script.commands.indices.contains(notes.command)
      ? script.commands[notes.command] : "settle"
    losses[Schedule(notes.choices.choices)] = .init(
      command: notes.command,
      outcome: RunOutcome(loss: problem, in: command, written)
    )
  }

  // MARK: In the worker

  private func text(_ desk: CrewDesk) -> String? {
    let notes = SearchNotes(at: desk.notes)
    notes.begin(run: -1)
    guard var script = try? script.make(notes.watch(desk)) else { return nil }
    script.losses = losses
    let examples = report.findings.failures.enumerated().map { index, failure in
      notes.begin(run: index)
      return example(of: failure, script, canShorten: !unshortened.contains(index))
    }
    notes.begin(run: -1)
    return ExplorationText(
      file: report.search.file,
      script: script,
      findings: report.findings,
      width: 80,
      allow: "--allow",
      notes: report.notes
    ).text(examples)
  }

  private func example(
    of failure: Findings.Failure,
    _ script: ExploredScript,
    canShorten: Bool
  ) -> ExploredScript.Counterexample {
    let known = failure.outcome.failure ?? RunFailure(rule: failure.rule, what: "")
    if canShorten, !script.isLoss(failure.rule) {
      return script.counterexample(failure.schedule, known)
    }
    return .init(script: script, schedule: failure.schedule, failure: known)
  }
}
