#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// Publishes 1, 2, 3 … at an interval, like `Timer.publish`; subscribers share it.
extension StageScheduler {
  /// Returns a publisher of the numbers 1, 2, 3 and so on, one after each interval.
  ///
  /// Like `Timer.publish(every:on:in:).autoconnect()`: it begins with the first subscriber, all
  /// subscribers share it, and it stops when the last one cancels. It never ends by itself. A number
  /// without demand is dropped.
  ///
  /// - Parameter interval: the time until each number; longer than zero.
  /// - Returns: the publisher.
  public func timer(every interval: SchedulerTimeType.Stride) -> AnyPublisher<Int, Never> {
    precondition(interval > .zero, "The interval of a timer must be longer than zero.")
    return Deferred {
      let subject = OrderedSubject<Int, Never>()
      var count = 0
      let turns = schedule(after: now.advanced(by: interval), interval: interval) {
        count += 1
        subject.send(count)
      }
      return subject.handleEvents(receiveCancel: turns.cancel)
    }.sharedInOrder().eraseToAnyPublisher()
  }
}
