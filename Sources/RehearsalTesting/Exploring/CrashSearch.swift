#if canImport(Testing)
import Workers
import Exploring
import Harness
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes the schedule of a run that crashes as short as can be, by runs of which each may crash a thread of its own.
final class CrashSearch {
  /// What is broken by a crash.
  static let rule = "nothing crashes"
  /// So many threads are left as they are, at most; one that has used all of its stack counts for several.
  private static let mostCrashes = 32
  /// Where something has crashed first in this process that holds what others wait for.
  private static let firstPlace = Mutex<String?>(nil)
  /// The time that a run may take, as `PlayClock` counts it: the run may wait for what a thread holds that crashed.
  private static let limitInMilliseconds = 5_000

  private struct Known {
    let run: ReplayedRun
    let notes: [String]
    var hasCrashed = false

    /// The rule that it breaks.
    func breach(inRun number: Int) -> Findings.ViolatedCheck {
      Findings.ViolatedCheck(
        rule: run.outcome.failure?.rule ?? CrashSearch.rule,
        count: 1,
        schedule: Schedule(run.choices),
        nearest: number
      )
    }
  }

  private let player: () -> ScenarioPlayer
  private let limitInMilliseconds: Int
  private var known: [Schedule: Known] = [:]
  /// The run that was found, which is done again, too.
  private var first: Known?
  private var crashes = 0
  /// Whether a run has waited, as for what a thread holds that crashed.
  private var hasWaited = false
  /// Whether the run that was found keeps its thread now, as others would.
  private(set) var keepsOthersWaiting = false

  /// - Parameters:
  ///   - limitInMilliseconds: the time that a run may take, as `PlayClock` counts it.
  ///   - player: makes one that may crash.
  init(
    limitInMilliseconds: Int = limitInMilliseconds,
    _ player: @escaping () -> ScenarioPlayer
  ) {
    self.limitInMilliseconds = limitInMilliseconds
    self.player = player
  }

  /// What a search has found that ended with a crash.
  ///
  /// - Parameters:
  ///   - search: what was asked of it.
  ///   - player: whose thread has crashed.
  ///   - signal: by which it has.
  /// - Returns: the crash as a failure.
  func findings(of search: ScenarioSearch, _ player: ScenarioPlayer, signal: Int32) -> Findings {
    let crash = crash(of: player, signal)
    first = crash
    let progress = player.notice.progress.withLock(\.self)
    var findings: Findings
    if let found = progress.found {
      findings = found
      findings.add(crash.breach(inRun: found.runs))
    } else {
      let isInOrder = search.strategy == nil && progress.inOrder == 0
      findings = Findings(lost: crash.run.outcome, choices: crash.run.choices)
      findings.runs = progress.runs + 1
      findings.runsInOrder = progress.inOrder
      findings.isInOrder = search.strategy == .exhaustive || isInOrder
      findings.end = .failure
    }
    findings.shrinkFailures(while: { !Task.isCancelled }, replay)
    return findings
  }

  /// What was noted in a run by a schedule; nil where that is not known.
  func notes(by schedule: Schedule) -> [String]? { play(schedule)?.notes }

  /// What there is to say beside a failure.
  func remarks(on failure: Findings.Failure) -> [String] {
    guard known[failure.schedule]?.hasCrashed ?? isFound(failure.schedule) else { return [] }
    var remarks = ["which ends the tests, and shows where in the code it is"]
    if hasWaited {
      remarks.append(
        "it may be longer than need be: a run waits, as for a lock or an actor that the crash holds"
      )
    } else if crashes >= Self.mostCrashes {
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
    _exit(1)
  }

  private func replay(_ schedule: Schedule) -> ReplayedRun { play(schedule)?.run ?? .unknown }

  /// What is known of a run; nil where it cannot be done, or not any more.
  private func play(_ schedule: Schedule) -> Known? {
    if let known = known[schedule] { return known }
    guard crashes < Self.mostCrashes, !hasWaited else { return found(by: schedule) }
    let player = player()
    let thread = RunThread(player.notice) {
      try await player.catchingIssues {
        ReplayedRun(schedule, player.play)
      }
    }
    switch thread.wait(milliseconds: limitInMilliseconds) {
    case .result(.success(let run))
    where isFound(schedule) && run.outcome.failure?.rule == Violation.stuck.rule:
      hasWaited = true
      Self.firstPlace.withLock { $0 = $0 ?? player.notice.place }
      return first
    case .result(.success(let run)):
      let known = Known(run: run, notes: player.latestNotes)
      if schedule.isPlain || isFound(schedule) { self.known[schedule] = known }
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
    crashes += isOverflow ? 8 : 1
    let problem: TranscriptProblem = isOverflow ? .overflowed : .crashed(signal: Int(signal))
    let notes = player.latestNotes
    let choices = player.notice.choices
    return Known(
      run: ReplayedRun(
        choices: choices.choices,
        counts: choices.counts,
        outcome: RunOutcome(seen: notes, failure: failure(of: player, "it \(problem.sentence)"))
      ),
      notes: notes,
      hasCrashed: true
    )
  }

  /// What is wrong with a run that has crashed: the first that was.
  private func failure(of player: ScenarioPlayer, _ crash: String) -> Violation {
    guard let first = player.latestFailure else { return Violation(rule: Self.rule, what: crash) }
    return Violation(rule: first.rule, what: "\(first.what); then \(crash)", place: first.place)
  }
}
#endif
