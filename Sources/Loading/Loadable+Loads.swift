/// Starts a load of a property with `@Loadable`, by `$property.load`: blocks that return a value or yield states.
extension Loadable.Binding {
  // MARK: Blocks that return a value

  /// Loads in a new task: the block's value becomes `loaded`, an error that it throws `error`.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the load, unless
  ///   the load is shared.
  @discardableResult
  public func load(
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Value
  ) -> Task<Void, Never> {
    task?.cancel()
    let new = driver.start((), silently: runSilently, priority: priority) { _ in try await block() }
    task?.wrappedValue = new
    return new
  }

  /// Loads in a new task, and calls `onInterrupt` after each of the delays, with their sum.
  ///
  /// An error thrown by `onInterrupt`, such as `TimeoutError`, ends the load with that error.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the load, unless
  ///   the load is shared.
  @discardableResult
  public func load(
    silently runSilently: Bool = false,
    interrupts: [Duration],
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Value,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> {
    task?.cancel()
    let new = driver.start(
      (),
      silently: runSilently,
      priority: priority,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { _ in try await block() }
    task?.wrappedValue = new
    return new
  }

  /// Loads, and returns when the load has ended. Cancelling the caller's task cancels the load.
  public func load(
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Value
  ) async {
    task?.cancel()
    await driver.run((), silently: runSilently) { _ in try await block() }
  }

  /// Loads, calls `onInterrupt` after each of the delays, and returns when the load has ended.
  ///
  /// Cancelling the caller's task cancels the load.
  public func load(
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Value,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async {
    task?.cancel()
    await driver.run(
      (),
      silently: runSilently,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { _ in try await block() }
  }

  // MARK: Blocks that yield states

  /// Loads in a new task; the block yields any number of states while it runs.
  ///
  /// The last yielded state stays. A block that throws ends the load as in the other forms.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the load, unless
  ///   the load is shared.
  @discardableResult
  public func load(
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void
  ) -> Task<Void, Never> {
    task?.cancel()
    let new = driver.start((), silently: runSilently, priority: priority) { context in
      try await block { context.yield($0) }
      return nil
    }
    task?.wrappedValue = new
    return new
  }

  /// Loads in a new task with a block that yields, and calls `onInterrupt` after each of the delays.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the load, unless
  ///   the load is shared.
  @discardableResult
  public func load(
    silently runSilently: Bool = false,
    interrupts: [Duration],
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> {
    task?.cancel()
    let new = driver.start(
      (),
      silently: runSilently,
      priority: priority,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { context in
      try await block { context.yield($0) }
      return nil
    }
    task?.wrappedValue = new
    return new
  }

  /// Loads with a block that yields, and returns when the load has ended.
  ///
  /// Cancelling the caller's task cancels the load.
  public func load(
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void
  ) async {
    task?.cancel()
    await driver.run((), silently: runSilently) { context in
      try await block { context.yield($0) }
      return nil
    }
  }

  /// Loads with a block that yields, calls `onInterrupt` after each of the delays, and returns when
  /// the load has ended.
  ///
  /// Cancelling the caller's task cancels the load.
  public func load(
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    block:
      @escaping (_ yield: (_ state: LoadableState<Value>) -> Void) async throws -> Void,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async {
    task?.cancel()
    await driver.run(
      (),
      silently: runSilently,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { context in
      try await block { context.yield($0) }
      return nil
    }
  }
}
