/// The common requirements of `LoadableSupport` and `ProcessSupport`.
///
/// In a class that belongs to an actor, such as the main actor, declare these `nonisolated`.
public protocol LoadingSupport: AnyObject {
  /// The policy of the class's loads and processes. Read once for each property of an instance.
  var loadingPolicy: LoadingPolicy { get }
  /// The clock that measures interrupts. Read once for each property of an instance.
  var loadingClock: any Clock<Duration> { get }
}

extension LoadingSupport {
  /// By default `.latest`: the latest attempt wins.
  public var loadingPolicy: LoadingPolicy { .latest }
  /// By default the continuous clock, which shows virtual time on a stage.
  public var loadingClock: any Clock<Duration> { ContinuousClock() }

  /// Returns the driver of one of this instance's properties, made at its first use.
  func driver<State: LifecycleState>(
    behind property: ReferenceWritableKeyPath<Self, State>
  ) -> LoadDriver<State> {
    DriverRegistry.shared.driver(of: self, property) {
      let home = StateHome<State>(
        read: { [weak self] in self?[keyPath: property] },
        write: { [weak self] in self?[keyPath: property] = $0 }
      )
      let slot = loadingPolicy.sharing == .instancesOfType ? SharedSlots.current[property] : nil
      return LoadDriver(
        self[keyPath: property],
        home: home,
        policy: loadingPolicy,
        clock: loadingClock,
        slot: slot
      )
    }
  }
}
