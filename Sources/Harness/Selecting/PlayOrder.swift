import RehearsalBase

/// In which order files are played. What is reported stands in the order of their paths, whatever this is.
package struct PlayOrder: Sendable {
  /// The index of a file for each place in the run, round after round.
  let files: [Int]

  /// Those first that failed last, then those that take longest; by path where nobody knows.
  init(_ keys: [String], _ history: TestHistory) {
    guard !history.isEmpty else {
      files = Array(keys.indices)
      return
    }
    var ranks = [UInt8](repeating: 0, count: keys.count)
    history.forEachRecord(of: keys) { ranks[$0] = UInt8(Self.rank($1)) }
    files = Self.indices(byFalling: ranks)
  }

  /// The places of ranks, those of the highest first, and of the same rank in their order.
  private static func indices(byFalling ranks: [UInt8]) -> [Int] {
    var counts = [Int](repeating: 0, count: 2 * magnitudes)
    for rank in ranks { counts[Int(rank)] += 1 }
    var (next, sum) = (counts, 0)
    for rank in counts.indices.reversed() {
      next[rank] = sum
      sum += counts[rank]
    }
    var indices = [Int](repeating: 0, count: ranks.count)
    for (index, rank) in ranks.enumerated() {
      indices[next[Int(rank)]] = index
      next[Int(rank)] += 1
    }
    return indices
  }

  /// Of a number of microseconds, with that of none.
  private static let magnitudes = Int.bitWidth + 1

  /// Failed files first, then the slow ones. Times are told apart by their magnitude alone, so that the order
  /// changes little from run to run.
  private static func rank(_ record: TestHistory.Record) -> Int {
    (record.hasFailed ? magnitudes : 0) + Int.bitWidth - record.microseconds.leadingZeroBitCount
  }

  /// Each file once in each round, every round shuffled.
  init(count: Int, rounds: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    files = (0..<rounds).flatMap { _ in (0..<count).shuffled(using: &random) }
  }
}
