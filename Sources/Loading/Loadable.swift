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
    /// The storage of the latest task, if it is outside of the driver.
    var task: StateBinding<Task<Void, Never>?>?

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

  /// Makes a binding to a state and a task that are stored elsewhere, as in Processed.
  ///
  /// Each load that returns a task writes it to `task`. Each load first cancels the task that it finds there, also if
  /// another binding stored it.
  ///
  /// - Parameters:
  ///   - state: read and written by each load. A direct write is noticed when a load yields or ends, or earlier.
  ///   - task: the latest task.
  ///   - policy: the behaviour where loads have a choice. Several bindings with the same storage need a policy that
  ///     leaves the state after a cancellation, such as the default.
  ///   - clock: measures interrupts.
  public init(
    state: StateBinding<LoadableState<Value>>,
    task: StateBinding<Task<Void, Never>?>,
    policy: LoadingPolicy = .processedWrapper,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let driver = LoadDriver<LoadableState<Value>>(
      policy: policy,
      clock: clock,
      reading: { state.wrappedValue },
      writing: { state.wrappedValue = $0 }
    )
    self.init(driver: driver, task: task)
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
    task?.cancel()
    driver.cancel()
  }

  /// Cancels the load in flight and writes `absent`.
  public func reset() {
    task?.cancel()
    driver.reset()
  }
}
