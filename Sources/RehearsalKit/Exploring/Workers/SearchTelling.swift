import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Script
import Workers

/// Puts into words what a search has found. Runs are performed again to be shown, so this is done in a worker, too; what
/// ends it is left as it was found.
final class SearchTelling {
  /// What is told beside what was found.
  struct Wording {
    /// What the script is called.
    var name: String
    /// How many columns there are.
    var width: Int
    /// How somebody asks for something else.
    var words: ExplorationText.Words
    /// How many behaviours are shown.
    var mostBehaviours: Int
    var notes: [String] = []
  }

  private let script: SearchedScript
  private let findings: Findings
  private let wording: Wording
  private let limits: WorkerLimits
  /// The folder in which failures are kept as transcripts; nil where they are not.
  private let kept: String?
  private var crashes: [Schedule: ExploredScript.Crash]
  private var examples: [ShelteredShrinking.Example]

  /// - Parameters:
  ///   - script: what was explored.
  ///   - findings: what was found.
  ///   - crashes: runs that end their process.
  ///   - examples: what is shown of each failure.
  ///   - wording: what else there is to say.
  ///   - limits: for the worker.
  ///   - kept: the folder in which failures are kept as transcripts; nil where they are not.
  init(
    _ script: SearchedScript,
    _ findings: Findings,
    _ crashes: [Schedule: ExploredScript.Crash],
    _ examples: [ShelteredShrinking.Example],
    _ wording: Wording,
    _ limits: WorkerLimits,
    keptIn kept: String? = nil
  ) {
    self.script = script
    self.findings = findings
    self.crashes = crashes
    self.examples = examples
    self.wording = wording
    self.limits = limits
    self.kept = kept
  }

  /// What there is to say, and what about the files that were kept; all of them, where none is missing.
  struct Told: Codable {
    var text: String
    var files = ""
    var isKept = true

    fileprivate init(_ text: String) { self.text = text }
  }

  private struct Request: Codable {}

  private struct Answer: Codable {
    let told: Told?
  }

  /// Why nothing can be told.
  enum Problem: Error {
    case endsEachProcess
    /// The system gives no process for a worker.
    case noWorker(FileProblem?)

    var sentence: String {
      switch self {
      case .endsEachProcess:
        "what was found cannot be shown, since the script ends each process that performs it"
      case .noWorker(let problem): SearchNote.noWorker(problem)
      }
    }
  }

  /// How many workers may be lost over it.
  private static let mostLosses = 100
  /// How many of them somebody else may kill.
  private static let mostKills = 5

  /// Tells it.
  ///
  /// - Returns: what there is to say, or why nothing can be told.
  func told() -> Result<Told, Problem> {
    let pool = WorkerPool<Request, Answer>(
      count: 1,
      limits: limits,
      noteSize: SearchNotes.size
    ) { [self] context in
      { _, _ in Answer(told: self.told(context)) }
    }
    guard let pool else { return .failure(.noWorker(nil)) }
    var kills = 0
    for _ in 0..<Self.mostLosses {
      switch pool.answer(to: Request()) {
      case .answer(let answer):
        return answer.told.map { .success($0) } ?? .failure(.endsEachProcess)
      case .news: break
      case .notStarted(let problem): return .failure(.noWorker(FileProblem(errno: problem.code)))
      case .ended(let end):
        let problem = TranscriptProblem(end.cause)
        if problem.isFromOutside, kills < Self.mostKills {
          kills += 1
          continue
        }
        note(SearchNotes(at: pool.context(of: 0).notes), problem, end.output)
      }
    }
    return .failure(.endsEachProcess)
  }

  private func note(_ notes: SearchNotes, _ problem: TranscriptProblem, _ written: [String]) {
    let commands = notes.run < 0 ? script.commands : examples[notes.run].short.commands
    let loss = notes.loss(problem, of: commands, written)
    let schedule = Schedule(notes.choices.choices)
    if notes.run < 0 {
      if schedule.isPlain { script.defaultCrashes = true }
      crashes[schedule] = loss
    } else {
      examples[notes.run].crashes[schedule] = loss
    }
  }

  // MARK: In the worker

  private func told(_ context: WorkerContext) -> Told? {
    let notes = SearchNotes(at: context.notes)
    notes.keepsOutput = true
    guard var script = try? script.make(notes.watch(context, run: -1)) else { return nil }
    script.crashes = crashes
    let shown = examples.enumerated().map { index, example in
      let watch = notes.watch(context, run: index)
      var part = script.with(example.short.commands, watch: watch)
      part.crashes = example.crashes
      return ExploredScript.Counterexample(
        script: part,
        schedule: example.short.schedule,
        failure: example.short.failure
      )
    }
    let text = ExplorationText(
      file: wording.name,
      script: script,
      findings: findings,
      width: wording.width,
      words: wording.words,
      mostBehaviours: wording.mostBehaviours,
      notes: wording.notes
    ).text(shown)
    var told = Told(text)
    for (failure, example) in zip(findings.failures, shown) { keep(example, of: failure, &told) }
    return told
  }

  /// Keeps a counterexample as a transcript: under another name than what is there already, unless that is the same.
  private func keep(
    _ example: ExploredScript.Counterexample,
    of failure: Findings.Failure,
    _ told: inout Told
  ) {
    guard let kept else { return }
    let text = CounterexampleText(file: wording.name, width: 80).transcript(of: example)
    let name = kept + "/" + CounterexampleText.fileName(of: failure.rule)
    for number in 1...Self.mostFiles {
      let path = name + (number == 1 ? "" : "-\(number)") + ".transcript"
      if let old = try? FileBytes.read(path) {
        guard old == Array(text.utf8) else { continue }
        told.files += "kept already: \(path.printable(atMost: 200))\n"
        return
      }
      do throws(ConversionFailure) {
        try NewTranscriptFile(path: path).write(Array(text.utf8))
        told.files += "kept: \(path.printable(atMost: 200))\n"
        for file in CounterexampleText.filesElsewhere(of: example, keptIn: kept) {
          let name = String(file.trimmingPrefix("./")).printable(atMost: 200)
          told.files += "note: it reads '\(name)', which it does not find from there\n"
        }
      } catch {
        told.files += error.text + "\n"
        told.isKept = false
      }
      return
    }
    told.files += "error: there are \(Self.mostFiles) files like '\(name.printable(atMost: 200))'\n"
    told.isKept = false
  }

  private static let mostFiles = 1_000
}
