/// Decides what routes leave open, in place of chance.
package struct AnswerDecider: Sendable {
  let answer: @Sendable (Int) -> Int
  let delay: @Sendable (ClosedRange<Duration>, _ drawn: Duration) -> Duration

  /// - Parameters:
  ///   - answer: which of so many answers is given, from 0; of a fault, whether it strikes as was
  ///     drawn, 0, or the other way.
  ///   - delay: how long one takes that may take anything from a shorter to a longer time: as was drawn, or
  ///     something else.
  package init(
    answer: @escaping @Sendable (Int) -> Int,
    delay: @escaping @Sendable (ClosedRange<Duration>, _ drawn: Duration) -> Duration
  ) {
    (self.answer, self.delay) = (answer, delay)
  }
}
