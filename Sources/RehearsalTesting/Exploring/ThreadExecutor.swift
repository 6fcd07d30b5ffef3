#if canImport(Testing)
internal import CCrashNotice
import Workers
import Exploring
import Harness
import Synchronization
import Testing
import LibC

/// Performs the runs of a search on threads that may crash: on the present one until its run crashes, and after that each
/// replay on another one.
final class ThreadExecutor: SearchExecutor, @unchecked Sendable {
  // The thread of the search uses it until it ends or crashes, and then the thread that has waited for that.

  /// Maximum number of threads that are left as they are; one that has used all of its stack counts for several.
  private static let mostCrashes = 32
  /// Where something has crashed first in this process that holds what others wait for.
  private static let firstPlace = Mutex<String?>(nil)
  /// The time that a run may take, as `PlayClock` counts it: the run may wait for what a crashed thread holds.
  private static let limitInMilliseconds = 5_000

  private struct Known {
    let run: ReplayedRun
    let notes: [String]
    var hasCrashed = false

    /// The rule that it breaks.
    func breach(inRun number: Int) -> Findings.ViolatedCheck {
      Findings.ViolatedCheck(
        run.outcome.failure?.check ?? .noCrash,
        count: 1,
        schedule: Schedule(run.choices),
        nearest: number
      )
    }
  }

  /// Plays the search.
  let player: ScenarioPlayer
  private let makePlayer: () -> ScenarioPlayer
  private let limitInMilliseconds: Int
  private let search: InProcessExecutor
  private var known: [Schedule: Known] = [:]
  /// The run of the search that has crashed.
  private var first: Known?
  private var crashCount = 0
  /// Whether a run has waited, as for what a crashed thread holds.
  private var hasWaited = false
  /// Whether the run that has crashed keeps its thread when it is performed again, as others would.
  private(set) var keepsOthersWaiting = false

  /// - Parameters:
  ///   - limitInMilliseconds: the time that a run may take, as `PlayClock` counts it.
  ///   - makePlayer: makes a player that may crash.
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

  /// Returns what was noted in a run by a schedule; nil if that is not known.
  func notes(by schedule: Schedule) -> [String]? {
    first == nil ? player.notes(by: schedule) : play(schedule)?.notes
  }

  /// Returns the findings of a search that has ended with a crash. Failures are not shortened.
  ///
  /// - Parameters:
  ///   - search: what was asked of it.
  ///   - signal: by which its thread has crashed.
  /// - Returns: the crash as a failure.
  func findings(of search: ScenarioSearch, crashedBy signal: Int32) -> Findings {
    let crash = crash(of: player, signal)
    first = crash
    let progress = player.notice.progress.withLock(\.self)
    if var found = progress.found {
      found.add(crash.breach(inRun: found.runs))
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

  /// What there is to say beside a failure.
  func remarks(on failure: Findings.Failure) -> [String] {
    guard known[failure.schedule]?.hasCrashed ?? isFound(failure.schedule) else { return [] }
    var remarks = ["which ends the tests, and shows where in the code it is"]
    if hasWaited {
      remarks.append(
        "it may be longer than need be: a run waits, as for a lock or an actor that the crash holds"
      )
    } else if crashCount >= Self.mostCrashes {
      remarks.append("it may be longer than need be: that took too many crashes")
    }
    return remarks
  }

  /// What there is to say where a scenario waits for ever; nil where nothing that crashed holds anything.
  static var remarkOnWaiting: String? {
    firstPlace.withLock(\.self).map {
      "perhaps for an actor: a run of what is explored at \($0) has crashed, and holds one"
    }
  }

  /// Ends the process, in which others would wait for ever.
  static func endTests(at location: SourceLocation) -> Never {
    let words = """
      error: the tests end here, since they would wait for ever: for a lock, or a value that is made once, which \
      the crash holds of what is explored at \(RunNotice.place(of: location))\n
      """
    try? FileBytes.write(Array(words.utf8), to: 2)
    ccn_exit(1)
  }

  /// What is known of a run; nil where it cannot be done, or not any more.
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
      // Another may be one that hangs by itself.
      keepsOthersWaiting = isFound(schedule)
      return found(by: schedule)
    case .result(.failure): return found(by: schedule)
    }
  }

  private func isFound(_ schedule: Schedule) -> Bool {
    first.map { Schedule($0.run.choices) == schedule } ?? false
  }

  /// The run that was found, if this is its schedule.
  private func found(by schedule: Schedule) -> Known? { isFound(schedule) ? first : nil }

  /// What is known of a run that has crashed.
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

  /// The violation of a run that has crashed: the first one.
  private func violation(of player: ScenarioPlayer, _ cause: WorkerEnd.Cause) -> Violation {
    guard var first = player.latestFailure else { return Violation(.noCrash, .crashed(cause)) }
    first.crash = cause
    return first
  }
}
#endif
