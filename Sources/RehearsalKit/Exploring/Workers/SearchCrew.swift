import Exploring
import Harness
import Rehearsal
import Script
import Workers

/// The workers of a search, asked in its words.
final class SearchCrew {
  /// What came of a request.
  enum Reply {
    case answer(SearchAnswer)
    /// The worker was lost in one of the runs.
    case lost(LostRun)
    /// The system gave no process for a worker.
    case notStarted(SystemError)

    fileprivate var isHang: Bool { if case .lost(let loss) = self { loss.isHang } else { false } }
  }

  /// A run that ended its process, or was ended with it.
  struct LostRun {
    /// Which of the runs that were asked for, counted from 0.
    let run: Int
    let replay: ReplayedRun
    /// What is known of it.
    let loss: ExploredScript.Crash
    /// Whether it was ended, since it took too long.
    let isHang: Bool
    /// Whether it was the run in the default schedule that each worker begins with.
    let isWhileMaking: Bool
    /// Whether it ended another process as well, where it was done again; what it did to the machine's time or memory
    /// is not tried twice.
    var isSteady = true
  }

  /// What a worker was asked and has not answered.
  private struct Work {
    let request: SearchRequest
    /// How its process ended, while that is tried once more.
    var loss: LostRun?
    /// How many workers were killed over it, and the run that the latest was doing.
    var kills = 0
    var killedRun = -1
  }

  private let pool: WorkerPool<SearchRequest, SearchAnswer>
  let script: SearchedScript
  let commands: [String]
  private var works: [Int: Work] = [:]
  /// Seats for which the system gives no process.
  private var emptySeats: Set<Int> = []
  private var startProblem: SystemError?
  /// How many workers somebody else has killed.
  private(set) var kills = 0
  /// Called again and again until replies are there.
  var whileWaiting: () -> Void = {}
  /// Runs of the search that took longer than they may: it takes time to do them again.
  private(set) var hangs: [Schedule: ExploredScript.Crash] = [:]
  /// Runs that ended their process, and did not when they were done again.
  private(set) var unsteady: [Schedule: ExploredScript.Crash] = [:]
  private var sent = SentOutcomes()

  /// - Parameters:
  ///   - script: what is performed.
  ///   - plan: what is to be searched.
  ///   - jobs: how many workers.
  ///   - limits: for each of them.
  init?(
    _ script: SearchedScript,
    _ plan: Exploration.Plan,
    jobs: Int,
    _ limits: WorkerLimits
  ) {
    self.script = script
    commands = script.commands
    var plan = plan
    plan.patience = nil  // What is new only the whole search knows.
    let pool = WorkerPool<SearchRequest, SearchAnswer>(
      count: jobs,
      limits: limits,
      noteSize: SearchNotes.size
    ) { [plan] context in
      let member = SearchMember(context, plan) { watch throws(ExploredScript.Refusal) in
        try script.make(watch)
      }
      return { request, _ in member.answer(to: request) }
    }
    guard let pool else { return nil }
    self.pool = pool
  }

  var seats: Range<Int> { pool.workers }

  /// Whether a worker could take a request there.
  func isIdle(_ seat: Int) -> Bool { pool.isIdle(seat) && !emptySeats.contains(seat) }

  /// Why no worker is left, if the system gave no process for any.
  var problem: FileProblem? {
    emptySeats.count == seats.count ? startProblem.map { FileProblem(errno: $0.code) } : nil
  }

  /// How long the slowest run has taken that was done again by itself, in milliseconds.
  private var longestReplay = 0

  /// How long a trial may take, in milliseconds: of one that hangs there is nothing to learn.
  private var trialLimit: Int { max(1_000, 20 * longestReplay) }

  func ask(_ seat: Int, _ request: SearchRequest) {
    works[seat] = Work(request: request)
    send(request, to: seat)
  }

  private func send(_ request: SearchRequest, to seat: Int) {
    pool.ask(seat, request, withinMilliseconds: request.isTrial ? trialLimit : .max)
  }

  func stop(_ seat: Int, forgetting: Bool) { pool.stop(seat, ignored: forgetting) }

  /// Waits for a reply, for so long at most; nil where there is none.
  func next(withinMilliseconds limit: Int) -> (seat: Int, reply: Reply)? {
    whileWaiting()
    guard let (seat, event) = pool.next(withinMilliseconds: limit) else { return nil }
    return reply(event, of: seat).map { (seat, $0) }
  }

