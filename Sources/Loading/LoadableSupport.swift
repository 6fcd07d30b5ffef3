/// Loads into a class's `LoadableState` properties, each by its key path.
///
///     @MainActor final class ViewModel: LoadableSupport {
///       var numbers: LoadableState<[Int]> = .absent
///
///       func loadNumbers() {
///         load(\.numbers) { try await fetchNumbers() }
///       }
///     }
///
/// Blocks run on the caller's actor. What happens when a load meets another one, and what a
/// cancelled one leaves behind, is the class's `loadingPolicy`; so is what becomes of a load when
/// its property is written by hand. By default what was written stays: the load is cancelled, its
/// answer dropped. A property does not tell that it is written, so this is found out when the load
/// yields or ends, or the driver is used in another way; until then the load's task runs on. And
/// it is found out by the state's being another one: of another case, or not equal to the one
/// before, where the value has an `==`.
public protocol LoadableSupport: LoadingSupport {}

extension LoadableSupport {
  /// The driver behind a property: to observe it, to see its attempts, or the value it kept.
  public func driver<Value>(
    of loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>
  ) -> LoadDriver<LoadableState<Value>> {
    driver(behind: loadableState)
  }

  /// Cancels the load in flight. The policy says where that leaves the state.
  public func cancel<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>
  ) {
    driver(behind: loadableState).cancel()
  }

  /// Cancels the load in flight and writes `absent`.
  public func reset<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>
  ) {
    driver(behind: loadableState).reset()
  }

  // MARK: Blocks that return a value

  /// Loads in a new task: the block's value becomes `loaded`, what it throws `error`.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the load, unless
  ///   the load is shared.
  @discardableResult
  public func load<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>,
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Value
  ) -> Task<Void, Never> {
    driver(behind: loadableState).start(
      (),
      silently: runSilently,
      priority: priority,
      block: retaining(block)
    )
  }

  /// Loads in a new task, and calls `onInterrupt` after each of the delays, with their sum.
  ///
  /// Throwing from `onInterrupt` ends the load: `TimeoutError`, for instance, with an error.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the load, unless
  ///   the load is shared.
  @discardableResult
  public func load<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Value,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> {
    driver(behind: loadableState).start(
      (),
      silently: runSilently,
      priority: priority,
      interrupts: interrupts,
      onInterrupt: onInterrupt,
      block: retaining(block)
    )
  }

  /// Loads and returns when that is over. Cancelling the caller's task cancels the load.
  public func load<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>,
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Value
  ) async {
    await driver(behind: loadableState).run(
      (),
      silently: runSilently,
      block: retaining(block)
    )
  }

  /// Loads, calls `onInterrupt` after each of the delays, and returns when the load is over.
  ///
  /// Cancelling the caller's task cancels the load.
  public func load<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Value,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async {
    await driver(behind: loadableState).run(
      (),
      silently: runSilently,
      interrupts: interrupts,
      onInterrupt: onInterrupt,
      block: retaining(block)
    )
  }

  /// A task retains the instance that it loads for, whether or not its block mentions it.
  private func retaining<Value>(
    _ block: @escaping () async throws -> Value
  ) -> (AttemptContext<LoadableState<Value>>) async throws -> Value? {
    { _ in
      defer { withExtendedLifetime(self) {} }
      return try await block()
    }
  }
}
