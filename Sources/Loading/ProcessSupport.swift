/// Runs processes on a class's `ProcessState` properties, each by its key path.
///
///     @MainActor final class ViewModel: ProcessSupport {
///       enum Action { case saving, deleting }
///       var action: ProcessState<Action> = .idle
///
///       func save() {
///         run(\.action, as: .saving) { try await upload() }
///       }
///     }
///
/// Blocks run on the caller's actor. The class's `loadingPolicy` determines what happens when runs
/// overlap, are cancelled, or when the property is written directly, as `LoadableSupport`
/// describes.
public protocol ProcessSupport: LoadingSupport {}

/// `ProcessSupport` for a class of the main actor, like `MainActorLoadableSupport`.
@MainActor public protocol MainActorProcessSupport: ProcessSupport {}

extension ProcessSupport {
  /// Returns the driver of a property, for observing it or its attempts.
  public func driver<ProcessKind: Equatable>(
    of processState: ReferenceWritableKeyPath<Self, ProcessState<ProcessKind>>
  ) -> LoadDriver<ProcessState<ProcessKind>> {
    driver(behind: processState)
  }

  /// Cancels the running process. The policy determines the state after that.
  public func cancel<ProcessKind: Equatable>(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<ProcessKind>>
  ) {
    driver(behind: processState).cancel()
  }

  /// Cancels the running process and writes `idle`.
  public func reset<ProcessKind: Equatable>(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<ProcessKind>>
  ) {
    driver(behind: processState).reset()
  }

  // MARK: Processes of a kind

  /// Runs a process of this kind in a new task: it ends `finished`, or `failed` if the block throws.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run<ProcessKind: Equatable>(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<ProcessKind>>,
    as process: ProcessKind,
    silently runSilently: Bool = false,
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void
  ) -> Task<Void, Never> {
    driver(behind: processState).start(
      process,
      silently: runSilently,
      priority: priority,
      block: retaining(block)
    )
  }

  /// Runs a process of this kind in a new task, and calls `onInterrupt` after each of the delays,
  /// with their sum.
  ///
  /// - Returns: a task that ends when the block has ended. Cancelling it cancels the process,
  ///   unless it is shared.
  @discardableResult
  public func run<ProcessKind: Equatable>(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<ProcessKind>>,
    as process: ProcessKind,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    priority: TaskPriority? = nil,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) -> Task<Void, Never> {
    driver(behind: processState).start(
      process,
      silently: runSilently,
      priority: priority,
      interrupts: interrupts,
      onInterrupt: onInterrupt,
      block: retaining(block)
    )
  }

  /// Runs a process of this kind, and returns when it has ended. Cancelling the caller's task
  /// cancels the process.
  public func run<ProcessKind: Equatable>(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<ProcessKind>>,
    as process: ProcessKind,
    silently runSilently: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void
  ) async {
    await driver(behind: processState).run(
      process,
      silently: runSilently,
      block: retaining(block)
    )
  }

  /// Runs a process of this kind, calls `onInterrupt` after each of the delays, and returns when
  /// the process has ended.
  ///
  /// Cancelling the caller's task cancels the process.
  public func run<ProcessKind: Equatable>(
    _ processState: ReferenceWritableKeyPath<Self, ProcessState<ProcessKind>>,
    as process: ProcessKind,
    silently runSilently: Bool = false,
    interrupts: [Duration],
    isolation: isolated (any Actor)? = #isolation,
    @_implicitSelfCapture block: @escaping () async throws -> Void,
    @_implicitSelfCapture onInterrupt: @escaping (_ accumulatedDelay: Duration) throws -> Void
  ) async {
    await driver(behind: processState).run(
      process,
      silently: runSilently,
      interrupts: interrupts,
      onInterrupt: onInterrupt,
      block: retaining(block)
    )
  }

  private func retaining<ProcessKind>(
    _ block: @escaping () async throws -> Void
  ) -> (AttemptContext<ProcessState<ProcessKind>>) async throws -> Void? {
    { _ in
      defer { withExtendedLifetime(self) {} }
      return try await block()
    }
  }
}
