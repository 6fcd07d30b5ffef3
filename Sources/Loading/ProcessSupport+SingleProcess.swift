/// Runs processes by a key path, for properties whose process has only one kind.
extension ProcessSupport {
  // MARK: Processes with only one kind

  /// Runs the process in a new task: it ends `finished`, or `failed` if the block throws.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<SingleProcess>>,
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void
  ) -> Task<Void, Never> {
    run(
      processState,
      as: driver(of: processState).nextProcess,
      silently: runSilently,
      priority: priority,
      block: block
    )
  }

  /// Runs the process in a new task, and calls `onInterrupt` after each of the delays, with their
  /// sum.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<SingleProcess>>,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> {
    run(
      processState,
      as: driver(of: processState).nextProcess,
      silently: runSilently,
      interrupts: interrupts,
      priority: priority,
      block: block,
      onInterrupt: onInterrupt
    )
  }

  /// Runs the process, and returns when it has ended. Cancelling the caller's task cancels it.
  public func run(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<SingleProcess>>,
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void
  ) async {
    await run(
      processState,
      as: driver(of: processState).nextProcess,
      silently: runSilently,
      block: block
    )
  }

  /// Runs the process, calls `onInterrupt` after each of the delays, and returns when it has ended.
  ///
  /// Cancelling the caller's task cancels it.
  public func run(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<SingleProcess>>,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async {
    await run(
      processState,
      as: driver(of: processState).nextProcess,
      silently: runSilently,
      interrupts: interrupts,
      block: block,
      onInterrupt: onInterrupt
    )
  }
}

extension LoadDriver where State == ProcessState<SingleProcess> {
  /// The identity of the next run: its attempt number, so the same in every execution.
  public var nextProcess: SingleProcess { SingleProcess(run: attemptCount + 1) }
}
