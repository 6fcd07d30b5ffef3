/// The durations of a range that can be chosen, in order: the shorter end, the multiples of a step,
/// and the longer end. They depend only on the range, so an index means the same duration in every
/// run.
struct DurationSteps {
  private let first: Int64
  private let last: Int64
  /// In nanoseconds.
  private let step: Int64

  /// A range with fewer steps gets finer ones, because a value between two steps could matter.
  private static let fewSteps: Int64 = 10

  /// Makes steps of one millisecond if both ends are whole milliseconds, otherwise as fine as the
  /// ends. The steps are coarser if there would be more than `most`, and finer if there would be
  /// fewer than ten.
  init(_ range: ClosedRange<Duration>, most: Int = 1_000_000_000) {
    (first, last) = (range.lowerBound.inNanoseconds, range.upperBound.inNanoseconds)
    let ends = [first, last]
    var step: Int64 = [1_000_000, 1_000].first { step in ends.allSatisfy { $0 % step == 0 } } ?? 1
    while (last - first) / step >= Int64(most) { step *= 10 }
    while step > 1, (last - first) / step < Self.fewSteps,
      (last - first) / (step / 10) < Int64(most)
    {
      step /= 10
    }
    self.step = step
  }

  /// Whether the range contains other durations than the steps.
  var leavesValuesOut: Bool { last - first >= Int64(count) }

  /// Index 0 is the shorter end, and index 1 the next multiple of the step.
  var count: Int { first == last ? 1 : Int((last + step - 1) / step - first / step) + 1 }

  subscript(place: Int) -> Duration {
    .nanoseconds(place == 0 ? first : min((first / step + Int64(place)) * step, last))
  }

  /// Returns the indices of durations. A duration between two steps gives the indices of both.
  /// Ascending, without duplicates.
  func places(of durations: [Duration]) -> [Int] {
    var places: [Int] = []
    for duration in durations.map(\.inNanoseconds) where duration >= first && duration <= last {
      let below = duration == last ? count - 1 : Int(duration / step - first / step)
      let above = duration == first ? 0 : Int((duration + step - 1) / step - first / step)
      for place in [below, above] where place < count && place > places.last ?? -1 {
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
