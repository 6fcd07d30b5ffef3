#if canImport(Testing)
internal import CCrashNotice
import Workers
import Exploring
import LibC
import Synchronization
import Testing

/// An executor that runs a search on threads that may crash: on the current thread until a run crashes, then each replay
/// on a new thread.
final class ThreadExecutor: SearchExecutor, @unchecked Sendable {
  // The thread of the search uses it until it ends or crashes, then the thread that has waited for it.

  /// Maximum number of stopped threads. A thread with a stack overflow counts as 8.
  private static let mostCrashes = 32
  /// The line of the first search in this process whose crashed thread holds an actor or a lock.
  private static let firstPlace = Mutex<String?>(nil)
  /// The time limit of a run, as `PlayClock` counts. A run may wait for a lock of a crashed thread.
  private static let limitInMilliseconds = 5_000

  private struct Known {
    let run: ReplayedRun
    let notes: [String]
    var stop: RunStop?

    /// The check that the run violates.
    func violatedCheck(inRun number: Int) -> Findings.ViolatedCheck {
      Findings.ViolatedCheck(
        run.outcome.failure?.check ?? stop?.violation.check ?? .noCrash,
        count: 1,
        schedule: Schedule(run.choices),
        nearest: number
      )
    }
  }

  /// The player of the search.
  let player: ScenarioPlayer
  private let makePlayer: () -> ScenarioPlayer
  private let limitInMilliseconds: Int
  private let search: InProcessExecutor
  private var known: [Schedule: Known] = [:]
  /// The stopped run of the search.
  private var first: Known?
  private var crashCount = 0
  /// Whether a run has reached the time limit, probably because it waits for a lock of a crashed thread.
  private var hasWaited = false
  /// Whether the crashed run blocks its thread when it runs again. Then other tests would also wait forever.
  private(set) var keepsOthersWaiting = false

  /// - Parameters:
  ///   - limitInMilliseconds: the time limit of a run, as `PlayClock` counts.
  ///   - makePlayer: creates a player that may crash.
  init(
    limitInMilliseconds: Int = limitInMilliseconds,
    _ makePlayer: @escaping () -> ScenarioPlayer
  ) {
    self.limitInMilliseconds = limitInMilliseconds
    self.makePlayer = makePlayer
    let player = makePlayer()
    self.player = player
    search = InProcessExecutor(player.play)
  }

  func runDefaultSchedule(_ plan: Exploration.Plan) -> Findings { search.runDefaultSchedule(plan) }

  func search(
    _ range: RunRange,
    runs: Int,
    _ plan: Exploration.Plan,
    after found: consuming Findings,
    while continues: (Findings) -> Bool
  ) -> (findings: Findings, rest: RunRange) {
    search.search(range, runs: runs, plan, after: consume found, while: continues)
  }

  func replay(_ schedule: Schedule) -> ReplayedRun {
    first == nil ? search.replay(schedule) : play(schedule)?.run ?? .unknown
  }

  /// Returns the notes of a run by a schedule; nil if unknown.
  func notes(by schedule: Schedule) -> [String]? {
    first == nil ? player.notes(by: schedule) : play(schedule)?.notes
  }

  /// Returns a picture of a run by a schedule after a run was stopped, and of the nearest run that passes; nil if it cannot
  /// run again.
  func picture(of schedule: Schedule) -> RunPicture? {
    RunPicture(of: schedule) { schedule in
      guard mayRun else { return nil }
      // The thread of the run uses it until it ends or is stopped.
      nonisolated(unsafe) let scheduler = TracingScheduler(schedule)
      let player = makePlayer()
      let thread = RunThread(player.notice) {
        try await player.catchingIssues { player.play(scheduler).passes }
      }
      let passes: Bool
      switch thread.wait(milliseconds: limitInMilliseconds) {
      case .result(.success(let result)): passes = result
      case .result(.failure): return nil
      case .stopped(.late):
        hasWaited = true
        return nil
      case .stopped(let stop):
        _ = stopped(player, by: stop)
        passes = false
      }
      return RunPicture.Run(scheduler, notes: player.latestNoteInstants, passes: passes)
    }
  }

  /// Whether a run may be performed that may be stopped, too.
  private var mayRun: Bool {
    crashCount < Self.mostCrashes && !hasWaited && first?.stop?.isSlow != true
  }

