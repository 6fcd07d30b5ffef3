import Exploring
import Harness
import Rehearsal

/// Tells what a search has found. Runs are performed again to be shown, and scripts to be made shorter, so this is done
/// in a worker, too; what ends it is left as it was found.
final class SearchTelling {
  private let script: SearchedScript
  private let findings: Findings
  private let tell: (ExploredScript, [ExploredScript.Counterexample]) -> String
  private var losses: [Schedule: ExploredScript.Loss]
  /// Failures whose scripts cannot be made shorter.
  private var unshortened: Set<Int> = []

  /// - Parameters:
  ///   - script: what was explored.
  ///   - findings: what was found.
  ///   - losses: runs that end their process.
  ///   - tell: makes a text of the script and what is shown of each failure.
  init(
    _ script: SearchedScript,
    _ findings: Findings,
    _ losses: [Schedule: ExploredScript.Loss],
    _ tell: @escaping (ExploredScript, [ExploredScript.Counterexample]) -> String
  ) {
    self.script = script
    self.findings = findings
    self.losses = losses
    self.tell = tell
  }

  /// How many workers may be lost over it.
  private static let mostLosses = 100

  /// The text; nil where it cannot be told.
  func text(_ limits: WorkerCrew.Limits) -> String? {
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
    let examples = findings.failures.enumerated().map { index, failure in
      notes.begin(run: index)
      return example(of: failure, script, canShorten: !unshortened.contains(index))
    }
    notes.begin(run: -1)
    return tell(script, examples)
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
