/// The seeds of a search that one process performs, if several share it.
package struct SearchPart: Sendable {
  package let seeds: Range<UInt64>
  /// Counted from 1.
  package let shard: (index: Int, count: Int)?
  /// Whether there are other parts.
  package let isPart: Bool
  /// Whether this part counts the default schedule and the systematic runs.
  package let isFirst: Bool
  /// Whether the part is named by its seeds, so that it does not know those of other parts.
  package let isNamedBySeeds: Bool

  /// - Parameters:
  ///   - whole: the seeds of all parts, or of this one if it is named by its seeds.
  ///   - shard: the index of the part, counted from 0, and the number of parts.
  ///   - isNamedBySeeds: whether other parts have other seeds.
  package init(
    of whole: Range<UInt64>,
    _ shard: (index: Int, count: Int)?,
    isNamedBySeeds: Bool
  ) {
    isPart = shard != nil || isNamedBySeeds
    self.isNamedBySeeds = isNamedBySeeds
    isFirst = (shard?.index ?? 0) == 0 && (!isNamedBySeeds || whole.lowerBound == 0)
    self.shard = shard.map { ($0.index + 1, $0.count) }
    guard let shard else {
      seeds = whole
      return
    }
    func cut(_ index: Int) -> UInt64 {
      let (product, count) = (
        whole.lowerBound.distance(to: whole.upperBound).multipliedFullWidth(by: index), shard.count
      )
      return whole.lowerBound + UInt64(count.dividingFullWidth(product).quotient)
    }
    seeds = cut(shard.index)..<cut(shard.index + 1)
  }
}
