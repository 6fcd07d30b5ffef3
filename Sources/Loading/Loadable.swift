/// A loadable state with everything that loads it.
///
///     @Loadable<[Int]> var numbers
///
///     $numbers.load { try await fetchNumbers() }
///
/// To be used on one actor, where the blocks run too. Copies share their state.
@propertyWrapper
public struct Loadable<Value> {
  private let driver: LoadDriver<LoadableState<Value>>

  /// A loadable in this state, which nothing loads yet. Interrupts are due by `clock`.
  public init(
    wrappedValue initialState: LoadableState<Value> = .absent,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    driver = LoadDriver(initialState, policy: policy, clock: clock)
  }

  /// Writing it by hand cancels the load in flight, unless the policy says otherwise.
  public var wrappedValue: LoadableState<Value> {
    get { driver.state }
    nonmutating set { driver.set(newValue) }
  }

  /// What `$name` gives: the means to load it. All bindings act upon the same state.
  public var projectedValue: Binding { Binding(driver: driver) }

  /// Loads, cancels and resets; what `$name` gives. Can be passed on, and be a property wrapper
  /// where it arrives.
  @propertyWrapper
  public struct Binding {
    /// To observe the loadable, to see its attempts, or the value it kept.
    public let driver: LoadDriver<LoadableState<Value>>

    /// Writing it by hand cancels the load in flight, unless the policy says otherwise.
    public var wrappedValue: LoadableState<Value> {
      get { driver.state }
      nonmutating set { driver.set(newValue) }
    }

    /// The binding itself, so that `$name` can be passed on from where it arrived.
    public var projectedValue: Binding { self }
  }
}

/// What `$name` gives for a `Loadable`.
public typealias LoadableBinding<Value> = Loadable<Value>.Binding

extension Loadable.Binding {
  /// A binding to a loadable that has no wrapper.
  public init(_ driver: LoadDriver<LoadableState<Value>>) {
    self.init(driver: driver)
  }

  /// A binding to the same state, to begin a wrapper with.
  public init(_ binding: Loadable<Value>.Binding) {
    self = binding
  }

  /// A binding that is always in this state: loads run, but what they write is ignored.
  public static func constant(_ state: LoadableState<Value>) -> Loadable<Value>.Binding {
    Self(driver: .constant(state))
  }

  /// The state alone, without the means to load it.
  public var binding: StateBinding<LoadableState<Value>> {
    StateBinding(get: { driver.state }, set: { driver.set($0) })
  }

  /// The loaded value, to be edited in place; nil unless the state is `loaded`.
  ///
  /// It reads what is loaded at that time, or the last value that was, and writes nothing once the
  /// state is no longer `loaded`.
  public var loadedBinding: StateBinding<Value>? {
    guard var last = driver.state.data else { return nil }
    return StateBinding {
      last = driver.state.data ?? last
      return last
    } set: { newValue in
      guard driver.state.isLoaded else { return }
      driver.set(.loaded(newValue))
    }
  }

  /// Cancels the load in flight. The policy says where that leaves the state.
  public func cancel() {
    driver.cancel()
  }

  /// Cancels the load in flight and writes `absent`.
  public func reset() {
    driver.reset()
  }
}
