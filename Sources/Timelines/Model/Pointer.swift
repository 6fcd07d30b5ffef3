/// An instant to point at, and what is said about it.
public struct Pointer: Sendable, Equatable {
  /// When it is; nothing is pointed at where the picture has no event then.
  public let time: Duration
  /// A few words, ours and not from outside.
  public let words: String

  /// Points at `time` with `words`.
  public init(_ words: String, at time: Duration) {
    self.time = time
    self.words = words
  }
}

extension PlotScale {
  /// Where a pointer stands.
  func place(of pointer: Pointer) -> Double? {
    instants.first { $0.time == pointer.time }?.first
  }
}
