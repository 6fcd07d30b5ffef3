extension Findings {
  /// The groups as somebody reads them: first that of the plain run, then those that more runs were in; of as many
  /// that which was met first.
  package var groupsByWeight: [Group] { placesByWeight.map { groups[$0] } }

  private var placesByWeight: [Int] {
    groups.indices.sorted { one, other in
      let (first, second) = (groups[one], groups[other])
      if first.schedule.isDefault != second.schedule.isDefault { return first.schedule.isDefault }
      return (second.count, one) < (first.count, other)
    }
  }

  /// Looks for a shorter schedule for each of the groups that are shown. What is told to be put together with other
  /// parts keeps the schedules that were met: which of them is the nearest is seen by all together only.
  ///
  /// - Parameters:
  ///   - most: how many groups are shown.
  ///   - isLeft: which schedules stay as they are.
  ///   - goOn: asked before each group.
  ///   - replay: does a run by a schedule.
  package mutating func shortenGroups(
    _ most: Int,
    except isLeft: (Schedule) -> Bool = { _ in false },
    while goOn: () -> Bool = { true },
    replay: (Schedule) -> ReplayedRun
  ) {
    let places = placesByWeight.prefix(most)
      .filter { groups[$0].schedule.deviations > 1 && !isLeft(groups[$0].schedule) }
    for place in places {
      guard goOn() else { return }
      let fingerprint = groups[place].fingerprint
      groups[place].schedule = groups[place].schedule
        .shrunk(runs: shorteningRuns / places.count, replay) { $0.fingerprint == fingerprint }
    }
  }

  /// How many runs it may take to shorten all groups: few beside those of the search.
  private var shorteningRuns: Int { max(1_000, runs / 20) }
}
