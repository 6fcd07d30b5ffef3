#if !canImport(Combine)
/// The meeting point of several upstreams, which are identified by number.
protocol Junction<Input, Failure>: AnyObject {
  associatedtype Input
  associatedtype Failure: Error

  func receive(_ subscription: any Subscription, from side: Int)
  func receive(_ input: Input, from side: Int) -> Subscribers.Demand
  func receive(_ completion: Subscribers.Completion<Failure>, from side: Int)
}

/// The subscriber of one upstream of a junction.
struct Side<Upstream, Meeting: Junction>: Subscriber {
  typealias Failure = Meeting.Failure

  let junction: Meeting
  let number: Int
  /// Converts a value for the junction.
  let convert: (Upstream) -> Meeting.Input
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) {
    junction.receive(subscription, from: number)
  }

  func receive(_ input: Upstream) -> Subscribers.Demand {
    junction.receive(convert(input), from: number)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    junction.receive(completion, from: number)
  }
}
#endif
