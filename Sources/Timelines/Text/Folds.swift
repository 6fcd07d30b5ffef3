import RehearsalBase

/// The folded gaps of a time scale and their widths.
struct Folds {
  /// The width of each folded gap, nil for the others.
  private(set) var widths: [Int?]
  /// The lengths of the gaps, 0 for folded ones.
  private(set) var kept: [Int128]
  /// The columns left for the gaps that are not folded.
  private(set) var roomLeft: Int

  /// Folds each gap that is four times as long as all shorter ones together. At most half of the
  /// gaps are folded, into at most half of the room.
  init(gaps: [Int128], room: Int) {
    widths = gaps.map { _ in nil }
    kept = gaps
    roomLeft = room
    guard let longest = Self.longestKept(gaps) else { return }
    let folded = gaps.indices.filter { gaps[$0] > longest }
    let foldWidths = folded.map { Self.label(gaps[$0]).count + 3 }
    guard foldWidths.reduce(0, +) <= room / 2 else { return }
    for (gap, width) in zip(folded, foldWidths) {
      widths[gap] = width
      kept[gap] = 0
      roomLeft -= width
    }
  }

  /// Returns the label of a fold.
  static func label(_ gap: Int128) -> String {
    Duration(attoseconds: gap).compact
  }

  /// Returns the longest gap that is drawn to scale, nil if all are.
  private static func longestKept(_ gaps: [Int128]) -> Int128? {
    let sorted = gaps.sorted()
    var sum: Int128 = 0
    for (index, gap) in sorted.enumerated() {
      let folded = sorted.count - index
      if sum > 0, folded <= index, gap / 4 >= sum {
        return sorted[index - 1]
      }
      sum += gap
    }
    return nil
  }
}
