import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Script
import Workers

/// What is known of a worker of a search when it is gone.
struct SearchNotes: @unchecked Sendable {
  // Written by the worker, on its one thread, and read when it is gone.
  private let base: UnsafeMutablePointer<Int>
  let choices: ChoiceNotes
  private let lines: NewestLines

  private static let headerSize = 3 * MemoryLayout<Int>.size
  // The system gives memory only where something is written.
  private static let linesSize = 1 << 21
  static let size = headerSize + linesSize + ChoiceNotes.size

  init(at base: UnsafeMutableRawPointer) {
    self.base = base.assumingMemoryBound(to: Int.self)
    lines = NewestLines(at: base + Self.headerSize, size: Self.linesSize)
    choices = ChoiceNotes(at: base + Self.headerSize + Self.linesSize)
  }

  /// Notes the runs of a script, each with a number where there is one for it.
  func watch(_ context: WorkerContext, run: Int? = nil) -> ExploredScript.Watch {
    ExploredScript.Watch { decisions in
      if let run { begin(run: run) }
      choices.begin()
      decisions.notes = choices
      context.beginStep()
    } willRehearse: { schedule in
      if let run { begin(run: run) }
      choices.begin(schedule)
      context.beginStep()
    } willPerform: {
      base[1] = $0
      if keepsOutput { lines.removeAll() }
    } hasPrinted: {
      if keepsOutput { lines.append($0) }
    }
  }

  /// Which run of the request it was doing, counted from 0; -1 while it got ready.
  var run: Int { base[0] }

  /// Which command it was performing.
  var command: Int { base[1] }

  func begin(run: Int) { base[0] = run }

  /// Whether it is noted what commands print; it takes time.
  var keepsOutput: Bool {
    get { base[2] != 0 }
    nonmutating set { base[2] = newValue ? 1 : 0 }
  }

  /// How the run has ended that was under way, told for good.
  ///
  /// - Parameters:
  ///   - problem: what ended the process.
  ///   - commands: what was performed.
  ///   - written: what the process wrote to its standard streams.
  /// - Returns: what is known of the run.
  func loss(
    _ problem: TranscriptProblem,
    of commands: [String],
    _ written: [String]
  ) -> ExploredScript.Crash {
    // Addresses are others in each process.
    let all = written.prefix { !$0.hasPrefix("Current stack trace") }
      .map { $0.printable(atMost: 400) }
    let written = all.enumerated()
      .filter { $0.offset < Self.mostLines || RunOutcome.isFatal($0.element) }.map(\.element)
    let outcome = RunOutcome(loss: problem, in: commands.command(at: command), written)
    let ending = problem.ending ?? "error: " + problem.sentence
    let output = keepsOutput ? (lines.all ?? lines.suffix(Self.mostLines)) + [ending] : nil
    return .init(command: command, outcome: outcome, output: output, written: written)
  }

  /// So many of the lines that a process wrote are told, beside what says why it crashed; and so many of those of a
  /// command that printed too many.
  private static let mostLines = 10
}

extension [String] {
  /// The command at a place of a script. Behind the last one time goes on until nothing is left to do.
  func command(at place: Int) -> String { indices.contains(place) ? self[place] : "settle" }
}

extension RunOutcome {
  /// Whether a line that a process wrote says why it crashed.
  fileprivate static func isFatal(_ line: String) -> Bool { line.contains("Fatal error") }

  /// What a run came to that ended its process.
  fileprivate init(loss problem: TranscriptProblem, in command: String, _ written: [String]) {
    let ending = problem.ending ?? "error: " + problem.sentence
    // What the script prints on the way is another matter.
    let what = [ending] + written.filter(Self.isFatal)
    self.init(
      seen: [ending] + written.map { "the process wrote: \($0)" },
      counted: [],
      failure: Violation(
        rule: "'\(command)' \(ending.trimmingPrefix("error: "))",
        what: what.joined(separator: "\n")
      )
    )
  }
}
