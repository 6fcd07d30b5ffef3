package import Workers

/// The progress of a worker of a search, in memory that outlives the worker.
package struct RunProgress: @unchecked Sendable {
  // The worker writes it on its only thread, and the search reads it after the worker has ended.
  private let base: UnsafeMutablePointer<Int>
  private let context: WorkerContext
  /// The decisions of the present run.
  package let choices: ChoiceNotes
  private let lines: NewestLines
  private let generatedLines: NewestLines
  private let modelLines: NewestLines
  /// The number that all runs share; nil if `begin(run:)` numbers them.
  private let fixedRun: Int?

  private static let headerSize = 3 * MemoryLayout<Int>.size
  // The system allocates this memory only when it is written.
  private static let linesSize = 1 << 21
  private static let generatedSize = 1 << 16
  private static let modelSize = 1 << 10
  package static let size =
    headerSize + linesSize + generatedSize + modelSize + ChoiceNotes.size

  /// - Parameters:
  ///   - context: the worker; its notes have at least `size` bytes.
  ///   - run: the number that all runs share; nil to number them.
  package init(_ context: WorkerContext, run: Int? = nil) {
    self.context = context
    fixedRun = run
    base = context.notes.assumingMemoryBound(to: Int.self)
    lines = NewestLines(at: context.notes + Self.headerSize, size: Self.linesSize)
    let generated = context.notes + Self.headerSize + Self.linesSize
    generatedLines = NewestLines(at: generated, size: Self.generatedSize)
    let model = generated + Self.generatedSize
    modelLines = NewestLines(at: model, size: Self.modelSize)
    choices = ChoiceNotes(at: model + Self.modelSize)
  }

  /// Returns the same progress for runs that share one number.
  package func numbered(_ run: Int) -> RunProgress { RunProgress(context, run: run) }

  /// Begins a run, whose decisions are noted during the run.
  package func begin(_ scheduler: SearchScheduler) {
    choices.begin()
    scheduler.notes = choices
    beginRun()
  }

  /// Begins a run by a schedule.
  package func begin(_ schedule: Schedule) {
    choices.begin(schedule)
    beginRun()
  }

  private func beginRun() {
    generatedLines.removeAll()
    modelLines.removeAll()
    if let fixedRun { begin(run: fixedRun) }
    context.beginStep()
  }

  /// Begins a step of the run, such as a command of a script.
  package func begin(step: Int) {
    base[1] = step
    if keepsOutput { lines.removeAll() }
  }

  /// Notes a line that the step has printed.
  package func add(_ line: String) {
    if keepsOutput { lines.append(line) }
  }

  /// Notes that decisions of the run have chosen a command; nil if they chose none.
  package func generate(_ command: String?, by decisions: Range<Int>) {
    generatedLines.append(GeneratedRun.line(command, by: decisions))
  }

  /// The generated commands of the run; nil if there are none, or too many to note.
  package var generated: GeneratedRun? {
    guard let lines = generatedLines.all, !lines.isEmpty else { return nil }
    return GeneratedRun(lines: lines)
  }

  /// Notes that a model is performed; nil after that.
  package func note(model text: String?) {
    modelLines.removeAll()
    if let text { modelLines.append(text) }
  }

  /// The model that was performed when the process ended.
  package var model: String? { modelLines.all?.first }

  /// The index of the current run in the request; -1 before the first one.
  package var run: Int { base[0] }
  package func begin(run: Int) { base[0] = run }

  /// The current step.
  package var step: Int { base[1] }

  /// Whether printed lines are noted; costs time.
  package var keepsOutput: Bool {
    get { base[2] != 0 }
    nonmutating set { base[2] = newValue ? 1 : 0 }
  }

  /// Returns the lines of the current step: all, or the last ones if there are too many; nil if
  /// they are not noted.
  package func output(atMost most: Int) -> [String]? {
    keepsOutput ? lines.all ?? lines.suffix(most) : nil
  }
}
