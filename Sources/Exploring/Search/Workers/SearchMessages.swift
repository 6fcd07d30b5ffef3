/// A request to a worker of a search; and the answer, without the outcomes that the search knows already.
enum SearchRequest<Content: Codable>: Codable {
  /// Perform the default schedule.
  case defaultSchedule
  /// Perform the first runs of a range. `keeping`: whether the search still keeps new groups.
  case search(RunRange, runs: Int, keeping: Bool)
  /// Perform the first runs of these seeds, with the forecast of the latest search. A forecast is much larger than seeds.
  case searchOn(Range<UInt64>, runs: Int, keeping: Bool)
  /// Perform one schedule.
  case replay(Schedule)
  /// Perform schedules, without a description of their runs.
  case repeatRuns([Schedule])
  /// Perform other content by a schedule.
  case perform(Content, Schedule)

  /// Whether a missing answer means nothing for the search.
  var isTrial: Bool { if case .perform = self { true } else { false } }

  /// Whether a run that ends its process is performed once more at once.
  var repeatsCrash: Bool {
    switch self {
    case .defaultSchedule, .search, .searchOn, .replay: true
    // Such runs of `repeatRuns` are replayed alone.
    case .repeatRuns, .perform: false
    }
  }
}

/// The answer of a worker of a search.
enum SearchAnswer<Refusal: Codable>: Codable {
  /// The findings of some runs, and the rest of their range if it is a part of a tree. Seeds are counted.
  case found(SentFindings, SearchCursor?)
  case replayed(ReplayedRun)
  case repeated([RunOutcome])
  case refused(Refusal)
}

/// The outcomes of groups. A worker sends that of a group only if its run deviates less than the run whose outcome it has
/// sent before, because outcomes are the largest part of an answer.
struct SentOutcomes {
  /// The latest outcome of each group that was received.
  private var outcomes: [UInt64: RunOutcome] = [:]
  /// The number of deviations of the run whose outcome was sent last, for each group.
  private var deviations: [UInt64: Int] = [:]
  private static let removed = RunOutcome(seen: [])

  /// Removes the outcomes that are not needed, also those of new groups if the search keeps no new ones.
  mutating func removeKnown(from findings: inout Findings, keeping: Bool) {
    for place in findings.groups.indices {
      let group = findings.groups[place]
      let own = group.schedule.deviations
      if own < deviations[group.fingerprint] ?? (keeping ? .max : 0) {
        deviations[group.fingerprint] = own
      } else {
        findings.groups[place].outcome = Self.removed
      }
    }
  }

  /// Replaces the outcomes that `removeKnown` has removed by others of their groups, and remembers the received ones.
  mutating func restore(_ findings: inout Findings) {
    for place in findings.groups.indices {
      let group = findings.groups[place]
      if group.outcome != Self.removed {
        outcomes[group.fingerprint] = group.outcome
      } else {
        findings.groups[place].needsReplay = true
        if let outcome = outcomes[group.fingerprint] { findings.groups[place].outcome = outcome }
      }
    }
  }
}
