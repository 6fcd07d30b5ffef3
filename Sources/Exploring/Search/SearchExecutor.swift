/// Performs the runs of a search: in this process, in workers, or on threads that may crash.
package protocol SearchExecutor: AnyObject {
  /// Performs the default schedule, twice if the plan checks determinism.
  func runDefaultSchedule(_ plan: Exploration.Plan) -> Findings

  /// Performs the first runs of a range, without shrinking failures.
  ///
  /// - Parameters:
  ///   - range: the runs.
  ///   - runs: the maximum number of runs.
  ///   - plan: the strategy and the limits.
  ///   - found: the findings of earlier runs. They may be large, and are not copied if the caller gives them away.
  ///   - continues: called repeatedly with the findings so far; returns whether to continue.
  /// - Returns: the findings of all runs, and the rest of the range.
  func search(
    _ range: RunRange,
    runs: Int,
    _ plan: Exploration.Plan,
    after found: consuming Findings,
    while continues: (Findings) -> Bool
  ) -> (findings: Findings, rest: RunRange)

  /// The number of behaviours, from the first on, whose runs are repeated at the end of a search, to find nondeterminism.
  var repeatedAtEnd: Int { get }

  /// Begins a series of replays.
  func beginReplays()

  /// Performs one run by a schedule.
  func replay(_ schedule: Schedule) -> ReplayedRun

  /// Performs one run for each schedule, and returns the outcomes in this order. Those that are not known are equal to that
  /// of `ReplayedRun.unknown`.
  func replayOutcomes(_ schedules: [Schedule]) -> [RunOutcome]

  /// The replays that ended their process.
  var crashes: [Schedule: RunCrash] { get }
}

extension SearchExecutor {
  package var crashes: [Schedule: RunCrash] { [:] }
  package func beginReplays() {}
  package func replayOutcomes(_ schedules: [Schedule]) -> [RunOutcome] {
    schedules.map { replay($0).outcome }
  }
  package var repeatedAtEnd: Int { 0 }
}

/// Consecutive runs of a search.
package enum RunRange: Sendable, Codable {
  /// One run for each seed.
  case seeds(Range<UInt64>, RunForecast)
  /// A part of the tree of all decisions.
  case tree(SearchCursor)

  /// All runs of a plan.
  init(_ plan: Exploration.Plan, _ forecast: RunForecast) {
    self =
      plan.strategy == .exhaustive ? .tree(SearchCursor()) : .seeds(plan.seeds, forecast)
  }

  /// Whether a random strategy chooses the run at an index, and it is no change of an earlier run.
  func isRandomised(at index: Int) -> Bool {
    guard case .seeds(let seeds, let forecast) = self else { return false }
    return forecast.parents.isEmpty
      || !MutatingScheduler.isChosen(by: seeds.lowerBound + UInt64(index))
  }

  /// The number of runs; nil if unknown.
  var count: Int? { if case .seeds(let seeds, _) = self { seeds.count } else { nil } }

  /// An upper bound of the probability that a random run follows one of the schedules before this
  /// position.
  var share: Double? { if case .tree(let cursor) = self { cursor.share } else { nil } }

  /// Whether runs were left out that only a crashed run could have revealed.
  var leavesOut: Bool {
    get { if case .tree(let cursor) = self { cursor.leavesOut } else { false } }
    set {
      guard case .tree(var cursor) = self else { return }
      cursor.leavesOut = newValue
      self = .tree(cursor)
    }
  }

  /// The range and, if it is a branch, all runs after it.
  var withEarlierDecisions: RunRange {
    guard case .tree(var cursor) = self else { return self }
    cursor.floor = 0
    return .tree(cursor)
  }

  /// Returns the range after its next run. It leaves out that run and the runs that only it could
  /// have revealed; nil if nothing is left.
  func passingOver() -> RunRange? {
    switch self {
    case .seeds(let seeds, let forecast):
      seeds.count > 1 ? .seeds(seeds.dropFirst(), forecast) : nil
    case .tree(let cursor): cursor.passingOver().map(RunRange.tree)
    }
  }

  /// Copies from an earlier branch which of its decisions need their other choices.
  mutating func absorb(_ other: RunRange) {
    guard case .tree(var cursor) = self, case .tree(let other) = other else { return }
    cursor.absorb(other)
    self = .tree(cursor)
  }
}
