/// A search through the schedules of one scenario: its runs, their order, and its end.
///
/// The executor performs the runs. This type selects them and merges their findings.
public struct Exploration {
  /// The settings of a search.
  public struct Plan: Sendable, Codable {
    /// The way to choose schedules.
    public var strategy: Strategy
    /// One random run for each seed; for `.exhaustive` only the maximum number of runs.
    public var seeds: Range<UInt64>
    /// Number of runs in a row without a new behaviour that ends the search; nil for no limit.
    public var stopAfter: Int?
    /// The upper bound, from 0 to 1, of the probability that one more random run shows a new behaviour. The search ends
    /// when it is reached; nil for no limit. Systematic runs do not count.
    public var until: Double?
    /// The interval of runs that are performed twice and compared; the default schedule always is.
    /// Nil to compare none.
    public var checkedEvery: Int?
    /// Whether the search continues after the first failure.
    public var continuesAfterFailure: Bool
    /// Whether half of the random runs change runs that showed something new.
    package var mutates = false
    /// Whether the output of runs that pass is read. If not, random runs of generated sessions print nothing.
    package var readsOutput = true

    /// Default number of runs.
    package static let usualRuns = 10_000

    /// Makes a plan; by default 10,000 random runs until the first failure.
    public init(
      _ strategy: Strategy = .random,
      seeds: Range<UInt64> = 0..<10_000,
      stopAfter: Int? = nil,
      until: Double? = nil,
      checkedEvery: Int? = 1_000,
      continuesAfterFailure: Bool = false
    ) {
      self.strategy = strategy
      self.seeds = seeds
      self.stopAfter = stopAfter
      self.until = until
      self.checkedEvery = checkedEvery
      self.continuesAfterFailure = continuesAfterFailure
    }

    /// Returns the plan of the systematic runs if no strategy is given. Parts that are named by their seeds do not know the
    /// number of all runs, but must use the same plan.
    fileprivate func inOrder(_ part: SearchPart?) -> Plan {
      var plan = self
      plan.strategy = .exhaustive
      let isNamedBySeeds = part?.isNamedBySeeds ?? false
      plan.seeds = 0..<UInt64(isNamedBySeeds ? Self.fewRuns : min(seeds.count, Self.fewRuns))
      plan.stopAfter = nil
      plan.until = nil
      return plan
    }

    /// Maximum number of the systematic runs if no strategy is given.
    private static let fewRuns = 1_000

    /// Number of random schedules of a search whose only missing orders are those that the isolation assumption leaves out.
    static let isolationRuns = 100
  }

  private let plan: Plan
  private let part: SearchPart?
  private let executor: any SearchExecutor

  /// - Parameters:
  ///   - plan: the settings of the whole search.
  ///   - part: the part that this process searches; nil for the whole search.
  ///   - executor: performs the runs.
  package init(_ plan: Plan, part: SearchPart? = nil, in executor: any SearchExecutor) {
    self.plan = plan
    self.part = part
    self.executor = executor
  }

  /// Makes a search in this process.
  package init(_ plan: Plan, _ play: @escaping (SearchScheduler) -> RunOutcome) {
    self.init(plan, in: InProcessExecutor(play))
  }

  /// Searches, and shrinks the schedules of failures.
  ///
  /// - Parameters: as those of `search`.
  ///   - willShrink: called with the findings before failures are shrunk.
  /// - Returns: the findings.
  package func run(
    orAll: Bool = false,
    checksIsolation: Bool = false,
    while continues: (Findings) -> Bool = { _ in true },
    willShrink: (Findings) -> Void = { _ in }
  ) -> Findings {
    var findings = search(orAll: orAll, checksIsolation: checksIsolation, while: continues)
    willShrink(findings)
    finish(&findings)
    return findings
  }

  /// Maximum number of runs, without the default schedule.
  package func mostRuns(orAll: Bool) -> Int {
    (part?.seeds ?? plan.seeds).count + (orAll ? plan.inOrder(part).seeds.count : 0)
  }

  /// Searches, and begins with the default schedule.
  ///
  /// - Parameters:
  ///   - orAll: whether the runs of the plan alternate with systematic ones, at most a thousand. These belong to the first
  ///     part.
  ///   - checksIsolation: whether random schedules follow if the systematic search is complete only under the
  ///     assumption that tasks share state only through actors. State in a lock or in a stream gives other results in
  ///     them.
  ///   - continues: called repeatedly with the findings so far; returns whether to continue.
  /// - Returns: the findings. Failures are not shrunk.
  package func search(
    orAll: Bool = false,
    checksIsolation: Bool = false,
    while continues: (Findings) -> Bool = { _ in true }
  ) -> Findings {
    let isFirst = part?.isFirst ?? true
    let first = executor.runDefaultSchedule(plan)
    if first.end == .stopped { return first }
    guard first.isUndecided else { return isFirst ? first : first.ofLaterPart }
    var planned = plan
    planned.seeds = part?.seeds ?? plan.seeds
    if orAll {
      var search = AlternatingSearch(
        plan,
        plan.inOrder(part),
        seeds: planned.seeds,
        after: first,
        in: executor
      )
      if isFirst { return search.run(checksIsolation: checksIsolation, while: continues) }
      search.performSystematicRuns(while: continues)
      guard search.systematic.isUndecided else { return search.systematic.ofLaterPart }
    }
    var runs = RandomRuns(after: first, in: executor)
    return runs.perform(planned, after: isFirst ? first : Findings(), while: continues)
  }

  /// Shrinks the schedules of failures, and repeats the nearest runs of the groups that have the
  /// outcomes of other runs, and of the first groups. If such a run gives another result, for example after a file was
  /// changed, the search ends as nondeterministic.
  ///
  /// - Parameters:
  ///   - findings: the findings to change.
  ///   - continues: called before each run that shrinks a failure.
  package func finish(_ findings: inout Findings, while continues: () -> Bool = { true }) {
    executor.beginReplays()
    findings.shrinkFailures(while: continues) { executor.replay($0) }
    let places = findings.groups.indices.filter {
      $0 < executor.repeatedAtEnd || findings.groups[$0].needsReplay
    }
    if places.isEmpty { return }
    executor.beginReplays()
    let outcomes = executor.replayOutcomes(places.map { findings.groups[$0].schedule })
    for (place, outcome) in zip(places, outcomes) {
      let group = findings.groups[place]
      if outcome.fingerprint == group.fingerprint {
        findings.groups[place].outcome = outcome
        findings.groups[place].needsReplay = false
      } else if outcome != ReplayedRun.unknown.outcome, !findings.isNondeterministic {
        findings.nondeterministicSchedule = group.schedule
        findings.end = .nondeterministic
      }
    }
  }

  /// Maximum number of replays that may end their process; after that, the remaining groups stay
  /// unchanged.
  private static let mostCrashes = 20

  /// Shortens the schedules of the groups that are shown. Groups whose replays end their process
  /// stay unchanged.
  ///
  /// - Parameters:
  ///   - findings: the findings to change.
  ///   - most: maximum number of shown groups.
  ///   - continues: called before each group.
  package func shorten(
    _ findings: inout Findings,
    atMost most: Int,
    while continues: () -> Bool = { true }
  ) {
    let known = executor.crashes.count
    findings.shortenGroups(
      most,
      except: { executor.crashes[$0] != nil },
      while: { continues() && executor.crashes.count < known + Self.mostCrashes },
      replay: { executor.replay($0) }
    )
  }
}
