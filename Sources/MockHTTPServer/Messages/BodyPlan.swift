import MockHTTP

/// The order in which a body is sent: each piece at its time, and a large piece in slices. At most one slice is copied
/// before the client has read the previous one.
struct BodyPlan {
  private let pieces: [Exchange.Piece]
  private let end: Int
  private var pieceIndex = 0
  private(set) var offset = 0

  static let sliceLimitInBytes = 128 * 1_024

  enum Step: Hashable {
    case send(Range<Int>)
    /// Wait until this time, counted from the head.
    case wait(Duration)
    case done
  }

  /// Plans a body.
  ///
  /// - Parameters:
  ///   - pieces: the times of the parts of the body; empty to send it at once.
  ///   - end: the number of bytes to send.
  init(pieces: [Exchange.Piece], end: Int) {
    self.pieces = pieces
    self.end = end
  }

  var isDone: Bool { offset >= end }

  /// Returns the next step; `elapsed` is the time since the head.
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
