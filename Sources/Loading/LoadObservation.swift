/// An event of a slot, with snapshots before and after it.
public struct LoadObservation<State: LifecycleState> {
  /// The event.
  @inlinable
  public var change: Change { contents.change }
  /// The snapshot just before the event.
  @inlinable
  public var before: Snapshot<State> { contents.before }
  /// The snapshot after the event. A dropped answer changes nothing.
  @inlinable
  public var after: Snapshot<State> { contents.after }

  /// One object, because the observation is large and passed along.
  @usableFromInline
  let contents: Contents

  /// Makes an observation without a driver, for example for comparison.
  @inlinable
  public init(change: Change, before: Snapshot<State>, after: Snapshot<State>) {
    contents = Contents(change: change, before: before, after: after)
  }

  @usableFromInline
  final class Contents {
    @usableFromInline
    let change: Change
    @usableFromInline
    let before: Snapshot<State>
    @usableFromInline
    let after: Snapshot<State>

    @inlinable
    init(change: Change, before: Snapshot<State>, after: Snapshot<State>) {
      self.change = change
      self.before = before
      self.after = after
    }
  }

  /// An event. Its attempt is the one that caused it.
  public enum Change {
    /// An attempt began. `replacing`: the attempt in flight that it cancelled and replaced.
    case started(Attempt, kind: State.Kind, silently: Bool, replacing: Attempt?)
    /// A start was refused because this attempt is in flight.
    case ignored(because: Attempt)
    /// A start shares this attempt, which is in flight.
    case joined(Attempt)
    /// An attempt was created, but waits until `behind` has ended.
    case queued(Attempt, behind: Attempt)
    /// The block delivered a state and continues. `dropped`: its attempt no longer counts.
    case yielded(Attempt, State, dropped: Bool)
    /// An interrupt fired. `after` is the nominal sum of the delays so far, not a measured time.
    case interrupted(Attempt, after: Duration)
    /// `onInterrupt` threw, which ends the attempt. `pending`: the policy changes the state only
    /// when the block has ended.
    case stopped(Attempt, Answer, pending: Bool)
    /// The block ended. `dropped`: its attempt no longer counts, and the state is unchanged.
    case answered(Attempt, Answer, dropped: Bool)
    /// A try failed, and another one follows after `delay`.
    case retrying(Attempt, failedTry: Int, of: Int, delay: Duration, error: any Error)
    /// `cancel` was called; nil if nothing was in flight.
    case cancelled(Attempt?)
    /// `reset` was called; nil if nothing was in flight.
    case reset(Attempt?)
    /// The state was written directly. `cancelling`: the attempt that this cancelled, if any.
    case assigned(cancelling: Attempt?)
    /// A `CancelLoadable` or `ResetLoadable` of one attempt cancelled another one, whose task was
    /// stored at that moment. Only under policies that reproduce this.
    case cancelledByOther(Attempt, by: Attempt)
  }

  /// How a block ended.
  public enum Answer {
    /// The block returned a value.
    case returned(State.Output)
    /// A yielding block returned, after this number of yields.
    case finishedYielding(count: Int)
    /// The block threw `CancellationError`, or the platform's equivalent.
    case cancelled
    /// The block threw the cancel error of its family: `CancelLoadable`, `CancelProcess`.
    case askedToCancel
    /// The block threw the reset error of its family: `ResetLoadable`, `ResetProcess`.
    case askedToReset
    /// The block threw any other error.
    case failed(any Error)
  }
}

/// A state, and its attempt.
public struct Snapshot<State> {
  /// The state at that moment.
  public let state: State
  /// The newest attempt in flight that may still write the state; nil if there is none.
  public let attempt: Attempt?

  /// Makes a snapshot without a driver, for example for comparison.
  @inlinable
  public init(state: State, attempt: Attempt?) {
    self.state = state
    self.attempt = attempt
  }
}
