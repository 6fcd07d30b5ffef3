import RehearsalBase

/// The order in which files are played. Reports are always in the order of the paths.
package struct PlayOrder: Sendable {
  /// The file index for each position in the run, round after round.
  let files: [Int]

  /// Plays the files that failed last first, then the slowest ones; by path if nothing is known.
  init(_ keys: [String], _ history: TestHistory) {
    guard !history.isEmpty else {
      files = Array(keys.indices)
      return
    }
    var ranks = [UInt8](repeating: 0, count: keys.count)
    history.forEachRecord(of: keys) { ranks[$0] = UInt8(Self.rank($1)) }
    files = Self.indices(byFalling: ranks)
  }

  /// Returns the positions of ranks, highest first; equal ranks keep their order.
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

  /// Number of magnitudes of a time in microseconds, including 0.
  private static let magnitudes = Int.bitWidth + 1

  /// Returns a rank that is highest for failed files, then for slow ones. Only the magnitude of a time counts, so that
  /// the order is stable from run to run.
  private static func rank(_ record: TestHistory.Record) -> Int {
    (record.hasFailed ? magnitudes : 0) + Int.bitWidth - record.microseconds.leadingZeroBitCount
  }

  /// Plays each file once in each round, and shuffles every round.
  init(count: Int, rounds: Int, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    files = (0..<rounds).flatMap { _ in (0..<count).shuffled(using: &random) }
  }
}
