/// The random runs of a search as a sample: when a new behaviour is so unlikely that `--until` ends the search.
package struct BehaviourSample: Sendable, Equatable, Codable {
  /// The number of random runs.
  package var runs = 0
  /// The number of strategies that successive random runs use in turn.
  package var strategies = 1

  /// Whether a search looks at the bound after this number of random runs: each 100, and later each 1 % of them.
  static func isCheckpoint(_ runs: Int) -> Bool {
    var step = 100
    while step * 100 < runs { step *= 10 }
    return runs > 0 && runs.isMultiple(of: step)
  }

}

extension Findings {
  /// An estimate of the probability that one more random run shows a new behaviour; nil if the search has no random
  /// runs, or if nothing is left to try.
  public var newBehaviour: NewBehaviourEstimate? {
    if let statedEstimate { return statedEstimate }
    guard sample.runs > 0, !isInOrder, !isExhausted else { return nil }
    let bound = upperBoundOfNewBehaviour
    let singles = groups.count(where: \.isSingle) + others.singleCount
    let estimate = Double(singles) / Double(sample.runs)
    return NewBehaviourEstimate(probability: min(estimate, bound), upperBound: bound)
  }

  private var upperBoundOfNewBehaviour: Double {
    NewBehaviourEstimate.upperBound(
      groups.compactMap(\.sample),
      // If some behaviours are forgotten, each of these runs may have shown a new one.
      unplaced: others.isEstimate ? runsInOthers : others.count,
      runs: sample.runs,
      strategies: sample.strategies
    )
  }

  /// Returns whether the search may end now, because the upper bound of the probability of a new behaviour is at most
  /// `limit`. It looks only after certain numbers of runs, because the bound takes time, and not if there are too many
  /// behaviours.
  func isNewBehaviourUnlikely(atMost limit: Double) -> Bool {
    BehaviourSample.isCheckpoint(sample.runs) && !others.isEstimate
      && upperBoundOfNewBehaviour <= limit
  }

  /// Returns the number of runs of a part until a new behaviour is unlikely; nil if the part ends earlier.
  ///
  /// - Parameters:
  ///   - part: the findings of the runs that follow.
  ///   - range: the range that begins with these runs.
  ///   - limit: the upper bound that ends the search.
  /// - Returns: the number of the part's runs.
  func runs(of part: Findings, in range: RunRange, untilAtMost limit: Double) -> Int? {
    guard part.sample.runs > 0, !others.isEstimate else { return nil }
    let places = (0..<part.runs).filter(range.isRandomised)
    var news = groups.compactMap(\.sample)
    var unplaced: [Int] = []
    var room = Self.mostGroups - groups.count
    var end = part.sample.runs
    for group in part.groups where !isKnown(group.fingerprint) {
      room -= 1
      // From here on, a known behaviour may look new.
      if room < 0, !others.fingerprints.hasRoom(for: -room) {
        end = places.count { $0 < group.first }
        break
      }
      guard let number = group.sample else { continue }
      if room >= 0 {
        news.append(sample.runs + number)
      } else {
        unplaced.append(sample.runs + number)
      }
    }
    for (index, place) in places.prefix(end).enumerated()
    where BehaviourSample.isCheckpoint(sample.runs + index + 1) {
      let runs = sample.runs + index + 1
      let isBefore = { (number: Int) in number < runs }
      let bound = NewBehaviourEstimate.upperBound(
        news.prefix(while: isBefore),
        unplaced: others.count + unplaced.count(where: isBefore),
        runs: runs,
        strategies: max(sample.strategies, part.sample.strategies)
      )
      if bound <= limit { return place + 1 }
    }
    return nil
  }

  /// Whether a run has shown this behaviour.
  func isKnown(_ fingerprint: UInt64) -> Bool {
    places[fingerprint] != nil || !others.isEmpty && others.fingerprints.contains(fingerprint)
  }
}
