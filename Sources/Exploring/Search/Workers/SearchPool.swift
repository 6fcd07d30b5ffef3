import LibC
import Workers

/// The workers of a search: requests, replies, time limits and restarts. A run that ends its process is performed once
/// more, to find out whether it always does.
final class SearchPool<Subject: SearchSubject> {
  typealias Request = SearchRequest<Subject.Content>
  typealias Answer = SearchAnswer<Subject.Refusal>

  /// The reply to a request.
  enum Reply {
    /// The findings of some runs, and the rest of their range.
    case found(Findings, rest: RunRange)
    /// Another answer.
    case answer(Answer)
    /// The worker ended during a run.
    case crashed(CrashedRun)
    /// The system could not start a process for a worker.
    case notStarted(SystemError)

    fileprivate var isHang: Bool { if case .crashed(let run) = self { run.isHang } else { false } }
  }

  /// A request without an answer.
  private struct Work {
    let request: Request
    /// How the process of the run ended, while the run is performed once more.
    var crash: CrashedRun?
    /// The number of workers that were killed from outside during the request, and the index of the
    /// run at the latest kill.
    var kills = 0
    var killedRun = -1
    /// The number of workers that began another step after their time limit.
    var lateMoves = 0
  }

  private let pool: WorkerPool<Request, Answer>
  let subject: Subject
  /// The number of runs in one request, as the requests so far suggest.
  var size = BatchSize()
  private var works: [Int: Work] = [:]
  /// The forecast that each worker process has received last.
  private var forecasts: [Int: RunForecast] = [:]
  /// The workers that the system could not start.
  private var missing: Set<Int> = []
  private var startProblem: SystemError?
  /// Number of workers that were killed from outside.
  private(set) var kills = 0
  /// Called repeatedly while waiting for replies.
  var whileWaiting: () -> Void = {}
  /// Runs of the search that exceeded the time limit. They are not performed again, because that
  /// takes long.
  private(set) var hangs: [Schedule: RunCrash] = [:]
  /// Runs that ended their process, but not when they were performed again.
  private(set) var nondeterministic: [Schedule: RunCrash] = [:]
  private var sent = SentOutcomes()

  init?(_ subject: Subject, _ plan: Exploration.Plan, jobs: Int, _ limits: WorkerLimits) {
    self.subject = subject
    var plan = plan
    // Only the whole search knows which behaviours are new.
    (plan.stopAfter, plan.until) = (nil, nil)
    var limits = limits
    limits.asksLateWork = true
    let pool = WorkerPool<Request, Answer>(
      count: jobs,
      limits: limits,
      noteSize: RunProgress.size
    ) { [plan] context in
      let worker = SearchWorker(context, plan, subject)
      return { request, _ in worker.answer(to: request) }
    }
    guard let pool else { return nil }
    self.pool = pool
  }

  var workers: Range<Int> { pool.workers }

  /// Returns whether a worker can accept a request.
  func isIdle(_ worker: Int) -> Bool { pool.isIdle(worker) && !missing.contains(worker) }

  /// The reason why no worker is left, if the system could not start any.
  var problem: SystemError? { missing.count == workers.count ? startProblem : nil }

  /// The longest time of a replay, in milliseconds.
  private var longestReplay = 0

  /// The time limit of a trial, in milliseconds; a trial that exceeds it is ignored.
  private var trialLimit: Int { max(1_000, 20 * longestReplay) }

  func ask(_ worker: Int, _ request: Request) {
    works[worker] = Work(request: request)
    send(request, to: worker)
  }

  private func send(_ request: Request, to worker: Int) {
    if !pool.hasProcess(worker) { forecasts[worker] = nil }
    pool.ask(
      worker,
      withoutKnownForecast(request, for: worker),
      withinMilliseconds: request.isTrial ? trialLimit : .max
    )
  }

  /// Returns a request for a worker. A search has no forecast if the worker has received the same one.
  private func withoutKnownForecast(_ request: Request, for worker: Int) -> Request {
    guard case .search(.seeds(let seeds, let forecast), let runs, let keeping) = request else {
      return request
    }
    if forecasts[worker] == forecast { return .searchOn(seeds, runs: runs, keeping: keeping) }
    forecasts[worker] = forecast
    return request
  }

  func stop(_ worker: Int, ignored: Bool) { pool.stop(worker, ignored: ignored) }

  /// Waits for a reply, up to a time limit; returns nil if there is none.
  func next(withinMilliseconds limit: Int) -> (worker: Int, reply: Reply)? {
    whileWaiting()
    guard let (worker, event) = pool.next(withinMilliseconds: limit) else { return nil }
    return reply(event, of: worker).map { (worker, $0) }
  }

  /// Sends a request to any worker, and waits for the reply. All other workers are idle.
  func reply(to request: Request) -> Reply {
    while workers.contains(where: { !pool.isIdle($0) }) { _ = next(withinMilliseconds: 1_000) }
    while let worker = workers.first(where: isIdle) {
      let reply = reply(to: request, of: worker)
      if case .notStarted = reply { continue }
      return reply
    }
    return .notStarted(startProblem ?? SystemError(code: 0))
  }

