#if canImport(Testing)
import Exploring
import Harness
import Synchronization

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
  /// So many threads are left as they are, at most.
  private static let mostCrashes = 32
  /// For how long a run may take, in real time: it may wait for what a thread holds that crashed.
  private static let limitInMilliseconds: Int32 = 5_000

  private struct Known {
    let run: ReplayedRun
    let notes: [String]
  }

  private let player: () -> ScenarioPlayer
  private let limitInMilliseconds: Int32
  private var known: [Schedule: Known] = [:]
  /// The run that was found, which is done again, too.
  private var first: Known?
  private var crashes = 0
  private var isLate = false

  /// - Parameters:
  ///   - limitInMilliseconds: for how long a run may take, in real time.
  ///   - player: makes one that may crash.
  init(
    limitInMilliseconds: Int32 = limitInMilliseconds,
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
    let (runs, inOrder) = player.notice.progress.withLock(\.self)
    var findings = Findings(lost: crash.run.outcome, choices: crash.run.choices)
    findings.runs = runs + 1
    findings.runsInOrder = inOrder
    findings.isInOrder = search.strategy == .exhaustive || search.strategy == nil && inOrder == 0
    findings.end = .failure
    findings.shrinkFailures(while: { !Task.isCancelled }, replay)
    return findings
  }

  /// What was noted in a run by a schedule.
  func notes(by schedule: Schedule) -> [String] { play(schedule)?.notes ?? [] }

  private func replay(_ schedule: Schedule) -> ReplayedRun { play(schedule)?.run ?? .unknown }

  /// What is known of a run; nil where it cannot be done, or not any more.
  private func play(_ schedule: Schedule) -> Known? {
    if let known = known[schedule] { return known }
    guard crashes < Self.mostCrashes, !isLate else { return found(by: schedule) }
    let player = player()
    let thread = RunThread(player.notice) {
      try await player.catchingIssues {
        ReplayedRun(schedule, player.play)
      }
    }
    switch thread.wait(milliseconds: limitInMilliseconds) {
    case .result(.success(let run)):
      known[schedule] = Known(run: run, notes: player.latestNotes)
    case .crash(let signal):
      let crash = crash(of: player, signal)
      known[schedule] = crash
      known[Schedule(crash.run.choices)] = crash
    case .late, .result(.failure):
      isLate = true
      return found(by: schedule)
    }
    return known[schedule]
  }

  /// The run that was found, if this is its schedule.
  private func found(by schedule: Schedule) -> Known? {
    first.flatMap { Schedule($0.run.choices) == schedule ? $0 : nil }
  }

  /// What is known of a run that has crashed.
  private func crash(of player: ScenarioPlayer, _ signal: Int32) -> Known {
    crashes += 1
    let problem: TranscriptProblem =
      signal == SIGSEGV || signal == SIGBUS ? .overflowed : .crashed(signal: Int(signal))
    let notes = player.latestNotes
    let outcome = RunOutcome(
      seen: notes,
      failure: RunFailure(rule: Self.rule, what: "it \(problem.sentence)")
    )
    let (choices, counts) = (player.notice.choices.choices, player.notice.choices.counts)
    return Known(
      run: ReplayedRun(choices: choices, counts: counts, outcome: outcome),
      notes: notes
    )
  }
}
#endif
