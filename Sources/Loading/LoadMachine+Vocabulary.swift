/// Lists the events of a load machine, the ends of blocks, and the effects that the driver carries out.
extension LoadMachine {
  /// An event of a slot.
  @usableFromInline
  package enum Event {
    case start(State.Kind, silently: Bool, form: Form)
    /// The block delivered a state and continues.
    case yield(Attempt, State)
    /// An interrupt is due, at the nominal sum of the delays so far.
    case interrupt(Attempt, after: Duration)
    /// `onInterrupt` threw.
    case stop(Attempt, any Error)
    /// A try failed, and another one follows.
    case retry(Attempt, Retry)
    /// The block ended. `taskWasCancelled`: the task of the block was cancelled.
    case end(Attempt, Outcome, taskWasCancelled: Bool)
    /// The caller that awaited and owns the attempt was cancelled.
    case leave(Attempt)
    case cancel
    case reset
    /// Write this state directly.
    case set(State)
    /// The state was written directly to its storage.
    case found(State)
    /// Another slot with the same stored task has replaced it.
    case displace(cancelling: Bool)
  }

  /// The form of the load or run.
  @usableFromInline
  package enum Form: Sendable, Hashable {
    /// The form that returns a task.
    case task
    /// The form that is awaited.
    case async
  }

  /// How a block ended, before the policy is applied.
  @usableFromInline
  package enum Outcome {
    /// Nil for a yielding block, which has no own value.
    case returned(State.Output?)
    case threw(any Error)
  }

  @usableFromInline
  package struct Retry {
    @usableFromInline
    let failedTry: Int
    @usableFromInline
    let tries: Int
    @usableFromInline
    let delay: Duration
    @usableFromInline
    let error: any Error

    @inlinable
    init(failedTry: Int, tries: Int, delay: Duration, error: any Error) {
      self.failedTry = failedTry
      self.tries = tries
      self.delay = delay
      self.error = error
    }
  }

  /// An effect that the driver must carry out.
  @usableFromInline
  package enum Effect {
    /// Run the attempt's block. The last effect of a start that begins at once.
    case begin(Attempt)
    /// Keep the block until `begin`. The last effect of a start that waits.
    case enqueue(Attempt)
    /// Share the attempt. The last effect of a start that joins.
    case join(Attempt)
    /// Drop the block. The last effect of a start that is refused.
    case refuse
    /// Forget the block of an attempt that was waiting.
    case discard(Attempt)
    /// Request cancellation of the attempt's block and its interrupts.
    case cancel(Attempt)
    case write(State)
    case observe(LoadObservation<State>)
    /// The attempt has ended: its awaiting callers may continue.
    case release(Attempt)
    /// Clear the shared place of the stored task.
    case clearSlot(cancelling: Bool)
  }
}
