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
  /// So many threads are left as they are, at most; one that has used all of its stack counts for several.
  private static let mostCrashes = 32
  /// Where something has crashed first in this process.
  private static let firstPlace = Mutex<String?>(nil)
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
  /// Whether a run has waited, perhaps for what a thread holds that crashed.
  private var hasWaited = false

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

  /// What was noted in a run by a schedule; nil where that is not known.
  func notes(by schedule: Schedule) -> [String]? { play(schedule)?.notes }

  /// What there is to say beside what was found.
  var remarks: [String] {
    var remarks = ["which ends the tests, and shows where in the code it is"]
    if hasWaited {
      remarks.append(
        "it may be longer than need be: a run waits, perhaps for a lock or an actor that the crash still holds"
      )
    } else if crashes >= Self.mostCrashes {
      remarks.append("it may be longer than need be: that took too many crashes")
    }
    return remarks
  }

  /// What there is to say where a scenario waits for ever; nil where nothing has crashed.
  static var remarkOnWaiting: String? {
    firstPlace.withLock(\.self).map {
      "a run of what is explored at \($0) has crashed: what it held, as a lock or an actor, is held for ever"
    }
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
    case .result(.success(let run)) where run.outcome.failure?.rule == RunFailure.stuck.rule:
      hasWaited = true
      return found(by: schedule)
    case .result(.success(let run)):
      let known = Known(run: run, notes: player.latestNotes)
      if schedule.isPlain || isFound(schedule) { self.known[schedule] = known }
      return known
    case .crash(let signal):
      let crash = crash(of: player, signal)
      known[schedule] = crash
      known[Schedule(crash.run.choices)] = crash
      return crash
    case .late, .result(.failure):
      hasWaited = true
      return found(by: schedule)
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
    Self.firstPlace.withLock { $0 = $0 ?? player.notice.place }
    let problem: TranscriptProblem = isOverflow ? .overflowed : .crashed(signal: Int(signal))
    let notes = player.latestNotes
    let choices = player.notice.choices
    return Known(
      run: ReplayedRun(
        choices: choices.choices,
        counts: choices.counts,
        outcome: RunOutcome(seen: notes, failure: failure(of: player, "it \(problem.sentence)"))
      ),
      notes: notes
    )
  }

  /// What is wrong with a run that has crashed: the first that was.
  private func failure(of player: ScenarioPlayer, _ crash: String) -> RunFailure {
    guard let first = player.latestFailure else { return RunFailure(rule: Self.rule, what: crash) }
    return RunFailure(rule: first.rule, what: "\(first.what); then \(crash)", place: first.place)
  }
}
#endif
