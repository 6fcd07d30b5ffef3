package import Exploring
import Harness
import RehearsalBase
import Script
package import Workers

/// A script that a search performs in workers: how a worker makes it, and how a crash is described. The process of the
/// search does not run it.
package final class SearchedScript: SearchSubject {
  package enum Source {
    case file(Playable)
    /// The commands of a session.
    case session(SessionSearch)
  }

  private let source: Source
  private let scenes: [Scene]
  /// The disabled built-in checks.
  package let disabled: Set<BuiltInCheck>
  /// Maximum number of commands that a run generates after those of the file; nil to generate none.
  package let mostGenerated: Int?
  package var crashesByDefault = false

  package init(
    _ source: Source,
    scenes: [Scene],
    disabled: Set<BuiltInCheck>,
    generating mostGenerated: Int? = nil
  ) {
    self.mostGenerated = mostGenerated
    self.source = source
    self.scenes = scenes
    self.disabled = disabled
  }

  package var content: [String] {
    switch source {
    case .file(let file): ExploredScript.commands(of: file)
    case .session(let search): search.commands
    }
  }

  /// Makes the script, and performs it once.
  ///
  /// - Throws: `Refusal` if it cannot be explored.
  func make(_ progress: RunProgress) throws(ExploredScript.Refusal) -> ExploredScript {
    switch source {
    case .file(let file):
      try ExploredScript(
        file,
        scenes: scenes,
        disabling: disabled,
        defaultCrashes: crashesByDefault,
        generating: mostGenerated,
        progress: progress
      )
    case .session(let search): try search.script(scenes, progress: progress)
    }
  }

  package func makeRuns(
    _ progress: RunProgress
  ) throws(ExploredScript.Refusal) -> SearchRuns<[String]> {
    let script = try make(progress)
    return SearchRuns(play: script.play, perform: script.replay) { findings in
      findings.isEndless = script.isEndless
      findings.ignored = script.ignored
      findings.schedulesLeftOut = script.schedulesLeftOut
      findings.notesOfDefault = script.notes
      findings.readings = script.readings
    }
  }

  // MARK: Crashes

  /// Maximum number of lines of the process that are kept, in addition to those with the reason of
  /// the crash, and of lines of a command that printed too many.
  private static let mostLines = 10

  package func crash(
    _ end: WorkerEnd,
    of commands: [String],
    _ progress: RunProgress
  ) -> RunCrash {
    // Addresses differ between processes.
    let all = end.output.prefix { !$0.hasPrefix("Current stack trace") }
      .map { $0.printable(atMost: 400) }
    let written = all.enumerated()
      .filter { $0.offset < Self.mostLines || Self.isFatal($0.element) }.map(\.element)
    let ending = "error: \(end.cause.text)"
    let model = progress.model.map { [$0] } ?? []
    let notes = model + written.map { "the process wrote: \($0)" }
    let generated = progress.generated
    let performed = commands + (generated?.commands ?? [])
    let command = Self.command(at: progress.step, of: performed)
    // The output of the script before the crash is not part of the signature.
    var outcome = RunOutcome(
      seen: [ending] + notes,
      counted: [],
      failure: Violation(
        .survives(command: command, end.cause),
        .ended(end.cause, fatal: written.filter(Self.isFatal) + model, activity: end.activity)
      )
    )
    outcome.generated = generated
    let output = progress.output(atMost: Self.mostLines).map { $0 + [ending] }
    return RunCrash(
      step: progress.step,
      outcome: outcome,
      output: output,
      notes: notes + end.activity.map { $0.printable(atMost: 400) }
    )
  }

  /// Whether a line that the process wrote has the reason of the crash.
  private static func isFatal(_ line: String) -> Bool { line.contains(ActualValue.fatalError) }

  /// Returns a command by its index. After the last command, the run settles.
  private static func command(at index: Int, of commands: [String]) -> String {
    commands.indices.contains(index) ? commands[index] : "settle"
  }

  package func refusal(_ crash: RunCrash, isRepeatable: Bool) -> ExploredScript.Refusal? {
    // In a script every failure counts, so the crash is a finding.
    if case .file(let file) = source, file.stopsAtFailure { return nil }
    let hint =
      "note: nondeterministic: it did not crash when it ran again; look for state that outlives a run, another thread, or memory addresses"
    return ExploredScript.Refusal(
      command: Self.command(at: crash.step, of: content),
      lines: crash.outcome.seen + (isRepeatable ? [] : [hint])
    )
  }
}
