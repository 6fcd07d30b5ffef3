#if canImport(Testing)
internal import CCrashNotice
import Workers
import Exploring
import Harness
import Synchronization
import Testing
import LibC

/// An executor that runs a search on threads that may crash: on the current thread until a run crashes, then each replay
/// on a new thread.
final class ThreadExecutor: SearchExecutor, @unchecked Sendable {
  // The thread of the search uses it until it ends or crashes, then the thread that has waited for it.

  /// Maximum number of crashed threads. A thread with a stack overflow counts as 8.
  private static let mostCrashes = 32
  /// The line of the first search in this process whose crashed thread holds an actor or a lock.
  private static let firstPlace = Mutex<String?>(nil)
  /// The time limit of a run, as `PlayClock` counts. A run may wait for a lock of a crashed thread.
  private static let limitInMilliseconds = 5_000

  private struct Known {
    let run: ReplayedRun
    let notes: [String]
    var hasCrashed = false

    /// The check that the run violates.
    func violatedCheck(inRun number: Int) -> Findings.ViolatedCheck {
      Findings.ViolatedCheck(
        run.outcome.failure?.check ?? .noCrash,
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
  /// The crashed run of the search.
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
    _ plan: Exploration.Plan,
    after found: Findings,
    length: Int,
    while continues: (Findings) -> Bool
  ) -> Findings {
    search.search(plan, after: found, length: length, while: continues)
  }

  func replay(_ schedule: Schedule) -> ReplayedRun {
    first == nil ? search.replay(schedule) : play(schedule)?.run ?? .unknown
  }

  /// Returns the notes of a run by a schedule; nil if unknown.
  func notes(by schedule: Schedule) -> [String]? {
    first == nil ? player.notes(by: schedule) : play(schedule)?.notes
  }

  /// Returns the findings of a search that has ended with a crash. Failures are not shortened.
  ///
  /// - Parameters:
  ///   - search: the parameters of the search.
  ///   - signal: the signal of the crash.
  /// - Returns: the findings, with the crash as a failure.
  func findings(of search: ScenarioSearch, crashedBy signal: Int32) -> Findings {
    let crash = crash(of: player, signal)
    first = crash
    let progress = player.notice.progress.withLock(\.self)
    if var found = progress.found {
      found.add(crash.violatedCheck(inRun: found.runs))
      return found
    }
    let isInOrder = search.strategy == nil && progress.inOrder == 0
    var findings = Findings(lost: crash.run.outcome, choices: crash.run.choices)
    findings.runs = progress.runs + 1
    findings.runsInOrder = progress.inOrder
    findings.isInOrder = search.strategy == .exhaustive || isInOrder
    findings.end = .failure
    return findings
  }

  /// Returns further lines about a failure.
  func remarks(on failure: Findings.Failure) -> [String] {
    guard known[failure.schedule]?.hasCrashed ?? isFound(failure.schedule) else { return [] }
    var remarks = ["the replay ends the tests, and shows the line of the crash"]
    if hasWaited {
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
    try? FileBytes.write(Array(words.utf8), to: 2)
    ccn_exit(1)
  }

  /// Runs a schedule, or returns its known result; nil if it can no longer run.
  private func play(_ schedule: Schedule) -> Known? {
    if let known = known[schedule] { return known }
    guard crashCount < Self.mostCrashes, !hasWaited else { return found(by: schedule) }
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
    case .crash(let signal):
      let crash = crash(of: player, signal)
      known[schedule] = crash
      known[Schedule(crash.run.choices)] = crash
      return crash
    case .late:
      hasWaited = true
      // Another run may hang for another reason.
      keepsOthersWaiting = isFound(schedule)
      return found(by: schedule)
    case .result(.failure): return found(by: schedule)
    }
  }

  private func isFound(_ schedule: Schedule) -> Bool {
    first.map { Schedule($0.run.choices) == schedule } ?? false
  }

  /// Returns the crashed run of the search, if this is its schedule.
  private func found(by schedule: Schedule) -> Known? { isFound(schedule) ? first : nil }

  /// Returns the result of a crashed run.
  private func crash(of player: ScenarioPlayer, _ signal: Int32) -> Known {
    let isOverflow = signal == SIGSEGV || signal == SIGBUS
    crashCount += isOverflow ? 8 : 1
    let cause: WorkerEnd.Cause = isOverflow ? .stackOverflow : .signal(Int(signal))
    let notes = player.latestNotes
    let choices = player.notice.choices
    return Known(
      run: ReplayedRun(
        choices: choices.choices,
        counts: choices.counts,
        outcome: RunOutcome(seen: notes, failure: violation(of: player, cause))
      ),
      notes: notes,
      hasCrashed: true
    )
  }

  /// Returns the first violation of a crashed run.
  private func violation(of player: ScenarioPlayer, _ cause: WorkerEnd.Cause) -> Violation {
    guard var first = player.latestFailure else { return Violation(.noCrash, .crashed(cause)) }
    first.crash = cause
    return first
  }
}
#endif
