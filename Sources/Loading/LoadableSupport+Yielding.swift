/// Starts loads by a key path, with blocks that yield any number of states.
extension LoadableSupport {
  // MARK: Blocks that yield states

  /// Loads in a new task; the block yields any number of states while it runs.
  ///
  /// The last yielded state stays. A block that throws ends the load as in the other forms.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the load, unless
  ///   the load is shared.
  @discardableResult
  public func load<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>,
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void
  ) -> Task<Void, Never> {
    driver(of: loadableState).start(
      (),
      silently: runSilently,
      priority: priority,
      block: yielding(block)
    )
  }

  /// Loads in a new task with a block that yields, and calls `onInterrupt` after each of the delays.
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
    @_implicitSelfCapture block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> {
    driver(of: loadableState).start(
      (),
      silently: runSilently,
      priority: priority,
      interrupts: interrupts,
      onInterrupt: onInterrupt,
      block: yielding(block)
    )
  }

  /// Loads with a block that yields, and returns when the load has ended.
  ///
  /// Cancelling the caller's task cancels the load.
  public func load<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>,
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void
  ) async {
    await driver(of: loadableState).run((), silently: runSilently, block: yielding(block))
  }

  /// Loads with a block that yields, calls `onInterrupt` after each of the delays, and returns when
  /// the load has ended.
  ///
  /// Cancelling the caller's task cancels the load.
  public func load<Value>(
    _ loadableState: ReferenceWritableKeyPath<Self, LoadableState<Value>>,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async {
    await driver(of: loadableState).run(
      (),
      silently: runSilently,
      interrupts: interrupts,
      onInterrupt: onInterrupt,
      block: yielding(block)
    )
  }

  private func yielding<Value>(
    _ block: @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void
  ) -> (AttemptContext<LoadableState<Value>>) async throws -> Value? {
    { context in
      defer { withExtendedLifetime(self) {} }
      try await block { context.yield($0) }
      return nil
    }
  }
}
