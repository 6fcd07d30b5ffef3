import Staging
import Workers

/// A worker of a search in its own process: performs the runs of each request, and answers it.
final class SearchWorker<Subject: SearchSubject> {
  private let progress: RunProgress
  private let context: WorkerContext
  private let plan: Exploration.Plan
  private let subject: Subject
  private var runs: SearchRuns<Subject.Content>?
  private var sent = SentOutcomes()
  /// The forecast of the latest search.
  private var forecast = RunForecast(length: 0)

  init(_ context: WorkerContext, _ plan: Exploration.Plan, _ subject: Subject) {
    self.context = context
    self.plan = plan
    self.subject = subject
    progress = RunProgress(context)
    Stage.answerLateWork()
  }

  func answer(
    to request: SearchRequest<Subject.Content>
  ) -> SearchAnswer<Subject.Refusal> {
    do throws(Subject.Refusal) {
      return answer(to: request, try readyRuns())
    } catch {
      return .refused(error)
    }
  }

  private func readyRuns() throws(Subject.Refusal) -> SearchRuns<Subject.Content> {
    if let runs { return runs }
    progress.begin(run: -1)
    let made = try subject.makeRuns(progress)
    runs = made
    return made
  }

  private func answer(
    to request: SearchRequest<Subject.Content>,
    _ runs: SearchRuns<Subject.Content>
  ) -> SearchAnswer<Subject.Refusal> {
    progress.begin(run: 0)
    let executor = InProcessExecutor(runs.play)
    switch request {
    case .defaultSchedule:
      progress.keepsOutput = false
      var found = executor.runDefaultSchedule(plan)
      runs.complete(&found)
      return answer(found, nil, keeping: true)
    case .search(let range, let count, let keeping):
      if case .seeds(_, let forecast) = range { self.forecast = forecast }
      return search(range, runs: count, keeping: keeping, in: executor)
    case .searchOn(let seeds, let count, let keeping):
      return search(.seeds(seeds, forecast), runs: count, keeping: keeping, in: executor)
    case .replay(let schedule):
      progress.keepsOutput = true
      return .replayed(executor.replay(schedule))
    case .repeatRuns(let schedules):
      progress.keepsOutput = false
      let outcomes = schedules.enumerated().map { index, schedule in
        progress.begin(run: index)
        return runs.play(ReplayScheduler(schedule))
      }
      return .repeated(outcomes)
    case .perform(let content, let schedule):
      progress.keepsOutput = true
      return .replayed(runs.perform(content, schedule))
    }
  }

  private func search(
    _ range: RunRange,
    runs: Int,
    keeping: Bool,
    in executor: InProcessExecutor
  ) -> SearchAnswer<Subject.Refusal> {
    progress.keepsOutput = false
    let (findings, rest) = executor.search(range, runs: runs, plan, after: Findings()) {
      [progress, context] in
      progress.begin(run: $0.runs)
      return !context.isStopped
    }
    let cursor: SearchCursor? = if case .tree(let cursor) = rest { cursor } else { nil }
    return answer(findings, cursor, keeping: keeping)
  }

  private func answer(
    _ findings: Findings,
    _ rest: SearchCursor?,
    keeping: Bool
  ) -> SearchAnswer<Subject.Refusal> {
    var findings = findings
    sent.removeKnown(from: &findings, keeping: keeping)
    return .found(SentFindings(findings), rest)
  }
}
