import Staging

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// Plays a marble diagram on a stage, as a publisher or as calls of a closure.
extension Marble {
  /// Returns a publisher that plays the diagram to each subscriber from its beginning.
  ///
  /// All events are scheduled at the subscription. So at any instant, the diagram's event comes
  /// before the timers of later operators, which start with its values. A value without demand is
  /// dropped.
  ///
  /// - Parameters:
  ///   - scheduler: the stage on which it plays.
  ///   - tick: the duration of a sign.
  ///   - failure: the error for `#`, required only if the diagram has one.
  ///   - value: returns the value for a name.
  /// - Returns: the publisher.
  public func publisher<Output, Failure: Error>(
    on scheduler: StageScheduler,
    tick: Duration,
    failure: Failure? = Never?.none,
    value: @escaping (Character) -> Output
  ) -> AnyPublisher<Output, Failure> {
    let marble = self
    precondition(
      failure != nil || moments.last?.event != .failed,
      "A diagram with '#' needs an error to fail with."
    )
    return Deferred {
      let subject = OrderedSubject<Output, Failure>()
      let play = marble.play(on: scheduler, tick: tick) { event in
        switch event {
        case .value(let name): subject.send(value(name))
        case .finished: subject.send(completion: .finished)
        case .failed: if let failure { subject.send(completion: .failure(failure)) }
        }
      }
      return subject.handleEvents(receiveCancel: play.cancel)
    }.eraseToAnyPublisher()
  }

  /// Plays the diagram, beginning now.
  ///
  /// - Parameters:
  ///   - scheduler: the stage on which it plays.
  ///   - tick: the duration of a sign.
  ///   - receive: receives each event at its time.
  /// - Returns: a token that stops the play when it is cancelled. Releasing it has no effect.
  public func play(
    on scheduler: StageScheduler,
    tick: Duration,
    _ receive: @escaping (Event) -> Void
  ) -> some Cancellable {
    let start = scheduler.now
    let stride = StageScheduler.SchedulerTimeType.Stride(tick).nanoseconds
    let play = Play()
    for moment in moments {
      let (offset, overflow) = stride.multipliedReportingOverflow(by: Int64(moment.tick))
      let time = start.advanced(by: .init(nanoseconds: overflow ? .max : offset))
      play.scheduled.append(scheduler.scheduled(at: time) { receive(moment.event) })
    }
    return play
  }

  private final class Play: Cancellable {
    var scheduled: [Scheduled] = []

    func cancel() {
      for event in scheduled { event.cancel() }
      scheduled = []
    }
  }
}
