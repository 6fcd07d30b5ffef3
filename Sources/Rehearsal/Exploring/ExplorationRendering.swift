import Exploring
import Harness
package import LibC
package import RehearsalBase
import Workers

/// The findings of a search as lines of text.
package struct RenderedExploration: Codable {
  /// A counterexample as a transcript.
  package struct Transcript: Codable {
    /// The name of its file, without extension.
    package let name: String
    package let text: String
    /// Files that it reads, and that a replay would not find from its folder.
    package let filesElsewhere: [String]
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
    lines = ExplorationText(script, findings, wording).lines(examples)
    guard let folder else {
      transcripts = []
      return
    }
    transcripts = zip(findings.failures, examples).map { failure, example in
      Transcript(
        name: CounterexampleText.fileName(of: failure.rule),
        text: CounterexampleText(file: wording.name, width: 80).transcript(of: example),
        filesElsewhere: CounterexampleText.filesElsewhere(of: example, keptIn: folder)
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
  private let findings: Findings
  private let wording: ExplorationWording
  private let limits: WorkerLimits
  private let folder: String?
  private var crashes: [Schedule: RunCrash]
  private var examples: [ShortScript]

  init(
    _ exploration: ScriptExploration,
    _ findings: Findings,
    _ examples: [ShortScript],
    _ wording: ExplorationWording,
    savedIn folder: String?
  ) {
    script = exploration.executor.subject
    limits = exploration.limits
    crashes = exploration.executor.crashes
    self.findings = findings
    self.examples = examples
    self.wording = wording
    self.folder = folder
  }

  private struct Request: Codable {}

  private struct Answer: Codable {
    let rendered: RenderedExploration?
  }

  /// Maximum number of workers that crash, and of workers that other programs kill.
  private static let (mostCrashes, mostKills) = (100, 5)

  func rendered() -> Result<RenderedExploration, RenderingProblem> {
    let pool = WorkerPool<Request, Answer>(
      count: 1,
      limits: limits,
      noteSize: RunProgress.size
    ) { [self] context in
      { _, _ in Answer(rendered: self.rendered(RunProgress(context))) }
    }
    guard let pool else { return .failure(.noWorker(nil)) }
    var kills = 0
    for _ in 0..<Self.mostCrashes {
      switch pool.answer(to: Request()) {
      case .answer(let answer):
        return answer.rendered.map { .success($0) } ?? .failure(.endsEachProcess)
      case .news: break
      case .notStarted(let problem): return .failure(.noWorker(problem))
      case .ended(let end):
        if end.cause.isFromOutside, kills < Self.mostKills {
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

  private func rendered(_ progress: RunProgress) -> RenderedExploration? {
    progress.keepsOutput = true
    guard var script = try? script.make(progress.numbered(-1)) else { return nil }
    script.crashes = crashes
    let shown = examples.enumerated().map { index, example in
      var part = script.with(example.commands, progress: progress.numbered(index))
      part.crashes = example.crashes
      return ExploredScript.Counterexample(
        script: part,
        schedule: example.schedule,
        violation: example.violation
      )
    }
    return RenderedExploration(findings, of: script, shown, wording, savedIn: folder)
  }
}
