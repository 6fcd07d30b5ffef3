/// A process state, with the means to run the process.
///
///     @LoadingProcess var saving
///
///     $saving.run { try await upload() }
///
/// With a kind, `@LoadingProcess<Action> var action`, several processes share one state. Use it on
/// one actor; the blocks run there. Copies share their state.
@propertyWrapper
public struct LoadingProcess<ProcessKind: Equatable> {
  private let driver: LoadDriver<ProcessState<ProcessKind>>

  /// Makes a process in this state, without a run. `clock` measures interrupts.
  public init(
    wrappedValue initialState: ProcessState<ProcessKind> = .idle,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    driver = LoadDriver(initialState, policy: policy, clock: clock)
  }

  /// Makes a process with only one kind. `clock` measures interrupts.
  public init(
    wrappedValue initialState: ProcessState<ProcessKind> = .idle,
    policy: LoadingPolicy = .latest,
    clock: any Clock<Duration> = ContinuousClock()
  ) where ProcessKind == SingleProcess {
    // Processed's wrapper ignores the initial state here.
    let state = policy == .processedWrapper ? .idle : initialState
    driver = LoadDriver(state, policy: policy, clock: clock)
  }

  /// The state. Writing it cancels the running process, unless the policy says otherwise.
  public var wrappedValue: ProcessState<ProcessKind> {
    get { driver.state }
    nonmutating set { driver.set(newValue) }
  }

  /// The value of `$name`, which starts runs. All bindings refer to the same state.
  public var projectedValue: Binding { Binding(driver: driver) }

  /// The value of `$name`: runs, cancels and resets. It can be passed on, and used as a property
  /// wrapper by its receiver.
  @propertyWrapper
  public struct Binding {
    /// The driver, for observing the process or its attempts.
    public let driver: LoadDriver<ProcessState<ProcessKind>>

    /// The state. Writing it cancels the running process, unless the policy says otherwise.
    public var wrappedValue: ProcessState<ProcessKind> {
      get { driver.state }
      nonmutating set { driver.set(newValue) }
    }

    /// The binding itself, so that its receiver can pass `$name` on.
    public var projectedValue: Binding { self }
  }
}

/// The value of `$name` for a `LoadingProcess`.
public typealias ProcessBinding<ProcessKind: Equatable> = LoadingProcess<ProcessKind>.Binding

extension LoadingProcess.Binding {
  /// Makes a binding to the same state, as the initial value of a wrapper.
  public init(_ binding: LoadingProcess<ProcessKind>.Binding) {
    self = binding
  }

  /// Makes a binding that is always in this state: processes run, but their writes are ignored.
  public static func constant(
    _ state: ProcessState<ProcessKind>
  ) -> LoadingProcess<ProcessKind>.Binding {
    Self(driver: .constant(state))
  }

  /// A binding to the state alone, which cannot run anything.
  public var binding: StateBinding<ProcessState<ProcessKind>> {
    StateBinding(get: { driver.state }, set: { driver.set($0) })
  }

  /// Cancels the running process. The policy determines the state after that.
  public func cancel() {
    driver.cancel()
  }

  /// Cancels the running process and writes `idle`.
  public func reset() {
    driver.reset()
  }
}
