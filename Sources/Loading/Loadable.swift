/// A loadable state, with the means to load it.
///
///     @Loadable<[Int]> var numbers
///
///     $numbers.load { try await fetchNumbers() }
///
/// Use it on one actor; the blocks run there. Copies share their state.
@propertyWrapper
public struct Loadable<Value> {
  private let driver: LoadDriver<LoadableState<Value>>

  /// Makes a loadable in this state, without a load. `clock` measures interrupts.
  public init(
    wrappedValue initialState: LoadableState<Value> = .absent,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    driver = LoadDriver(initialState, policy: policy, clock: clock)
  }

  /// The state. Writing it cancels the load in flight, unless the policy says otherwise.
  public var wrappedValue: LoadableState<Value> {
    get { driver.state }
    nonmutating set { driver.set(newValue) }
  }

  /// The value of `$name`, which starts loads. All bindings refer to the same state.
  public var projectedValue: Binding { Binding(driver: driver) }

  /// The value of `$name`: loads, cancels and resets. It can be passed on, and used as a property
  /// wrapper by its receiver.
  @propertyWrapper
  public struct Binding {
    /// The driver, for observing the loadable, its attempts, or the value that it kept.
    public let driver: LoadDriver<LoadableState<Value>>

    /// The state. Writing it cancels the load in flight, unless the policy says otherwise.
    public var wrappedValue: LoadableState<Value> {
      get { driver.state }
      nonmutating set { driver.set(newValue) }
    }

    /// The binding itself, so that its receiver can pass `$name` on.
    public var projectedValue: Binding { self }
  }
}

/// The value of `$name` for a `Loadable`.
public typealias LoadableBinding<Value> = Loadable<Value>.Binding

extension Loadable.Binding {
  /// Makes a binding to a loadable without a property wrapper.
  public init(_ driver: LoadDriver<LoadableState<Value>>) {
    self.init(driver: driver)
  }

  /// Makes a binding to the same state, as the initial value of a wrapper.
  public init(_ binding: Loadable<Value>.Binding) {
    self = binding
  }

  /// Makes a binding that is always in this state: loads run, but their writes are ignored.
  public static func constant(_ state: LoadableState<Value>) -> Loadable<Value>.Binding {
    Self(driver: .constant(state))
  }

  /// A binding to the state alone, which cannot load.
  public var binding: StateBinding<LoadableState<Value>> {
    StateBinding(get: { driver.state }, set: { driver.set($0) })
  }

  /// A binding to the loaded value; nil unless the state is `loaded`.
  ///
  /// It reads the current value, or the last loaded one. Writes are ignored when the state is no
  /// longer `loaded`.
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

  /// Cancels the load in flight. The policy determines the state after that.
  public func cancel() {
    driver.cancel()
  }

  /// Cancels the load in flight and writes `absent`.
  public func reset() {
    driver.reset()
  }
}