  /// Asks, and waits for the reply. All others are idle.
  func reply(to request: SearchRequest) -> Reply {
    while seats.contains(where: { !pool.isIdle($0) }) { _ = next(withinMilliseconds: 1_000) }
    while let seat = seats.first(where: isIdle) {
      let reply = reply(to: request, of: seat)
      if case .notStarted = reply { continue }
      return reply
    }
    return .notStarted(startProblem ?? SystemError(code: 0))
  }

  private func reply(to request: SearchRequest, of seat: Int) -> Reply {
    let start = ProcessControl.milliseconds
    ask(seat, request)
    while true {
      guard let (_, reply) = next(withinMilliseconds: 1_000) else { continue }
      if case .replay = request, !reply.isHang {
        longestReplay = max(longestReplay, ProcessControl.milliseconds - start)
      }
      return reply
    }
  }

  /// Nil where it is not known yet.
  private func reply(
    _ event: WorkerPool<SearchRequest, SearchAnswer>.Event,
    of seat: Int
  ) -> Reply? {
    guard let work = works.removeValue(forKey: seat) else { return nil }
    switch event {
    case .news: preconditionFailure("A worker of a search sends answers only.")
    case .answer(var answer):
      if case .found(var findings, let place) = answer {
        sent.restore(&findings)
        answer = .found(findings, place)
      }
      return work.loss.map { .lost(unsteady($0)) } ?? .answer(answer)
    case .notStarted(let problem):
      emptySeats.insert(seat)
      startProblem = problem
      return work.loss.map(Reply.lost) ?? .notStarted(problem)
    case .ended(let end):
      if let loss = work.loss { return .lost(loss) }
      let problem = TranscriptProblem(end.cause)
      let notes = SearchNotes(at: pool.context(of: seat).notes)
      let loss = lostRun(work.request, problem, end.output, notes)
      return tryAgain(work, loss, problem, seat) ? nil : .lost(loss)
    }
  }

  /// So many workers may be killed over one request.
  private static let mostKills = 5

  /// Does a run once more that has ended its process, unless it is known whose doing that was.
  ///
  /// - Returns: whether there will be another reply.
  private func tryAgain(
    _ work: Work,
    _ loss: LostRun,
    _ problem: TranscriptProblem,
    _ seat: Int
  ) -> Bool {
    var work = work
    if problem.isFromOutside {
      if work.killedRun == loss.run || work.kills == Self.mostKills {
        kills -= work.kills
        return false
      }
      kills += 1
      work.kills += 1
      work.killedRun = loss.run
      send(work.request, to: seat)
    } else {
      guard problem.isOwnEnd, !work.request.isTrial else { return false }
      work.loss = loss
      // Else the worker would crash again before it does the run.
      if loss.isWhileMaking { script.defaultCrashes = true }
      send(.replay(Schedule(loss.replay.choices)), to: seat)
    }
    works[seat] = work
    return true
  }

  private func unsteady(_ loss: LostRun) -> LostRun {
    var loss = loss
    loss.isSteady = false
    unsteady[Schedule(loss.replay.choices)] = loss.loss
    return loss
  }

  private func lostRun(
    _ request: SearchRequest,
    _ problem: TranscriptProblem,
    _ written: [String],
    _ notes: SearchNotes
  ) -> LostRun {
    let choices = notes.choices
    let commands = if case .perform(let others, _) = request { others } else { commands }
    let loss = notes.loss(problem, of: commands, written)
    let isHang = if case .slow = problem { true } else { false }
    if isHang, !request.isTrial { hangs[Schedule(choices.choices)] = loss }
    return LostRun(
      run: max(0, notes.run),
      replay: ReplayedRun(choices: choices.choices, counts: choices.counts, outcome: loss.outcome),
      loss: loss,
      isHang: isHang,
      isWhileMaking: notes.run < 0
    )
  }
}

extension Findings {
  /// What a run has come to that ended its process, and whether it ends the search, which `goesOn` behind failures.
  init(_ loss: SearchCrew.LostRun, goesOn: Bool) {
    var outcome = loss.replay.outcome
    if !loss.isSteady {
      outcome.inconclusive = outcome.failure.map { "\($0.rule), and not when it was done again" }
      outcome.failure = nil
      outcome.otherFailures = []
    }
    self.init(lost: outcome, choices: loss.replay.choices)
    if !loss.isSteady {
      unsteady = Schedule(loss.replay.choices)
      end = .unsteady
    } else if !goesOn {
      end = .failure
    }
  }
}
