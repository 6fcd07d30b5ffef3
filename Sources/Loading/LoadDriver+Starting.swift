/// Starts an attempt in a task, or starts it and waits for its end; does what the machine's answer to a start says.
extension LoadDriver {
  /// Starts an attempt in a new task.
  ///
  /// A silent attempt does not write the in-flight state. `interrupts` are delays, each counted
  /// from the end of the previous one. After each, `onInterrupt` is called with the nominal sum of
  /// the delays so far; an error that it throws ends the attempt. A block that ends at the instant
  /// of an interrupt ends first. The value of the block is the answer; nil is for blocks that only
  /// yield.
  ///
  /// - Returns: a task that ends when the block has ended or, if the attempt waits or shares
  ///   another one, when that attempt has ended. Cancelling the task cancels the attempt, but not a
  ///   shared one.
  @discardableResult
  @inlinable
  public func start(
    _ kind: State.Kind,
    silently: Bool = false,
    priority: TaskPriority? = nil,
    interrupts: [Duration] = [],
    onInterrupt: ((Duration) throws -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping (AttemptContext<State>) async throws -> State.Output?
  ) -> Task<Void, Never> {
    refresh()
    let effects = machine.handle(.start(kind, silently: silently, form: .task))
    carryOut(effects)
    switch Placement(effects) {
    case .beginning(let attempt):
      return launch(attempt, priority, interrupts, onInterrupt, isolation: isolation, block)
    case .waiting(let attempt):
      park(attempt) {
        _ = self.launch(attempt, priority, interrupts, onInterrupt, isolation: isolation, block)
      }
      return Task(priority: priority) {
        await self.attend(attempt, owning: true, isolation: isolation)
      }
    case .sharing(let attempt):
      return Task(priority: priority) {
        await self.attend(attempt, owning: false, isolation: isolation)
      }
    case .refused:
      return Task {}
    }
  }

  /// Starts an attempt and returns when it has ended: it has answered, or was replaced, cancelled,
  /// reset or timed out. A block that ignores cancellation may still run then. Policies that write
  /// late answers wait for the block.
  ///
  /// Cancelling the caller's task cancels the attempt, but not an attempt that it only shares. The
  /// parameters are those of `start`.
  @inlinable
  public func run(
    _ kind: State.Kind,
    silently: Bool = false,
    interrupts: [Duration] = [],
    onInterrupt: ((Duration) throws -> Void)? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: @escaping (AttemptContext<State>) async throws -> State.Output?
  ) async {
    refresh()
    let effects = machine.handle(.start(kind, silently: silently, form: .async))
    carryOut(effects)
    switch Placement(effects) {
    case .beginning(let attempt):
      let task = launch(attempt, nil, interrupts, onInterrupt, isolation: isolation, block)
      if policy.lateAnswers == .dropped {
        await attend(attempt, owning: true, isolation: isolation)
      } else {
        await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
      }
    case .waiting(let attempt):
      park(attempt) {
        _ = self.launch(attempt, nil, interrupts, onInterrupt, isolation: isolation, block)
      }
      await attend(attempt, owning: true, isolation: isolation)
    case .sharing(let attempt):
      await attend(attempt, owning: false, isolation: isolation)
    case .refused:
      break
    }
  }

  /// The result of a start, as the machine's last effect states it.
  @usableFromInline
  enum Placement {
    case beginning(Attempt)
    case waiting(Attempt)
    case sharing(Attempt)
    case refused

    @inlinable
    init(_ effects: [LoadMachine<State>.Effect]) {
      switch effects.last {
      case .begin(let attempt): self = .beginning(attempt)
      case .enqueue(let attempt): self = .waiting(attempt)
      case .join(let attempt): self = .sharing(attempt)
      default: self = .refused
      }
    }
  }

  @inlinable
  func park(_ attempt: Attempt, launch: @escaping () -> Void) {
    guard machine.isPending(attempt) else { return }  // Cancelled by an observer of its start.
    parked.append((attempt, launch))
  }
}
