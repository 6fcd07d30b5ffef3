import RehearsalBase

/// A set of hashes in bounded memory.
///
/// The set is exact up to a maximum number of hashes. Beyond it, the set forgets all hashes except a sample: those whose
/// mixed bits begin with a number of zeros, its `level`. The sample depends only on the hashes, not on their order. So
/// the merged samples of two parts equal the sample of the whole. The number of all hashes is estimated from it, with a
/// standard error of about 0.5 %.
///
/// P. Flajolet, "On Adaptive Sampling" (1990).
package struct HashSample: Sendable, Equatable, Codable {
  /// The answer to the question whether a hash is new.
  package enum Membership {
    case new, known
    /// The sample does not contain hashes like this one.
    case unknown
  }

  /// The maximum number of hashes. More would double the memory of the set, which is 1 MB.
  package static let usualMaximum = 98_304
  /// A larger set takes all its memory at once, so that the memory does not grow during a long search. Most parts of a
  /// search have smaller sets.
  private static let few = 16_384
  /// The same for a set of several parts.
  fileprivate static let fewOfParts = 1_024

  private let most: Int
  package private(set) var hashes: Set<UInt64> = []
  /// The number of zeros; 0 if the set is exact.
  package private(set) var level = 0

  package init(atMost most: Int = usualMaximum) { self.most = most }

  /// Whether the set has forgotten hashes, so that its count is an estimate.
  package var isEstimate: Bool { level > 0 }

  /// The number of distinct hashes.
  package var count: Int { hashes.count << level }

  /// Returns whether this number of further hashes fits into an exact set.
  func hasRoom(for more: Int) -> Bool { level == 0 && hashes.count + more <= most }

  /// Returns whether the set has such hashes.
  func samples(_ hash: UInt64) -> Bool {
    if level == 0 { return true }
    var generator = SplitMix64(seed: hash)
    return generator.next().leadingZeroBitCount >= level
  }

  func contains(_ hash: UInt64) -> Bool { hashes.contains(hash) }

  /// Adds a hash.
  ///
  /// - Returns: whether it was in the set before.
  @discardableResult
  package mutating func insert(_ hash: UInt64) -> Membership {
    guard samples(hash) else { return .unknown }
    guard hashes.count >= most, !hashes.contains(hash) else {
      let isNew = hashes.insert(hash).inserted
      if isNew { reserve(beyond: Self.few) }
      return isNew ? .new : .known
    }
    while hashes.count >= most, samples(hash) { raise(to: level + 1) }
    if samples(hash) { hashes.insert(hash) }
    return .new
  }

  fileprivate mutating func reserve(beyond count: Int) {
    if hashes.count > count, hashes.capacity < most { hashes.reserveCapacity(most) }
  }

  /// Adds the hashes of another part.
  package mutating func formUnion(_ other: HashSample) {
    raise(to: other.level)
    for hash in other.hashes { insert(hash) }
    reserve(beyond: Self.fewOfParts)
  }

  /// Forgets the hashes below a level.
  package mutating func raise(to level: Int) {
    guard level > self.level, level < UInt64.bitWidth else { return }
    self.level = level
    let kept = Array(hashes.lazy.filter(samples))
    // The memory of the set stays the same.
    hashes.removeAll(keepingCapacity: true)
    hashes.formUnion(kept)
  }
}

/// The behaviours that a search counts without keeping a run of them.
package struct UnkeptBehaviours: Sendable, Equatable, Codable {
  package private(set) var fingerprints: HashSample
  /// Those that exactly one run of the search showed, a random one.
  package private(set) var singles: Set<UInt64> = []

  package init(atMost most: Int = HashSample.usualMaximum) {
    fingerprints = HashSample(atMost: most)
  }

  package var isEmpty: Bool { fingerprints.hashes.isEmpty }
  /// The number of behaviours.
  package var count: Int { fingerprints.count }
  /// Whether some are forgotten, so that the count is an estimate and a known behaviour may look new.
  package var isEstimate: Bool { fingerprints.isEstimate }
  /// The number of behaviours that exactly one run showed, a random one.
  var singleCount: Int { singles.count << fingerprints.level }

  /// Adds a behaviour that some runs have shown.
  ///
  /// - Parameters:
  ///   - fingerprint: its fingerprint.
  ///   - isSingle: whether exactly one run showed it, a random one.
  /// - Returns: whether it may be new.
  package mutating func add(_ fingerprint: UInt64, isSingle: Bool) -> Bool {
    let level = fingerprints.level
    let membership = fingerprints.insert(fingerprint)
    if fingerprints.level > level { forgetSingles() }
    fingerprints.reserve(beyond: HashSample.fewOfParts)
    switch membership {
    case .new: if isSingle { noteSingle(fingerprint) }
    case .known: singles.remove(fingerprint)
    case .unknown: break
    }
    return membership != .known
  }

  /// Notes that exactly one run showed a behaviour, a random one.
  package mutating func noteSingle(_ fingerprint: UInt64) {
    guard fingerprints.contains(fingerprint) else { return }
    if singles.capacity < fingerprints.hashes.capacity {
      singles.reserveCapacity(fingerprints.hashes.capacity)
    }
    singles.insert(fingerprint)
  }

  /// Forgets the behaviours below a level.
  package mutating func raise(to level: Int) {
    guard level > fingerprints.level else { return }
    fingerprints.raise(to: level)
    forgetSingles()
  }

  private mutating func forgetSingles() {
    let kept = Array(singles.lazy.filter(fingerprints.contains))
    singles.removeAll(keepingCapacity: true)
    singles.formUnion(kept)
  }
}
