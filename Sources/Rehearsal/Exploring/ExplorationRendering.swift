import Exploring
import Harness
package import LibC
package import RehearsalBase
import Timelines
import Workers

/// The findings of a search as lines of text.
package struct RenderedExploration: Codable {
  /// A counterexample as a transcript.
  package struct Transcript: Codable {
    /// The name of its file, without extension.
    package let name: String
    package let text: String
    /// Pictures of the table of its steps; empty if none is wanted.
    package let tables: [TablePicture]
    /// Files that it reads, and that a replay would not find from its folder.
    package let filesElsewhere: [String]
    /// Whether its failure is the violation of a built-in check. This prints nothing, so a replay passes.
    package let passesInReplay: Bool
  }

  /// A picture of the table of a counterexample's steps.
  package struct TablePicture: Codable {
    /// The ending of its file: `svg`.
    package let ending: String
    package let text: String
  }

  package let lines: [OutputLine]
  package let transcripts: [Transcript]

  /// Renders findings. Repeats runs of the script.
  ///
  /// - Parameters:
  ///   - findings: the findings.
  ///   - script: the script.
  ///   - examples: a counterexample for each failure, in their order.
  ///   - wording: the context of the text.
  ///   - folder: the folder for counterexamples as transcripts; nil if they are not saved.
  init(
    _ findings: Findings,
    of script: ExploredScript,
    _ examples: [ExploredScript.Counterexample],
    _ wording: ExplorationWording,
    savedIn folder: String? = nil
  ) {
    let explained = examples.map { ($0, $0.explanation) }
    lines = ExplorationText(script, findings, wording).lines(explained)
    guard let folder else {
      transcripts = []
      return
    }
    transcripts = zip(findings.failures, explained).map { failure, explained in
      let (example, explanation) = explained
      let text = CounterexampleText(
        file: wording.name,
        width: 80,
        showsTable: wording.showsTable
      )
      let tables = wording.showsTable ? text.tables(of: example) : nil
      let isOfBuiltInCheck = if case .builtIn = failure.check { true } else { false }
      return Transcript(
        name: CounterexampleText.fileName(of: failure.rule),
        text: text.transcript(of: example, explanation),
        tables: tables.map {
          [
            TablePicture(ending: "html", text: $0.html),
            TablePicture(ending: "svg", text: $0.svg),
          ]
        } ?? [],
        filesElsewhere: CounterexampleText.filesElsewhere(of: example, keptIn: folder),
        passesInReplay: isOfBuiltInCheck
      )
    }
  }
}

/// Why the findings of a search cannot be rendered.
package enum RenderingProblem: Error {
  case endsEachProcess
  /// The system did not start a process for a worker.
  case noWorker(SystemError?)
}

/// Renders the findings of a search. This repeats runs, so a worker does it. A run that crashes the
/// worker is shown as it was found.
final class ExplorationRendering {
  private let script: SearchedScript
  private let limits: WorkerLimits
  private var crashes: [Schedule: RunCrash]
  private var examples: [ShortScript]

  /// - Parameters:
  ///   - exploration: the search.
  ///   - examples: a counterexample for each failure.
  init(_ exploration: ScriptExploration, _ examples: [ShortScript] = []) {
    script = exploration.executor.subject
    limits = exploration.limits
    crashes = exploration.executor.crashes
    self.examples = examples
  }

  private struct Request: Codable {}

  private struct Answer<Value: Codable & Sendable>: Codable, Sendable {
    let value: Value?
  }

  /// Maximum number of workers that crash, and of workers that other programs kill.
  private static let (mostCrashes, mostKills) = (100, 5)

  /// Renders the findings as text.
  func rendered(
    _ findings: Findings,
    _ wording: ExplorationWording,
    savedIn folder: String?
  ) -> Result<RenderedExploration, RenderingProblem> {
    result { [self] progress in
      guard let (script, examples) = repeated(progress) else { return nil }
      return RenderedExploration(findings, of: script, examples, wording, savedIn: folder)
    }
  }

  /// Returns why the runs of the whole script fail; empty if no worker can find out.
  func explanations(_ failures: [Findings.Failure]) -> [FailureExplanation] {
    let explanations: Result<[FailureExplanation], RenderingProblem> = result { [self] progress in
      guard let (script, _) = repeated(progress) else { return nil }
      return failures.map { failure in
        guard failure.outcome.generated != nil else { return script.explanation(failure.schedule) }
        let (commands, schedule) = failure.written(script.commands, perform: script.replay)
        return script.with(commands).explanation(schedule)
      }
    }
    return (try? explanations.get()) ?? []
  }

  /// Returns the result of work in a worker. Work that returns nil cannot be done in any worker.
  private func result<Value: Codable & Sendable>(
    _ work: @escaping (RunProgress) -> Value?
  ) -> Result<Value, RenderingProblem> {
    var limits = limits
    limits.asksLateWork = true
    let pool = WorkerPool<Request, Answer<Value>>(
      count: 1,
      limits: limits,
      noteSize: RunProgress.size
    ) { context in
      Stage.answerLateWork()
      return { _, _ in Answer(value: work(RunProgress(context))) }
    }
    guard let pool else { return .failure(.noWorker(nil)) }
    var kills = 0
    for _ in 0..<Self.mostCrashes {
      switch pool.answer(to: Request()) {
      case .answer(let answer):
        return answer.value.map { .success($0) } ?? .failure(.endsEachProcess)
      case .news: break
      case .notStarted(let problem): return .failure(.noWorker(problem))
      case .ended(let end):
        let isUnclear = end.cause.isFromOutside || end.wasKilled && end.hasMovedOn
        if isUnclear, kills < Self.mostKills {
          kills += 1
          continue
        }
        note(end, RunProgress(pool.context(of: 0)))
      }
    }
    return .failure(.endsEachProcess)
  }

  private func note(_ end: WorkerEnd, _ progress: RunProgress) {
    let isExample = progress.run >= 0
    let commands = isExample ? examples[progress.run].commands : script.content
    let crash = script.crash(end, of: commands, progress)
    let schedule = Schedule(progress.choices.choices)
    if isExample {
      examples[progress.run].crashes[schedule] = crash
    } else {
      if schedule.isDefault { script.crashesByDefault = true }
      crashes[schedule] = crash
    }
  }

  // MARK: Inside the worker

  /// Returns the script and the counterexamples for the runs of a worker.
  private func repeated(
    _ progress: RunProgress
  ) -> (script: ExploredScript, examples: [ExploredScript.Counterexample])? {
    progress.keepsOutput = true
    guard var script = try? script.make(progress.numbered(-1)) else { return nil }
    script.crashes = crashes
    let shown = examples.enumerated().map { index, example in
      var part = script.with(example)
      part.setting.progress = progress.numbered(index)
      part.crashes = example.crashes
      return ExploredScript.Counterexample(
        script: part,
        schedule: example.schedule,
        violation: example.violation
      )
    }
    return (script, shown)
  }
}
