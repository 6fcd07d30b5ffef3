/// A process state with everything that runs it.
///
///     @LoadingProcess var saving
///
///     $saving.run { try await upload() }
///
/// With a kind, `@LoadingProcess<Action> var action`, several processes share one state. To be used
/// on one actor, where the blocks run too. Copies share their state.
@propertyWrapper
public struct LoadingProcess<ProcessKind: Equatable> {
  private let driver: LoadDriver<ProcessState<ProcessKind>>

  /// A process in this state, which nothing runs yet. Interrupts are due by `clock`.
  public init(
    wrappedValue initialState: ProcessState<ProcessKind> = .idle,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    driver = LoadDriver(initialState, policy: policy, clock: clock)
  }

  /// A process of which there is only one kind. Interrupts are due by `clock`.
  public init(
    wrappedValue initialState: ProcessState<ProcessKind> = .idle,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) where ProcessKind == SingleProcess {
    // Processed's wrapper ignores the initial state here.
    let state = policy == .processedWrapper ? .idle : initialState
    driver = LoadDriver(state, policy: policy, clock: clock)
  }

  /// Writing it by hand cancels the process that runs, unless the policy says otherwise.
  public var wrappedValue: ProcessState<ProcessKind> {
    get { driver.state }
    nonmutating set { driver.set(newValue) }
  }

  /// What `$name` gives: the means to run it. All bindings act upon the same state.
  public var projectedValue: Binding { Binding(driver: driver) }

  /// Runs, cancels and resets; what `$name` gives. Can be passed on, and be a property wrapper
  /// where it arrives.
  @propertyWrapper
  public struct Binding {
    /// To observe the process, or to see its attempts.
    public let driver: LoadDriver<ProcessState<ProcessKind>>

    /// Writing it by hand cancels the process that runs, unless the policy says otherwise.
    public var wrappedValue: ProcessState<ProcessKind> {
      get { driver.state }
      nonmutating set { driver.set(newValue) }
    }

    /// The binding itself, so that `$name` can be passed on from where it arrived.
    public var projectedValue: Binding { self }
  }
}

/// What `$name` gives for a `LoadingProcess`.
public typealias ProcessBinding<ProcessKind: Equatable> = LoadingProcess<ProcessKind>.Binding

extension LoadingProcess.Binding {
  /// A binding to the same state, to begin a wrapper with.
  public init(_ binding: LoadingProcess<ProcessKind>.Binding) {
    self = binding
  }

  /// A binding that is always in this state: processes run, but what they write is ignored.
  public static func constant(
    _ state: ProcessState<ProcessKind>
  ) -> LoadingProcess<ProcessKind>.Binding {
    Self(driver: .constant(state))
  }

  /// The state alone, without the means to run anything.
  public var binding: StateBinding<ProcessState<ProcessKind>> {
    StateBinding(get: { driver.state }, set: { driver.set($0) })
  }

  /// Cancels the process that runs. The policy says where that leaves the state.
  public func cancel() {
    driver.cancel()
  }

  /// Cancels the process that runs and writes `idle`.
  public func reset() {
    driver.reset()
  }
}
