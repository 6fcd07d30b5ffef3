#if !canImport(Combine)
/// Merges publishers in the order of arrival (`merge`): when the result finishes, fails, and cancels the others.
extension Publishers {
  /// A publisher of the values of two publishers, in the order of arrival.
  ///
  /// It finishes when all of them have finished. If one fails, it fails and cancels the others.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    /// The output of all of them.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B

    /// Creates a publisher that merges these.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let junction = MergeJunction(downstream: subscriber, count: 2)
      subscriber.receive(subscription: junction)
      a.subscribe(Side(junction: junction, number: 0) { $0 })
      b.subscribe(Side(junction: junction, number: 1) { $0 })
    }
  }

  /// A publisher of the values of three publishers, in the order of arrival.
  ///
  /// It finishes when all of them have finished. If one fails, it fails and cancels the others.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure {
    /// The output of all of them.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B
    /// One of the publishers.
    public let c: C

    /// Creates a publisher that merges these.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let junction = MergeJunction(downstream: subscriber, count: 3)
      subscriber.receive(subscription: junction)
      a.subscribe(Side(junction: junction, number: 0) { $0 })
      b.subscribe(Side(junction: junction, number: 1) { $0 })
      c.subscribe(Side(junction: junction, number: 2) { $0 })
    }
  }

  /// A publisher of the values of four publishers, in the order of arrival.
  ///
  /// It finishes when all of them have finished. If one fails, it fails and cancels the others.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
    A.Output == D.Output, A.Failure == D.Failure
  {
    /// The output of all of them.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B
    /// One of the publishers.
    public let c: C
    /// One of the publishers.
    public let d: D

    /// Creates a publisher that merges these.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let junction = MergeJunction(downstream: subscriber, count: 4)
      subscriber.receive(subscription: junction)
      a.subscribe(Side(junction: junction, number: 0) { $0 })
      b.subscribe(Side(junction: junction, number: 1) { $0 })
      c.subscribe(Side(junction: junction, number: 2) { $0 })
      d.subscribe(Side(junction: junction, number: 3) { $0 })
    }
  }

  /// A publisher of the values of many publishers, in the order of arrival.
  ///
  /// It finishes when all of them have finished, or immediately if there are none. If one fails, it
  /// fails and cancels the others.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// The output of all of them.
    public typealias Output = Upstream.Output
    /// The failure of all of them.
    public typealias Failure = Upstream.Failure

    /// The publishers.
    public let publishers: [Upstream]

    /// Creates a publisher that merges these.
    public init(_ publishers: Upstream...) {
      self.publishers = publishers
    }

    /// Creates a publisher that merges these.
    public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let junction = MergeJunction(downstream: subscriber, count: publishers.count)
      subscriber.receive(subscription: junction)
      if publishers.isEmpty { return subscriber.receive(completion: .finished) }
      for (number, publisher) in publishers.enumerated() {
        publisher.subscribe(Side(junction: junction, number: number) { $0 })
      }
    }
  }
}

extension Publisher {
  /// Publishes the values of both, in the order of arrival.
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Publishes the values of all three, in the order of arrival.
  public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge3(self, b, c)
  }

  /// Publishes the values of all four, in the order of arrival.
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B,
    _ c: C,
    _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// Publishes the values of both, in the order of arrival.
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany(self, other)
  }
}
#endif
