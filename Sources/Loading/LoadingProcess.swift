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
    /// The storage of the latest task, if it is outside of the driver.
    var task: StateBinding<Task<Void, Never>?>?

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
  /// Makes a binding to a process without a property wrapper.
  public init(_ driver: LoadDriver<ProcessState<ProcessKind>>) {
    self.init(driver: driver)
  }

  /// Makes a binding to a state and a task that are stored elsewhere, as in Processed.
  ///
  /// Each run that returns a task writes it to `task`. Each run first cancels the task that it finds there, also if
  /// another binding stored it.
  ///
  /// - Parameters:
  ///   - state: read and written by each run. A direct write is noticed when a run ends, or earlier.
  ///   - task: the latest task.
  ///   - policy: the behaviour where runs have a choice. Several bindings with the same storage need a policy that
  ///     leaves the state after a cancellation, such as the default.
  ///   - clock: measures interrupts.
  public init(
    state: StateBinding<ProcessState<ProcessKind>>,
    task: StateBinding<Task<Void, Never>?>,
    policy: LoadingPolicy = .processedWrapper,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let driver = LoadDriver<ProcessState<ProcessKind>>(
      policy: policy,
      clock: clock,
      reading: { state.wrappedValue },
      writing: { state.wrappedValue = $0 }
    )
    self.init(driver: driver, task: task)
  }

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
    task?.cancel()
    driver.cancel()
  }

  /// Cancels the running process and writes `idle`.
  public func reset() {
    task?.cancel()
    driver.reset()
  }
}