  private func reply(to request: Request, of worker: Int) -> Reply {
    let start = ProcessControl.milliseconds
    ask(worker, request)
    while true {
      guard let (_, reply) = next(withinMilliseconds: 1_000) else { continue }
      if case .replay = request, !reply.isHang {
        longestReplay = max(longestReplay, ProcessControl.milliseconds - start)
      }
      return reply
    }
  }

  /// Nil if the reply is not complete yet.
  private func reply(_ event: WorkerPool<Request, Answer>.Event, of worker: Int) -> Reply? {
    guard let work = works.removeValue(forKey: worker) else { return nil }
    switch event {
    case .news: preconditionFailure("A worker of a search sends answers only.")
    case .answer(let answer):
      guard var crash = work.crash else { return reply(answer, to: work.request) }
      crash.isRepeatable = false
      nondeterministic[crash.schedule] = crash.crash
      return .crashed(crash)
    case .notStarted(let problem):
      missing.insert(worker)
      startProblem = problem
      return work.crash.map(Reply.crashed) ?? .notStarted(problem)
    case .ended(let end):
      if let crash = work.crash { return .crashed(crash) }
      let crash = crash(work.request, end, RunProgress(pool.context(of: worker)))
      return triesAgain(work, crash, end, worker) ? nil : .crashed(crash)
    }
  }

  private func reply(_ answer: Answer, to request: Request) -> Reply {
    guard case .found(let part, let cursor) = answer else { return .answer(answer) }
    var findings = part.findings
    sent.restore(&findings)
    guard case .search(.seeds(let seeds, let forecast), _, _) = request else {
      return .found(findings, rest: .tree(cursor ?? SearchCursor()))
    }
    return .found(findings, rest: .seeds(seeds.dropFirst(findings.runs), forecast))
  }

  /// Maximum number of workers that may be killed during one request.
  private static var mostKills: Int { 5 }

  /// Performs a run again that ended its process, unless another program or a limit ended the
  /// process.
  ///
  /// - Returns: whether another reply will follow.
  private func triesAgain(
    _ work: Work,
    _ crash: CrashedRun,
    _ end: WorkerEnd,
    _ worker: Int
  ) -> Bool {
    var work = work
    let cause = end.cause
    if end.wasKilled, end.hasMovedOn {
      // The step that took too long is over, so the run did not exceed the limit by much.
      guard work.lateMoves < Self.mostKills else { return false }
      work.lateMoves += 1
      send(work.request, to: worker)
    } else if cause.isFromOutside {
      if work.killedRun == crash.run || work.kills == Self.mostKills {
        kills -= work.kills
        return false
      }
      kills += 1
      work.kills += 1
      work.killedRun = crash.run
      send(work.request, to: worker)
    } else {
      guard cause.isOwnEnd, work.request.repeatsCrash else { return false }
      work.crash = crash
      // Otherwise the worker would crash again before it performs this run.
      if crash.isBeforeRuns { subject.crashesByDefault = true }
      send(.replay(crash.schedule), to: worker)
    }
    works[worker] = work
    return true
  }

  private func crash(
    _ request: Request,
    _ end: WorkerEnd,
    _ progress: RunProgress
  ) -> CrashedRun {
    let choices = progress.choices
    let content = if case .perform(let other, _) = request { other } else { subject.content }
    let crash = subject.crash(end, of: content, progress)
    let isHang = if case .time = end.cause { true } else { false }
    if isHang, !request.isTrial { hangs[Schedule(choices.choices)] = crash }
    return CrashedRun(
      run: max(0, progress.run),
      replay: ReplayedRun(
        choices: choices.choices,
        counts: choices.counts,
        outcome: crash.outcome
      ),
      crash: crash,
      isHang: isHang,
      isBeforeRuns: progress.run < 0
    )
  }
}

/// A run that ended its process, or was running when the process ended.
struct CrashedRun {
  /// The index of the run in the request.
  let run: Int
  let replay: ReplayedRun
  let crash: RunCrash
  /// Whether it exceeded the time limit.
  let isHang: Bool
  /// Whether it was the run of the default schedule that each worker begins with.
  let isBeforeRuns: Bool
  /// Whether the run also ended its process when it was performed again. A run that exceeds the
  /// time or memory limit is not performed again.
  var isRepeatable = true

  var schedule: Schedule { Schedule(replay.choices) }
}

extension Findings {
  /// The findings of a run that ended its process. The run ends the search, unless the search `continues` after failures.
  init(_ crash: CrashedRun, isRandomised: Bool, continues: Bool) {
    var outcome = crash.replay.outcome
    if !crash.isRepeatable {
      outcome.inconclusive = outcome.failure.map { "\($0.rule), but not when the run was repeated" }
      outcome.failure = nil
      outcome.otherFailures = []
    }
    self.init(lost: outcome, choices: crash.replay.choices, isRandomised: isRandomised)
    if !crash.isRepeatable {
      nondeterministicSchedule = crash.schedule
      end = .nondeterministic
    } else if !continues {
      end = .failure
    }
  }
}
