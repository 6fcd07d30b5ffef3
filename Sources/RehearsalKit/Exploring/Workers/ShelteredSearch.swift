import Exploring
import Harness
import Rehearsal
import Workers

/// A search through the schedules of a script, in workers: what the script does to its process costs one run.
final class ShelteredSearch {
  private let crew: SearchCrew
  private let stop: SearchStop
  private let tell: (Findings) -> Void
  /// How many runs more may hang while failures are shrunk: each takes as long as it may.
  private var hangsLeft = 1
  /// Those that did.
  private var hangs: Set<Schedule> = []
  /// The runs of groups and failures that ended their process.
  private(set) var crashes: [Schedule: ExploredScript.Crash] = [:]

  /// - Parameters:
  ///   - crew: who performs the script.
  ///   - stop: when to end.
  ///   - tell: called many times a second with what was found so far.
  init(
    _ crew: SearchCrew,
    until stop: SearchStop,
    _ tell: @escaping (Findings) -> Void
  ) {
    self.crew = crew
    self.stop = stop
    self.tell = tell
  }

  private func plain(_ plan: Exploration.Plan) throws(ExploredScript.Refusal) -> Findings {
    switch crew.reply(to: .plain) {
    case .answer(.found(let findings, _)): return findings
    case .answer(.refused(let refusal)): throw refusal
    case .answer: preconditionFailure("A worker answers what it was asked.")
    case .notStarted: return Findings(end: .stopped)
    case .lost(let loss) where crew.script.isScript:
      crew.script.defaultCrashes = true
      return Findings(loss, goesOn: plan.goesOn)
    case .lost(let loss):
      let lines = loss.replay.outcome.seen
      throw .init(
        command: crew.commands.command(at: loss.loss.command),
        lines: loss.isSteady ? lines : lines + [Self.chance]
      )
    }
  }

  private static let chance =
    "note: when it was done again it did not: something in it is left to real chance"

  /// How many runs a search takes at most, of which a part is searched here, as `findings` does.
  static func mostRuns(of plan: Exploration.Plan, _ part: SearchPart, orAll: Bool) -> Int {
    part.seeds.count + (orAll ? inOrder(plan, part).seeds.count : 0)
  }

  /// What comes first. Parts that are named by their seeds do not know how many all together have, and have to agree.
  private static func inOrder(_ plan: Exploration.Plan, _ part: SearchPart) -> Exploration.Plan {
    var few = plan.inOrder
    if part.isNamedBySeeds { few.seeds = 0..<UInt64(Exploration.Plan.fewRuns) }
    return few
  }

  /// Searches as a plan says; failures are not shrunk.
  ///
  /// - Parameters:
  ///   - plan: what is searched by all.
  ///   - part: what of it is searched here.
  ///   - orAll: whether all schedules are tried instead where they are few; then they are found by the first part.
  /// - Returns: what was found.
  /// - Throws: `Refusal` if the script cannot be explored.
  func findings(
    _ plan: Exploration.Plan,
    _ part: SearchPart,
    orAll: Bool
  ) throws(ExploredScript.Refusal) -> Findings {
    let plain = try plain(plan)
    if crew.problem != nil { return plain }
    if plain.end == .unsteady { return part.isFirst ? plain : plain.ofLaterPart }
    var found = plain
    if orAll {
      found = findings(Self.inOrder(plan, part), after: plain, length: plain.mostDecisions)
    }
    guard found.isUndecided else { return part.isFirst ? found : found.ofLaterPart }
    var plan = plan
    plan.seeds = part.seeds
    guard part.isFirst else {
      return findings(plan, after: Findings(), length: plain.mostDecisions)
    }
    let base = orAll ? found.goingOn : plain
    return findings(plan, after: base, length: plain.mostDecisions).behind(found)
  }

  private func findings(_ plan: Exploration.Plan, after plain: Findings, length: Int) -> Findings {
    if plain.end == .failure { return plain }
    if plan.strategy == .exhaustive {
      var search = TreeSearch(plan, crew, after: plain)
      search.run(until: stop, tell)
      return search.found
    }
    var search = SeedSearch(plan, crew, after: plain, length: length)
    search.run(until: stop, tell)
    return search.found
  }

  /// Shortens the schedules of failures, and repeats one run of each group: of equal runs, a worker reports just one.
  /// If the repeated run has another result, for example after a file was changed, the search ends as nondeterministic.
  func finish(_ findings: inout Findings) {
    crashes = crew.unsteady.merging(crew.hangs) { $1 }
    hangs = Set(crew.hangs.keys)
    let wasStopped = StopSignals.caught != nil
    findings.shrinkFailures(
      while: { !stop.isDueForShortening && (wasStopped || StopSignals.caught == nil) },
      { [self] in replay($0) }
    )
    hangsLeft = 1
    for place in findings.groups.indices {
      let group = findings.groups[place]
      let outcome = replay(group.schedule).outcome
      if outcome.fingerprint == group.fingerprint {
        findings.groups[place].outcome = outcome
      } else if outcome != ReplayedRun.unknown.outcome, !findings.isNondeterministic {
        findings.unsteady = group.schedule
        findings.end = .unsteady
      }
    }
  }

  /// Makes the schedules of the groups short that are shown, unless somebody is waiting for the end. What ends its
  /// process stays as it is.
  func shorten(_ findings: inout Findings, atMost most: Int) {
    let lost = crashes.count
    findings.shortenGroups(
      most,
      except: { crashes[$0] != nil },
      while: {
        StopSignals.caught == nil && !stop.isDueForShortening
          && crashes.count < lost + Self.mostEnds
      },
      replay: { [self] in replay($0) }
    )
  }

  /// So many runs may end their worker before groups are left as they are: it takes time to start another.
  private static let mostEnds = 20

  /// A run by a schedule, which may be lost.
  private func replay(_ schedule: Schedule) -> ReplayedRun {
    if let loss = crashes[schedule] {
      return ReplayedRun(choices: schedule.choices, counts: [], outcome: loss.outcome)
    }
    guard hangsLeft > 0 else {
      return .unknown
    }
    switch crew.reply(to: .replay(schedule)) {
    case .answer(.replayed(let run)): return run
    case .answer: preconditionFailure("A worker answers what it was asked.")
    case .notStarted: return .unknown
    case .lost(let loss):
      guard loss.isSteady else { return .unknown }
      if loss.isHang {
        hangsLeft -= 1
        hangs.insert(schedule)
      }
      crashes[schedule] = loss.loss
      return loss.replay
    }
  }

  /// What is shown of each failure, in their order. What hangs stays as it is: each attempt takes as long as it may.
  func examples(_ findings: Findings) -> [ShelteredShrinking.Example] {
    findings.failures.map { failure in
      let shrinking = ShelteredShrinking(crew, until: stop)
      let loss = crashes[failure.schedule]
      return hangs.contains(failure.schedule)
        ? shrinking.whole(failure, loss) : shrinking.example(of: failure, loss)
    }
  }
}
