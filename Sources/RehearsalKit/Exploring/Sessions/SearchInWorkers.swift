import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Script
import Staging
import Workers

/// Searches for a session in workers, where this process may have any: where it has just one thread, as those have that
/// play transcripts.
struct SearchInWorkers: SearchShelter {
  func told(
    _ search: SessionSearch,
    _ patience: (_ words: String?) -> SearchPatience
  ) -> SessionSearch.Told? {
    guard ProcessControl.isSingleThreaded else { return nil }
    // Whoever plays transcripts has a worker for each processor already.
    return Stage.withoutStage { search.toldByWorkers(count: 1) }
  }
}

extension SessionSearch {
  /// Searches in so many workers.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - whileWaiting: called again and again.
  ///   - tell: told in words how far it has come.
  /// - Returns: what was found; nil where no worker can be started.
  /// - Precondition: this process has one thread.
  func toldByWorkers(
    count: Int,
    whileWaiting: @escaping () -> Void = {},
    tell: @escaping (String) -> Void = { _ in }
  ) -> Told? {
    let scenes = ThisProgram.current.scenes
    let script = SearchedScript(source: .session(self), scenes: scenes, allowed: allowed)
    let (plan, limits) = (search.plan, WorkerLimits())
    let stop = SearchStop(limitInMilliseconds: nil)
    guard let crew = SearchCrew(script, plan, jobs: count, limits) else { return nil }
    crew.whileWaiting = whileWaiting
    let orAll = search.strategy == nil
    let part = SearchPart(of: plan.seeds, nil, isOneOfSeveral: false)
    let budget = ShelteredSearch.mostRuns(of: plan, part, orAll: orAll)
    var progress = SearchProgress(until: stop, budget: budget)
    let sheltered = ShelteredSearch(crew, until: stop) { count in
      if let news = progress.news(count) { tell(news) }
    }
    var findings: Findings
    do throws(ExploredScript.Refusal) {
      findings = try sheltered.findings(plan, part, orAll: orAll)
    } catch {
      return Told(error)
    }
    if let problem = crew.problem {
      let why = SearchNote.noWorker(problem)
      return Told(text: "error: \(Self.name) cannot be explored, since \(why)", isGood: false)
    }
    sheltered.finish(&findings)
    tell(SearchProgress.shortening)
    sheltered.shorten(&findings, atMost: mostBehaviours)
    let wording = SearchTelling.Wording(
      name: Self.name,
      width: width,
      words: .ofShell,
      mostBehaviours: mostBehaviours,
      notes: ExplorationText.leftOut(schedules) + SearchNote.notes(findings, patience: nil)
        + SearchNote.kills(crew.kills)
    )
    let examples = sheltered.examples(findings)
    switch SearchTelling(script, findings, sheltered.crashes, examples, wording, limits).told() {
    case .success(let told): return Told(text: told.text, findings)
    case .failure(let problem): return Told(text: "error: \(problem.sentence)", isGood: false)
    }
  }
}

extension SessionSearch.Told {
  /// That the session cannot be explored.
  fileprivate init(_ refusal: ExploredScript.Refusal) {
    let command = refusal.command.printable(atMost: 200)
    let lines = ["error: \(SessionSearch.name) cannot be explored, for '\(command)'"]
    self.init(
      text: (lines + refusal.lines.map { "  " + $0 }).joined(separator: "\n"),
      isGood: false
    )
  }
}
