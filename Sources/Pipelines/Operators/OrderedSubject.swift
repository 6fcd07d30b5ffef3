#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A subject that serves its subscribers in the order in which they came.
///
/// OpenCombine's own subjects, and with them `share`, `Future` and `@Published`, keep several
/// subscribers in a set, whose order differs from run to run. Where two subscribers can be told apart,
/// a run that has to be repeatable needs this one.
///
/// Like `PassthroughSubject` it drops a value for a subscriber that has no demand. With a first value
/// it is like `CurrentValueSubject`: a new subscriber gets the current value, and one without demand
/// the latest as soon as it asks.
public final class OrderedSubject<Output, Failure: Error>: Subject {
  private let lock = RecursiveLock()
  private var served: [SubjectSubscription] = []
  private var upstreams: [any Subscription] = []
  private var completion: Subscribers.Completion<Failure>?
  private let hasCurrent: Bool
  private var current: Output?

  /// Makes a subject without a current value.
  public init() {
    hasCurrent = false
  }

  /// Makes a subject whose current value is `value`.
  public init(_ value: Output) {
    hasCurrent = true
    current = value
  }

  deinit {
    for upstream in upstreams { upstream.cancel() }
  }

  /// How many subscribers there are.
  public var subscriberCount: Int { lock { served.count } }

  /// Sends a value to those who subscribe now. Does nothing after the end.
  public func send(_ value: Output) {
    let served: [SubjectSubscription] = lock {
      guard completion == nil else { return [] }
      if hasCurrent { current = value }
      return self.served
    }
    for place in served { place.offer(value) }
  }

  /// Ends it, for those who subscribe now and for all who come later, and cancels what it was subscribed to.
  public func send(completion: Subscribers.Completion<Failure>) {
    let (served, upstreams): ([SubjectSubscription], [any Subscription]) = lock {
      guard self.completion == nil else { return ([], []) }
      self.completion = completion
      defer { (self.served, self.upstreams) = ([], []) }
      return (self.served, self.upstreams)
    }
    for place in served { place.finish(completion) }
    // Also the one that ended it: what subscribed it there holds it until it is cancelled, and is held by it.
    for upstream in upstreams { upstream.cancel() }
  }

  /// Asks an upstream for all that it has; after the end it is cancelled.
  public func send(subscription: any Subscription) {
    let isWanted = lock {
      if completion == nil { upstreams.append(subscription) }
      return completion == nil
    }
    if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  /// Takes a subscriber in, behind those that are there; after the end it is only told of that.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let place = TypedSubjectSubscription(
      subject: self,
      subscriber: subscriber,
      pending: lock { current }
    )
    let completion = lock {
      if self.completion == nil { served.append(place) }
      return self.completion
    }
    guard let completion else { return subscriber.receive(subscription: place) }
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: completion)
  }

  fileprivate func leave(_ place: SubjectSubscription) {
    lock { served.removeAll { $0 === place } }
  }

  /// The subscription of a subscriber whose type is erased.
  fileprivate class SubjectSubscription {
    func offer(_ value: Output) {}
    func finish(_ completion: Subscribers.Completion<Failure>) {}
  }

  private final class TypedSubjectSubscription<S: Subscriber>: SubjectSubscription, Subscription
  where S.Input == Output, S.Failure == Failure {
    private let lock = RecursiveLock()
    private var subject: OrderedSubject?
    private var subscriber: S?
    private var demand = Subscribers.Demand.none
    /// The current value, if it was not delivered.
    private var pending: Output?

    init(subject: OrderedSubject, subscriber: S, pending: Output?) {
      self.subject = subject
      self.subscriber = subscriber
      self.pending = pending
    }

    override func offer(_ value: Output) {
      lock {
        guard demand > .none else {
          if subject?.hasCurrent == true { pending = value }
          return
        }
        deliver(value)
      }
    }

    override func finish(_ completion: Subscribers.Completion<Failure>) {
      lock { end() }?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      lock {
        guard subscriber != nil else { return }
        self.demand += demand
        guard let value = pending else { return }
        deliver(value)
      }
    }

    func cancel() {
      let subject = self.subject
      _ = lock { end() }
      subject?.leave(self)
    }

    private func deliver(_ value: Output) {
      guard let subscriber else { return }
      pending = nil
      demand -= 1
      demand += subscriber.receive(value)
    }

    private func end() -> S? {
      defer {
        subscriber = nil
        subject = nil
        pending = nil
      }
      return subscriber
    }
  }
}

extension Publisher {
  /// Like `share()`, but serves its subscribers in the order in which they came.
  public func sharedInOrder()
    -> Publishers.Autoconnect<Publishers.Multicast<Self, OrderedSubject<Output, Failure>>>
  {
    multicast(subject: OrderedSubject()).autoconnect()
  }
}
