import Staging

#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

extension Marble {
  /// The diagram as a source: each subscriber gets it from its beginning.
  ///
  /// All of it is scheduled at the subscription. What the diagram says for an instant therefore comes
  /// before whatever later operators, whose timers start with the values, do at that instant. A value
  /// that nobody has demand for is dropped.
  ///
  /// - Parameters:
  ///   - scheduler: the stage on which it plays.
  ///   - tick: how long a sign takes.
  ///   - failure: the error that `#` stands for; a diagram without `#` needs none.
  ///   - value: the value of a name.
  /// - Returns: a publisher that plays the diagram to each subscriber.
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

  /// Plays the diagram from now on.
  ///
  /// - Parameters:
  ///   - scheduler: the stage on which it plays.
  ///   - tick: how long a sign takes.
  ///   - receive: takes each event at its time.
  /// - Returns: what stops it when it is cancelled. To drop it stops nothing.
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
