/// What `LoadableSupport` and `ProcessSupport` have in common: how a class's loads behave.
///
/// In a class that belongs to an actor, such as the main actor, state these as `nonisolated`.
public protocol LoadingSupport: AnyObject {
  /// How this class's loads and processes behave where there is a choice. Asked once for each
  /// property of an instance.
  var loadingPolicy: LoadingPolicy { get }
  /// The clock by which interrupts are due. Asked once for each property of an instance.
  var loadingClock: any Clock<Duration> { get }
}

extension LoadingSupport {
  /// By default `.latest`: the latest attempt wins.
  public var loadingPolicy: LoadingPolicy { .latest }
  /// By default the continuous clock, which shows virtual time on a stage.
  public var loadingClock: any Clock<Duration> { ContinuousClock() }

  /// The driver behind one of this instance's properties, made at the first use.
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
