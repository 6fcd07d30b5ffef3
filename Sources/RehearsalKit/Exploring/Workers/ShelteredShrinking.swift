import Exploring
import Harness
import Rehearsal
import Workers

/// Makes the script of a failure short. Each attempt is a run in a worker, so that those that crash cost themselves only.
final class ShelteredShrinking {
  private let crew: SearchCrew
  private let stop: SearchStop
  /// How many attempts more may end their worker, and how many of them by taking as long as they may. It takes time to
  /// start another.
  private var endsLeft = 200
  private var hangsLeft = 3
  /// Whether somebody had stopped the search before.
  private let wasStopped = StopSignals.caught != nil
  private var crashes: [[String]: [Schedule: ExploredScript.Crash]] = [:]

  init(_ crew: SearchCrew, until stop: SearchStop) {
    self.crew = crew
    self.stop = stop
  }

  /// A failure as it is shown: its script, and what is known of runs of that which end their process.
  struct Example {
    let short: ShortScript
    var crashes: [Schedule: ExploredScript.Crash]
  }

  /// The shortest script that was found for a failure, which may be the `loss` of a process.
  func example(of failure: Findings.Failure, _ loss: ExploredScript.Crash?) -> Example {
    var shrinking = ScriptShrinking(crew.commands, failure.schedule, failure.reason) {
      [self] in attempt($0, $1)
    }
    let short = shrinking.shrink()
    let known = crashes[short.commands] ?? [:]
    if loss != nil, known[short.schedule] == nil { return whole(failure, loss) }
    return Example(short: short, crashes: known)
  }

  /// The failure with all its commands.
  func whole(_ failure: Findings.Failure, _ loss: ExploredScript.Crash?) -> Example {
    let short = ShortScript(
      commands: crew.commands,
      schedule: failure.schedule,
      failure: failure.reason
    )
    return Example(short: short, crashes: loss.map { [failure.schedule: $0] } ?? [:])
  }

  private func attempt(_ commands: [String], _ schedule: Schedule) -> ReplayedRun {
    if let loss = crashes[commands]?[schedule] {
      return ReplayedRun(choices: schedule.choices, counts: [], outcome: loss.outcome)
    }
    guard endsLeft > 0, hangsLeft > 0, !stop.isDueForShortening,
      wasStopped || StopSignals.caught == nil
    else {
      return .unknown
    }
    switch crew.reply(to: .perform(commands, schedule)) {
    case .answer(.replayed(let run)): return run
    case .answer: preconditionFailure("A worker answers what it was asked.")
    case .notStarted: return .unknown
    case .lost(let loss):
      endsLeft -= 1
      if loss.isHang { hangsLeft -= 1 }
      crashes[commands, default: [:]][schedule] = loss.loss
      crashes[commands, default: [:]][Schedule(loss.replay.choices)] = loss.loss
      return loss.replay
    }
  }
}
