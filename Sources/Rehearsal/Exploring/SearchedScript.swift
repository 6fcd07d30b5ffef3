package import Exploring
import Harness
import RehearsalBase
import Script
package import Workers

/// A script that a search performs in workers. The process of the search performs nothing.
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
  package var crashesByDefault = false

  package init(_ source: Source, scenes: [Scene], disabled: Set<BuiltInCheck>) {
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
        progress: progress
      )
    case .session(let search): search.script(scenes, progress: progress)
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
      findings.readings = script.readings
    }
  }

  // MARK: Crashes

  /// Maximum number of lines of the process that are kept, without those that say why it crashed, and of lines of a
  /// command that printed too many.
  private static let mostLines = 10

  package func crash(
    _ end: WorkerEnd,
    of commands: [String],
    _ progress: RunProgress
  ) -> RunCrash {
    // Addresses are others in each process.
    let all = end.output.prefix { !$0.hasPrefix("Current stack trace") }
      .map { $0.printable(atMost: 400) }
    let written = all.enumerated()
      .filter { $0.offset < Self.mostLines || Self.isFatal($0.element) }.map(\.element)
    let ending = "error: \(end.cause.text)"
    let command = Self.command(at: progress.step, of: commands)
    // What the script prints on the way does not count.
    let outcome = RunOutcome(
      seen: [ending] + written.map { "the process wrote: \($0)" },
      counted: [],
      failure: Violation(
        .survives(command: command, end.cause),
        .ended(end.cause, fatal: written.filter(Self.isFatal))
      )
    )
    let output = progress.output(atMost: Self.mostLines).map { $0 + [ending] }
    return RunCrash(step: progress.step, outcome: outcome, output: output, written: written)
  }

  /// Whether a line that a process wrote says why it crashed.
  private static func isFatal(_ line: String) -> Bool { line.contains(ActualValue.fatalError) }

  /// Returns a command by its index. After the last command, time goes on until nothing is left to do.
  private static func command(at index: Int, of commands: [String]) -> String {
    commands.indices.contains(index) ? commands[index] : "settle"
  }

  package func refusal(_ crash: RunCrash, isRepeatable: Bool) -> ExploredScript.Refusal? {
    // Nothing is meant to fail in a script, so there it is a finding.
    if case .file(let file) = source, file.stopsAtFailure { return nil }
    let chance =
      "note: when it was done again it did not: something in it is left to real chance"
    return ExploredScript.Refusal(
      command: Self.command(at: crash.step, of: content),
      lines: crash.outcome.seen + (isRepeatable ? [] : [chance])
    )
  }
}
