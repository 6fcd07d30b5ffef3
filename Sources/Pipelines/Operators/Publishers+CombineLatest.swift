#if !canImport(Combine)
extension Publishers {
  /// A publisher of the latest values of two publishers, whenever one of them sends a value, once
  /// both have.
  ///
  /// It finishes when all of them have finished. If one fails, it fails and cancels the others.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
    /// The latest values, in the order of the publishers.
    public typealias Output = (A.Output, B.Output)
    /// The failure of all of them.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B

    /// Creates a publisher that combines these.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let none: (A.Output?, B.Output?) = (nil, nil)
      let junction = CombineLatestJunction(downstream: subscriber, count: 2, latest: none) {
        if let a = $0.0, let b = $0.1 { (a, b) } else { nil }
      }
      a.subscribe(Side(junction: junction, number: 0) { value in { $0.0 = value } })
      b.subscribe(Side(junction: junction, number: 1) { value in { $0.1 = value } })
      subscriber.receive(subscription: junction)
    }
  }

  /// A publisher of the latest values of three publishers, whenever one of them sends a value, once
  /// all have.
  ///
  /// It finishes when all of them have finished. If one fails, it fails and cancels the others.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, A.Failure == C.Failure {
    /// The latest values, in the order of the publishers.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The failure of all of them.
    public typealias Failure = A.Failure

    /// One of the publishers.
    public let a: A
    /// One of the publishers.
    public let b: B
    /// One of the publishers.
    public let c: C

    /// Creates a publisher that combines these.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let none: (A.Output?, B.Output?, C.Output?) = (nil, nil, nil)
      let junction = CombineLatestJunction(downstream: subscriber, count: 3, latest: none) {
        if let a = $0.0, let b = $0.1, let c = $0.2 { (a, b, c) } else { nil }
      }
      a.subscribe(Side(junction: junction, number: 0) { value in { $0.0 = value } })
      b.subscribe(Side(junction: junction, number: 1) { value in { $0.1 = value } })
      c.subscribe(Side(junction: junction, number: 2) { value in { $0.2 = value } })
      subscriber.receive(subscription: junction)
    }
  }

  /// A publisher of the latest values of four publishers, whenever one of them sends a value, once
  /// all have.
  ///
  /// It finishes when all of them have finished. If one fails, it fails and cancels the others.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
    /// The latest values, in the order of the publishers.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
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

    /// Creates a publisher that combines these.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let none: (A.Output?, B.Output?, C.Output?, D.Output?) = (nil, nil, nil, nil)
      let junction = CombineLatestJunction(downstream: subscriber, count: 4, latest: none) {
        if let a = $0.0, let b = $0.1, let c = $0.2, let d = $0.3 { (a, b, c, d) } else { nil }
      }
      a.subscribe(Side(junction: junction, number: 0) { value in { $0.0 = value } })
      b.subscribe(Side(junction: junction, number: 1) { value in { $0.1 = value } })
      c.subscribe(Side(junction: junction, number: 2) { value in { $0.2 = value } })
      d.subscribe(Side(junction: junction, number: 3) { value in { $0.3 = value } })
      subscriber.receive(subscription: junction)
    }
  }

  /// A publisher of the latest values of many publishers as a list, whenever one of them sends a
  /// value, once all have. Not in Combine.
  ///
  /// It finishes when all of them have finished, or immediately if there are none. If one fails, it
  /// fails and cancels the others.
  public struct CombineLatestMany<Upstream: Publisher>: Publisher {
    /// The latest values, in the order of the publishers.
    public typealias Output = [Upstream.Output]
    /// The failure of all of them.
    public typealias Failure = Upstream.Failure

    /// The publishers.
    public let publishers: [Upstream]

    /// Creates a publisher that combines these.
    public init<S: Swift.Sequence>(_ publishers: S) where S.Element == Upstream {
      self.publishers = Array(publishers)
    }

    /// Subscribes to each of them, in this order.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let none = [Upstream.Output?](repeating: nil, count: publishers.count)
      let junction = CombineLatestJunction(
        downstream: subscriber,
        count: publishers.count,
        latest: none
      ) { latest in
        let values = latest.compactMap(\.self)
        return values.count == latest.count ? values : nil
      }
      for (number, publisher) in publishers.enumerated() {
        publisher.subscribe(
          Side(junction: junction, number: number) { value in { $0[number] = value } }
        )
      }
      subscriber.receive(subscription: junction)
      if publishers.isEmpty { subscriber.receive(completion: .finished) }
    }
  }
}
#endif
