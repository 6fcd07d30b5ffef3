import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Script
import Staging
import Workers

/// A search for a session in workers. It needs a process with one thread, such as one that plays transcripts.
struct SearchInWorkers: IsolatedSearch {
  func rendered(
    _ search: SessionSearch,
    _ control: (_ words: String?) -> SearchControl
  ) -> SessionSearch.Rendered? {
    guard ProcessControl.isSingleThreaded else { return nil }
    // One worker, because there is already a process like this one for each processor.
    return Stage.withoutStage { search.inWorkers(count: 1) }
  }
}

extension SessionSearch {
  /// Searches in workers.
  ///
  /// - Parameters:
  ///   - count: the number of workers.
  ///   - whileWaiting: called repeatedly.
  ///   - report: called with text about the progress.
  /// - Returns: the findings as text; nil if no worker can be started.
  /// - Precondition: this process has one thread.
  func inWorkers(
    count: Int,
    whileWaiting: @escaping () -> Void = {},
    report: @escaping (String) -> Void = { _ in }
  ) -> Rendered? {
    let scenes = ThisProgram.current.scenes
    let stop = SearchStop(limitInMilliseconds: nil) { RealTime.now }
    let exploration = ScriptExploration(
      SearchedScript(
        .session(self),
        scenes: scenes,
        disabled: disabled,
        generating: mostGenerated
      ),
      plan,
      orAll: orAll,
      jobs: count,
      WorkerLimits(),
      until: stop
    )
    guard let exploration else { return nil }
    exploration.executor.whileWaiting = whileWaiting
    var progress = SearchProgress(until: stop, budget: exploration.mostRuns)
    var findings: Findings
    do throws(ExploredScript.Refusal) {
      findings = try exploration.search { findings in
        if let news = progress.news(findings) { report(news) }
      }
    } catch {
      return Rendered(error)
    }
    if let problem = exploration.executor.problem {
      return .error("cannot explore \(Self.name): \(SearchNote.noWorker(problem))")
    }
    exploration.finish(&findings)
    report(SearchProgress.shrinkingNote)
    let notes =
      ExplorationText.notes(ofDefault: findings)
      + ExplorationText.limits(of: findings, until: plan.until, stopAfter: plan.stopAfter)
      + SearchNote.notes(findings, stopAfter: nil) + SearchNote.kills(exploration.executor.kills)
    switch exploration.render(findings, wording(notes: notes)) {
    case .success(let rendered): return Rendered(lines: rendered.lines, findings)
    case .failure(let problem): return .error(SearchNote.sentence(problem))
    }
  }
}

extension SessionSearch.Rendered {
  fileprivate static func error(_ sentence: String) -> Self {
    .init(lines: [.error(sentence)], isGood: false)
  }
}
