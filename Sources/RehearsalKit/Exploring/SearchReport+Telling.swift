import Exploring
import Harness
import Rehearsal
import Workers

extension SearchReport {
  /// Prints what was found.
  ///
  /// - Parameters:
  ///   - script: what was explored.
  ///   - search: who has found it.
  ///   - limits: for the worker that does runs again to show them.
  ///   - kept: the folder in which failures are kept as transcripts; nil where they are not.
  ///   - isJSON: whether it is for programs.
  ///   - painter: who paints it.
  ///   - willPrint: called when all is known, and made short.
  /// - Returns: how the program ends.
  func tell(
    _ script: SearchedScript,
    _ search: ShelteredSearch,
    _ limits: WorkerLimits,
    keptIn kept: String? = nil,
    json isJSON: Bool,
    _ painter: OutputPainter,
    willPrint: () -> Void = {}
  ) -> Result<ProgramExit, SubcommandFailure> {
    if isJSON { StandardStreams.write(json) }
    let exit: ProgramExit = findings.isGood ? .success : .differences
    guard !isJSON || kept != nil else { return .success(exit) }
    let wording = SearchTelling.Wording(
      name: SearchedScript.name(of: self.search.file),
      width: max(40, StandardStreams.columns),
      words: .ofProgram,
      mostBehaviours: mostBehaviours,
      notes: notes + SearchNote.kills(kills)
        + (isPart && !isFirst && findings.runs > 0 ? [SearchNote.laterPart] : [])
    )
    var shown = findings
    if !isJSON { search.shorten(&shown, atMost: mostBehaviours) }
    let telling = SearchTelling(
      script,
      shown,
      search.crashes,
      search.examples(findings),
      wording,
      limits,
      keptIn: kept
    )
    let result = telling.told()
    willPrint()
    let told: SearchTelling.Told
    do {
      told = try result.get()
    } catch {
      return .failure(
        SubcommandFailure(error.sentence, hint: "--json tells it without", exit: .harness)
      )
    }
    if !isJSON { StandardStreams.write(painter.paint(lines: told.text)) }
    StandardStreams.write(told.files, to: told.isKept && !isJSON ? .output : .error)
    return .success(told.isKept ? exit : .harness)
  }
}
