#if !canImport(Combine)
extension Publisher {
  /// Sends everything in its own action at the current instant, in order, as on a main queue.
  ///
  /// It replaces OpenCombine's `receive(on:)`, whose values change their order if the stage chooses
  /// another order of actions, and which still sends after a cancellation. A concurrent queue may
  /// change the order; for it, use `Publishers.ReceiveOn`.
  ///
  /// - Parameters:
  ///   - scheduler: the stage for the actions.
  ///   - options: none.
  /// - Returns: the publisher.
  public func receive(
    on scheduler: StageScheduler,
    options: StageScheduler.SchedulerOptions? = nil
  ) -> Publishers.StageDelay<Self> {
    delay(for: .zero, scheduler: scheduler)
  }
}
#endif
