/// Decides the order of the groups in a report, and shortens the schedules of the shown groups.
extension Findings {
  /// The groups in the order of reports: first the group of the default schedule, then those with
  /// more runs; of equal groups the earlier one.
  package var groupsByWeight: [Group] { placesByWeight.map { groups[$0] } }

  private var placesByWeight: [Int] {
    groups.indices.sorted { one, other in
      let (first, second) = (groups[one], groups[other])
      if first.schedule.isDefault != second.schedule.isDefault { return first.schedule.isDefault }
      return (second.count, one) < (first.count, other)
    }
  }

  /// Looks for a shorter schedule for each of the shown groups. Findings that will be merged with
  /// other parts keep their schedules, because only the merged findings show which run is the
  /// nearest.
  ///
  /// - Parameters:
  ///   - most: maximum number of shown groups.
  ///   - isLeft: returns whether a schedule stays unchanged.
  ///   - continues: called before each group; returns whether to continue.
  ///   - replay: performs a run by a schedule.
  package mutating func shortenGroups(
    _ most: Int,
    except isLeft: (Schedule) -> Bool = { _ in false },
    while continues: () -> Bool = { true },
    replay: (Schedule) -> ReplayedRun
  ) {
    let places = placesByWeight.prefix(most)
      .filter { groups[$0].schedule.deviations > 1 && !isLeft(groups[$0].schedule) }
    for place in places {
      guard continues() else { return }
      let fingerprint = groups[place].fingerprint
      groups[place].schedule = groups[place].schedule
        .shrunk(runs: shorteningRuns / places.count, as: .short, replay) {
          $0.fingerprint == fingerprint
        }
    }
  }

  /// Maximum number of runs for shortening all groups: few compared to the search.
  private var shorteningRuns: Int { max(1_000, runs / 20) }
}
