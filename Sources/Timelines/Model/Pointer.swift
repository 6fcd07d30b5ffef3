/// An instant to point at, with a label.
public struct Pointer: Sendable, Equatable {
  /// The time. A picture without an event at that time has no pointer.
  public let time: Duration
  /// A short label from this program, never from user input.
  public let words: String

  /// Creates a pointer at `time` with the label `words`.
  public init(_ words: String, at time: Duration) {
    self.time = time
    self.words = words
  }
}

extension PlotScale {
  /// Returns the position of a pointer.
  func place(of pointer: Pointer) -> Double? {
    instants.first { $0.time == pointer.time }?.first
  }
}
