import Script

/// The durations of a range that can be chosen: in a row, at equal steps from the shorter end, and last the
/// longer one. They depend on the range alone, so that a place in the row means the same in every run.
struct DurationSteps {
  private let first: Int64
  private let last: Int64
  /// In nanoseconds.
  private let step: Int64

  /// A millisecond where both ends are whole milliseconds, and else as fine as they are; coarser only where
  /// there would be more than `most` steps.
  init(_ range: DurationRange, most: Int = 1_000_000_000) {
    (first, last) = (range.lowerBound.inNanoseconds, range.upperBound.inNanoseconds)
    let ends = [first, last]
    var step: Int64 = [1_000_000, 1_000].first { step in ends.allSatisfy { $0 % step == 0 } } ?? 1
    while (last - first) / step >= Int64(most) { step *= 10 }
    self.step = step
  }

  var count: Int { Int((last - first + step - 1) / step) + 1 }

  subscript(place: Int) -> Duration {
    .nanoseconds(min(first + Int64(place) * step, last))
  }

  /// The places where durations lie, or on both sides of where they do: in order, each once.
  func places(of durations: [Duration]) -> [Int] {
    var places: [Int] = []
    for offset in durations.map({ $0.inNanoseconds - first }) where offset >= 0 {
      for place in [Int(offset / step), Int((offset + step - 1) / step)]
      where place < count && place > places.last ?? -1 {
        places.append(place)
      }
    }
    return places
  }
}

extension Duration {
  fileprivate var inNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
