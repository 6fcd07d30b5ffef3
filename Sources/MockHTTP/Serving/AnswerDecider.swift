/// Decides what routes leave open, in place of chance.
package struct AnswerDecider: Sendable {
  let delay: @Sendable (ClosedRange<Duration>) -> Duration

  /// - Parameter delay: how long an answer takes that may take anything from a shorter to a longer time.
  package init(delay: @escaping @Sendable (ClosedRange<Duration>) -> Duration) {
    self.delay = delay
  }
}
