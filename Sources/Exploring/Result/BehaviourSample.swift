/// The random runs of a search, as a sample of its behaviours.
package struct BehaviourSample: Sendable, Equatable, Codable {
  /// The number of random runs.
  package var runs = 0
  /// The fingerprints of the behaviours that exactly one run of the search showed, a random one.
  package var singles: Set<UInt64> = []
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
  /// runs, if nothing is left to try, or if there are too many behaviours to count.
  public var newBehaviour: NewBehaviourEstimate? {
    if let statedEstimate { return statedEstimate }
    guard sample.runs > 0, !isInOrder, !isExhausted, others.count < Self.mostHashes else {
      return nil
    }
    let bound = upperBoundOfNewBehaviour
    let estimate = Double(sample.singles.count) / Double(sample.runs)
    return NewBehaviourEstimate(probability: min(estimate, bound), upperBound: bound)
  }

  private var upperBoundOfNewBehaviour: Double {
    NewBehaviourEstimate.upperBound(
      groups.compactMap(\.sample),
      unplaced: others.count,
      runs: sample.runs,
      strategies: sample.strategies
    )
  }

  /// Returns whether the search may end now, because the upper bound of the probability of a new behaviour is at most
  /// `limit`. It looks only after certain numbers of runs, because the bound takes time.
  func isNewBehaviourUnlikely(atMost limit: Double) -> Bool {
    BehaviourSample.isCheckpoint(sample.runs) && others.count < Self.mostHashes
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
    guard part.sample.runs > 0, others.count < Self.mostHashes else { return nil }
    let places = (0..<part.runs).filter(range.isRandomised)
    var news = groups.compactMap(\.sample)
    var unplaced: [Int] = []
    var room = Self.mostGroups - groups.count
    for group in part.groups where !isKnown(group.fingerprint) {
      guard let number = group.sample else { continue }
      if room > 0 {
        news.append(sample.runs + number)
      } else {
        unplaced.append(sample.runs + number)
      }
      room -= 1
    }
    for (index, place) in places.enumerated()
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
  private func isKnown(_ fingerprint: UInt64) -> Bool {
    places[fingerprint] != nil || !others.isEmpty && others.contains(fingerprint)
  }

  /// Counts a run in the sample, before its behaviour becomes known.
  ///
  /// - Returns: the number of the run in the sample; nil if it is no part of it.
  mutating func addToSample(_ fingerprint: UInt64, isRandomised: Bool) -> Int? {
    let isKnown = isKnown(fingerprint)
    if isKnown { sample.singles.remove(fingerprint) }
    guard isRandomised else { return nil }
    if !isKnown, others.count < Self.mostHashes { sample.singles.insert(fingerprint) }
    defer { sample.runs += 1 }
    return sample.runs
  }

  /// Merges the behaviours that exactly one run showed, before the groups are merged.
  mutating func mergeSingles(of part: Findings) {
    for fingerprint in part.groups.map(\.fingerprint) + part.others {
      if isKnown(fingerprint) {
        sample.singles.remove(fingerprint)
      } else if part.sample.singles.contains(fingerprint) {
        sample.singles.insert(fingerprint)
      }
    }
  }
}