  /// Returns the findings of a search whose thread was stopped. Failures are not shortened.
  ///
  /// - Parameters:
  ///   - search: the parameters of the search.
  ///   - stop: why the thread was stopped.
  /// - Returns: the findings, with the stopped run as a failure.
  func findings(of search: ScenarioSearch, stoppedBy stop: RunStop) -> Findings {
    let stopped = stopped(player, by: stop)
    first = stopped
    let progress = player.notice.progress.withLock(\.self)
    if var found = progress.found {
      found.add(stopped.violatedCheck(inRun: found.runs))
      return found
    }
    var findings = Findings(
      lost: stopped.run.outcome,
      choices: stopped.run.choices,
      isRandomised: false
    )
    findings.runs = progress.runs + 1
    findings.runsInOrder = progress.inOrder
    findings.isInOrder = search.strategy == .exhaustive || progress.runs == progress.inOrder
    findings.isLastRunSystematic = progress.isInOrder
    findings.end = .failure
    return findings
  }

  /// Returns further lines about a failure.
  func remarks(on failure: Findings.Failure) -> [String] {
    let known = known[failure.schedule] ?? (isFound(failure.schedule) ? first : nil)
    guard let stop = known?.stop else { return [] }
    var remarks: [String] = []
    if stop.crash != nil {
      remarks.append("the replay ends the tests, and shows the line of the crash")
    }
    if stop.isSlow {
      remarks.append("the schedule may not be minimal: a run that never ends takes long")
    } else if hasWaited {
      remarks.append(
        "the schedule may not be minimal: a run waits, probably for a lock or an actor of the crashed run"
      )
    } else if crashCount >= Self.mostCrashes {
      remarks.append("the schedule may not be minimal: shrinking took too many crashes")
    }
    return remarks
  }

  /// A remark about a scenario that waits forever; nil if no crashed thread holds an actor or a lock.
  static var remarkOnWaiting: String? {
    firstPlace.withLock(\.self).map {
      "perhaps it waits for an actor of the crashed run of 'explore' at \($0)"
    }
  }

  /// Ends the process, because other tests would wait forever.
  static func endTests(at place: String) -> Never {
    let words = """
      error: the tests end here, because they would wait forever for a lock or a lazy global value of the crashed run \
      of 'explore' at \(place)\n
      """
    try? Descriptor.write(Array(words.utf8), to: 2)
    ccn_exit(1)
  }

  /// Runs a schedule, or returns its known result; nil if it can no longer run.
  private func play(_ schedule: Schedule) -> Known? {
    if let known = known[schedule] { return known }
    guard mayRun else { return found(by: schedule) }
    let player = makePlayer()
    let thread = RunThread(player.notice) {
      try await player.catchingIssues {
        ReplayedRun(schedule, player.play)
      }
    }
    switch thread.wait(milliseconds: limitInMilliseconds) {
    case .result(.success(let run))
    where isFound(schedule) && run.outcome.failure?.check == .returns:
      hasWaited = true
      Self.firstPlace.withLock { $0 = $0 ?? player.notice.place }
      return first
    case .result(.success(let run)):
      let known = Known(run: run, notes: player.latestNotes)
      if schedule.isDefault || isFound(schedule) { self.known[schedule] = known }
      return known
    case .stopped(.late):
      hasWaited = true
      // Another run may hang for another reason.
      keepsOthersWaiting = isFound(schedule)
      return found(by: schedule)
    case .stopped(let stop):
      let stopped = stopped(player, by: stop)
      known[schedule] = stopped
      known[Schedule(stopped.run.choices)] = stopped
      return stopped
    case .result(.failure): return found(by: schedule)
    }
  }

  private func isFound(_ schedule: Schedule) -> Bool {
    first.map { Schedule($0.run.choices) == schedule } ?? false
  }

  /// Returns the crashed run of the search, if this is its schedule.
  private func found(by schedule: Schedule) -> Known? { isFound(schedule) ? first : nil }

  /// Returns the result of a stopped run.
  private func stopped(_ player: ScenarioPlayer, by stop: RunStop) -> Known {
    crashCount += stop.isOverflow ? 8 : 1
    let notes = player.latestNotes
    let choices = player.notice.choices
    return Known(
      run: ReplayedRun(
        choices: choices.choices,
        counts: choices.counts,
        outcome: RunOutcome(seen: notes, failure: player.violation(by: stop))
      ),
      notes: notes,
      stop: stop
    )
  }
}
#endif
