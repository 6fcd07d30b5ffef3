extension LoadMachine {
  /// What can happen to a slot.
  @usableFromInline
  package enum Event {
    case start(State.Kind, silently: Bool, form: Form)
    /// The block handed over a state and goes on.
    case yield(Attempt, State)
    /// An interrupt is due, at the nominal sum of the delays so far.
    case interrupt(Attempt, after: Duration)
    /// `onInterrupt` threw.
    case stop(Attempt, any Error)
    /// A try failed and another one follows.
    case retry(Attempt, Retry)
    /// The block ended. `taskWasCancelled`: somebody had cancelled the task that it ran in.
    case end(Attempt, Outcome, taskWasCancelled: Bool)
    /// Whoever awaited the attempt, and owns it, was cancelled.
    case leave(Attempt)
    case cancel
    case reset
    /// The state is to be written by hand.
    case set(State)
    /// Somebody has written it by hand already, where it lives.
    case found(State)
    /// Another slot that shares the place of the stored task has taken it.
    case displace(cancelling: Bool)
  }

  /// Which form of load or run was called.
  @usableFromInline
  package enum Form: Sendable, Hashable {
    /// The form that returns a task.
    case task
    /// The form that is awaited.
    case async
  }

  /// How a block ended, before it is known what that means under the policy.
  @usableFromInline
  package enum Outcome {
    /// Nil: a yielding block, which has no value of its own.
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

  /// What whoever drives the machine must do.
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
    /// The attempt is over: whoever awaits it may go on.
    case release(Attempt)
    /// Take the shared place of the stored task, cancelling whosever task is there.
    case claimSlot
    /// Empty the shared place of the stored task.
    case clearSlot(cancelling: Bool)
  }
}
