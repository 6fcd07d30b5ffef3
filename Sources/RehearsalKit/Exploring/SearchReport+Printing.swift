import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Workers

/// Prints the report of a search as text or JSON, saves counterexamples, and decides the exit code.
extension SearchReport {
  /// Prints the findings.
  ///
  /// - Parameters:
  ///   - exploration: the search, which performs runs again to show them.
  ///   - folder: the folder for counterexamples, which are saved as transcripts; nil to save none.
  ///   - isJSON: whether to print JSON.
  ///   - painter: colours the text.
  ///   - willPrint: called when the text is ready.
  /// - Returns: the exit code.
  func print(
    _ exploration: ScriptExploration,
    savedIn folder: String? = nil,
    json isJSON: Bool,
    _ painter: OutputPainter,
    willPrint: () -> Void = {}
  ) -> Result<ProgramExit, SubcommandFailure> {
    if isJSON {
      var explained = self
      if !isPart { exploration.explain(&explained.findings) }
      StandardStreams.write(explained.json)
    }
    let isGood = isPart ? findings.isGoodAsPart : findings.isGood
    let exit: ProgramExit =
      isGood && !isInterrupted && failuresOfCorpus.isEmpty ? .success : .differences
    guard !isJSON || folder != nil else { return .success(exit) }
    let wording = ExplorationWording(
      name: Self.name(of: search.file),
      width: max(40, StandardStreams.columns),
      words: .ofProgram,
      mostBehaviours: mostBehaviours,
      showsTable: showsTable,
      notes: notes + SearchNote.kills(kills)
        + (isPart && !isFirst && findings.runs > 0 ? [SearchNote.laterPart] : []),
      isPart: isPart
    )
    let result = exploration.render(findings, wording, isShown: !isJSON, savedIn: folder)
    willPrint()
    let rendered: RenderedExploration
    do {
      rendered = try result.get()
    } catch {
      let sentence = SearchNote.sentence(error)
      return .failure(
        SubcommandFailure(sentence, hint: "--json prints the findings without runs", exit: .harness)
      )
    }
    if !isJSON { StandardStreams.write(rendered.lines.map { painter.paint($0) + "\n" }.joined()) }
    guard let folder else { return .success(exit) }
    let saved = rendered.saveTranscripts(in: folder)
    StandardStreams.write(saved.text, to: saved.areComplete && !isJSON ? .output : .error)
    return .success(saved.areComplete ? exit : .harness)
  }
}
