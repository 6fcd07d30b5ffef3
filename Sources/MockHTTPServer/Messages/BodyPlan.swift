import MockHTTP

/// What of a body goes out next: piece by piece at their times, and a large piece in slices, so that
/// no more than a slice is copied before the client has taken the one before.
struct BodyPlan {
  private let pieces: [Exchange.Piece]
  private let end: Int
  private var pieceIndex = 0
  private(set) var offset = 0

  static let sliceLimitInBytes = 128 * 1_024

  enum Step: Hashable {
    case send(Range<Int>)
    /// Nothing before this time, counted from the head.
    case wait(Duration)
    case done
  }

  /// - Parameters:
  ///   - pieces: when which part of the body is due; all of it at once where there are none.
  ///   - end: how much of the body goes out, in bytes.
  init(pieces: [Exchange.Piece], end: Int) {
    self.pieces = pieces
    self.end = end
  }

  var isDone: Bool { offset >= end }

  /// Goes a step on; `elapsed` is the time since the head.
  mutating func next(elapsed: @autoclosure () -> Duration) -> Step {
    while !isDone {
      let target = pieceIndex < pieces.count ? min(pieces[pieceIndex].end, end) : end
      if offset >= target {
        pieceIndex += 1
        continue
      }
      if pieceIndex < pieces.count, case let time = pieces[pieceIndex].time, time > .zero,
        time > elapsed()
      {
        return .wait(time)
      }
      let range = offset..<min(target, offset + Self.sliceLimitInBytes)
      offset = range.upperBound
      return .send(range)
    }
    return .done
  }
}
