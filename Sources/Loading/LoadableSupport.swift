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
/// Blocks run on the caller's actor. The class's `loadingPolicy` determines what happens when loads
/// overlap, are cancelled, or when the property is written directly. By default a direct write
/// stays: it cancels the load, whose answer is dropped.
///
/// A property does not report a direct write. The driver notices it when the load yields or ends,
/// or at the next other use of the driver; until then the load's task continues. The driver
/// compares states: it notices a write of another case, or of an unequal value if the value is
/// `Equatable`.
public protocol LoadableSupport: LoadingSupport {}

/// `LoadableSupport` for a class of the main actor. The conformance alone puts the class on the main actor, so every
/// load begins, writes and ends there, as in Processed.
///
///     final class ViewModel: MainActorLoadableSupport {
///       var numbers: LoadableState<[Int]> = .absent
///     }
///
/// Without it, and without `@MainActor`, a class belongs to no actor, and a load that an `async` function without an
/// actor awaits writes on another thread.
@MainActor public protocol MainActorLoadableSupport: LoadableSupport {}

extension LoadableSupport {
  /// Returns the driver of a property, for observing it, its attempts, or the value that it kept.
  public func driver<Value>(
    of loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>
  ) -> LoadDriver<LoadableState<Value>> {
    driver(behind: loadableState)
  }

  /// Cancels the load in flight. The policy determines the state after that.
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

  /// Loads in a new task: the block's value becomes `loaded`, an error that it throws `error`.
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
  /// An error thrown by `onInterrupt`, such as `TimeoutError`, ends the load with that error.
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

  /// Loads, and returns when the load has ended. Cancelling the caller's task cancels the load.
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

  /// Loads, calls `onInterrupt` after each of the delays, and returns when the load has ended.
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

  /// Returns a block that retains the instance, even if the original block does not capture it.
  private func retaining<Value>(
    _ block: @escaping () async throws -> Value
  ) -> (AttemptContext<LoadableState<Value>>) async throws -> Value? {
    { _ in
      defer { withExtendedLifetime(self) {} }
      return try await block()
    }
  }
}
