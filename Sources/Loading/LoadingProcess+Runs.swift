/// Starts a process of a property with `@LoadingProcess`, by `$property.run`.
extension LoadingProcess.Binding {
  // MARK: Processes of a kind

  /// Runs a process of this kind in a new task: it ends `finished`, or `failed` if the block throws.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run(
    _ process: ProcessKind,
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void
  ) -> Task<Void, Never> {
    task?.cancel()
    let new = driver.start(process, silently: runSilently, priority: priority) { _ in
      try await block()
    }
    task?.wrappedValue = new
    return new
  }

  /// Runs a process of this kind in a new task, and calls `onInterrupt` after each of the delays,
  /// with their sum.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run(
    _ process: ProcessKind,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> {
    task?.cancel()
    let new = driver.start(
      process,
      silently: runSilently,
      priority: priority,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { _ in try await block() }
    task?.wrappedValue = new
    return new
  }

  /// Runs a process of this kind, and returns when it has ended. Cancelling the caller's task
  /// cancels the process.
  public func run(
    _ process: ProcessKind,
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void
  ) async {
    task?.cancel()
    await driver.run(process, silently: runSilently) { _ in try await block() }
  }

  /// Runs a process of this kind, calls `onInterrupt` after each of the delays, and returns when
  /// the process has ended.
  ///
  /// Cancelling the caller's task cancels the process.
  public func run(
    _ process: ProcessKind,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async {
    task?.cancel()
    await driver.run(
      process,
      silently: runSilently,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { _ in try await block() }
  }

  // MARK: Processes with only one kind

  /// Runs the process in a new task: it ends `finished`, or `failed` if the block throws.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run(
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void
  ) -> Task<Void, Never> where ProcessKind == SingleProcess {
    task?.cancel()
    let new = driver.start(driver.nextProcess, silently: runSilently, priority: priority) { _ in
      try await block()
    }
    task?.wrappedValue = new
    return new
  }

  /// Runs the process in a new task, and calls `onInterrupt` after each of the delays, with their
  /// sum.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run(
    silently runSilently: Bool = false,
    interrupts: [Duration],
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> where ProcessKind == SingleProcess {
    task?.cancel()
    let new = driver.start(
      driver.nextProcess,
      silently: runSilently,
      priority: priority,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { _ in try await block() }
    task?.wrappedValue = new
    return new
  }

  /// Runs the process, and returns when it has ended. Cancelling the caller's task cancels it.
  public func run(
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void
  ) async where ProcessKind == SingleProcess {
    task?.cancel()
    await driver.run(driver.nextProcess, silently: runSilently) { _ in try await block() }
  }

  /// Runs the process, calls `onInterrupt` after each of the delays, and returns when it has ended.
  ///
  /// Cancelling the caller's task cancels it.
  public func run(
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping () async throws -> Void,
    onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async where ProcessKind == SingleProcess {
    task?.cancel()
    await driver.run(
      driver.nextProcess,
      silently: runSilently,
      interrupts: interrupts,
      onInterrupt: onInterrupt
    ) { _ in try await block() }
  }
}
