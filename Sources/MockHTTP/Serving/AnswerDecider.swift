/// Decides what routes leave open, in place of chance.
package struct AnswerDecider: Sendable {
  let answer: @Sendable (Int) -> Int
  let delay: @Sendable (ClosedRange<Duration>) -> Duration

  /// - Parameters:
  ///   - answer: which of so many answers is given, from 0.
  ///   - delay: how long one takes that may take anything from a shorter to a longer time.
  package init(
    answer: @escaping @Sendable (Int) -> Int,
    delay: @escaping @Sendable (ClosedRange<Duration>) -> Duration
  ) {
    (self.answer, self.delay) = (answer, delay)
  }
}
