#if canImport(Combine)
public import Combine
#else
public import OpenCombine
#endif

/// A subject that serves its subscribers in the order of subscription.
///
/// OpenCombine's own subjects, and with them `share`, `Future` and `@Published`, store subscribers
/// in a set, whose order differs between runs. If the order of subscribers has an effect, a
/// reproducible run needs this subject.
///
/// Like `PassthroughSubject`, it drops values for a subscriber without demand. With an initial
/// value, it is like `CurrentValueSubject`: a new subscriber gets the current value, and one
/// without demand gets the latest value when it requests one.
public final class OrderedSubject<Output, Failure: Error>: Subject {
  private let lock = RecursiveLock()
  private var served: [SubjectSubscription] = []
  private var upstreams: [any Subscription] = []
  private var completion: Subscribers.Completion<Failure>?
  private let hasCurrent: Bool
  private var current: Output?

  /// Creates a subject without a current value.
  public init() {
    hasCurrent = false
  }

  /// Creates a subject with the current value `value`.
  public init(_ value: Output) {
    hasCurrent = true
    current = value
  }

  deinit {
    for upstream in upstreams { upstream.cancel() }
  }

  /// The number of subscribers.
  public var subscriberCount: Int { lock { served.count } }

  /// Sends a value to the current subscribers. Has no effect after the end.
  public func send(_ value: Output) {
    let served: [SubjectSubscription] = lock {
      guard completion == nil else { return [] }
      if hasCurrent { current = value }
      return self.served
    }
    for place in served { place.offer(value) }
  }

  /// Ends the subject for current and later subscribers, and cancels its upstreams.
  public func send(completion: Subscribers.Completion<Failure>) {
    let (served, upstreams): ([SubjectSubscription], [any Subscription]) = lock {
      guard self.completion == nil else { return ([], []) }
      self.completion = completion
      defer { (self.served, self.upstreams) = ([], []) }
      return (self.served, self.upstreams)
    }
    for place in served { place.finish(completion) }
    // Includes the upstream that ended it: the two retain each other until the cancellation.
    for upstream in upstreams { upstream.cancel() }
  }

  /// Requests all values of an upstream, or cancels it after the end.
  public func send(subscription: any Subscription) {
    let isWanted = lock {
      if completion == nil { upstreams.append(subscription) }
      return completion == nil
    }
    if isWanted { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  /// Adds a subscriber after the existing ones. After the end, it only gets the completion.
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

  /// The subscription of a type-erased subscriber.
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
    /// The current value, if it is not delivered yet.
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
  /// Returns a publisher like `share()`, which serves its subscribers in the order of subscription.
  public func sharedInOrder()
    -> Publishers.Autoconnect<Publishers.Multicast<Self, OrderedSubject<Output, Failure>>>
  {
    multicast(subject: OrderedSubject()).autoconnect()
  }
}
