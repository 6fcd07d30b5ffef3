import RehearsalBase

/// One part of a run that is divided between several machines.
package struct TranscriptShard: Sendable, Equatable {
  /// The index of the part, from 0.
  package let index: Int
  package let count: Int

  /// Nil unless `index` is less than `count`.
  package init?(index: Int, of count: Int) {
    guard (1...10_000).contains(count), (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Parses `2/3`, the second of three parts.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else { return nil }
    self.init(index: number - 1, of: count)
  }

  /// The notation `2/3`.
  package var text: String { "\(index + 1)/\(count)" }

  /// Returns the part of each file by the hash of its path, so that other files do not influence it.
  func parts(_ keys: [String]) -> [Int] {
    keys.map { Int(FNV1a.hash($0.utf8) % UInt64(count)) }
  }

  /// Returns the part of each file such that all parts take about equally long: the longest file first, each into the
  /// part with the least time so far.
  ///
  /// - Parameters:
  ///   - keys: of all files.
  ///   - time: of a file in microseconds, by its index; nil if it is unknown.
  /// - Returns: the part of each file, from 0.
  func parts(_ keys: [String], time: (Int) -> Int?) -> [Int] {
    let known = keys.indices.compactMap(time).sorted()
    let usual = known.isEmpty ? 1 : known[known.count / 2]
    let times = keys.indices.map { max(1, time($0) ?? usual) }
    let longestFirst = keys.indices.sorted { (times[$1], $0) < (times[$0], $1) }
    var loads = Array(repeating: 0, count: count)
    var parts = Array(repeating: 0, count: keys.count)
    for file in longestFirst {
      let part = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[part] += times[file]
      parts[file] = part
    }
    return parts
  }

  /// Returns the indexes of the files of this part, in order.
  func files(of parts: [Int]) -> [Int] { parts.indices.filter { parts[$0] == index } }
}
