/// One thing that happened in a slot, with how it looked before and after.
public struct LoadObservation<State: LifecycleState> {
  /// What happened.
  @inlinable
  public var change: Change { contents.change }
  /// How the slot looked just before.
  @inlinable
  public var before: Snapshot<State> { contents.before }
  /// How the slot looks since. A dropped answer changes nothing.
  @inlinable
  public var after: Snapshot<State> { contents.after }

  /// An object, since it is handed from one to the next, and large.
  @usableFromInline
  let contents: Contents

  /// An observation that no driver made, such as one to compare with.
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

  /// What happened. The attempt named is the one that caused it.
  public enum Change {
    /// An attempt began. `replacing` is the attempt in flight that it cancelled and replaced.
    case started(Attempt, kind: State.Kind, silently: Bool, replacing: Attempt?)
    /// A start was refused because this attempt is still in flight.
    case ignored(because: Attempt)
    /// A start was answered by sharing this attempt, which is still in flight.
    case joined(Attempt)
    /// An attempt was created but waits until `behind` is over.
    case queued(Attempt, behind: Attempt)
    /// The block handed over a state and goes on. Dropped: its attempt no longer counts.
    case yielded(Attempt, State, dropped: Bool)
    /// An interrupt fired. `after` is the nominal sum of the delays so far, not a measured time.
    case interrupted(Attempt, after: Duration)
    /// `onInterrupt` threw; the attempt ends so. `pending`: the policy lets the state change wait
    /// until the block has ended.
    case stopped(Attempt, Answer, pending: Bool)
    /// The block ended. Dropped: its attempt no longer counts, and the state is unchanged.
    case answered(Attempt, Answer, dropped: Bool)
    /// A try failed, and another one follows after `delay`.
    case retrying(Attempt, failedTry: Int, of: Int, delay: Duration, error: any Error)
    /// `cancel` was called; nil when nothing was in flight.
    case cancelled(Attempt?)
    /// `reset` was called; nil when nothing was in flight.
    case reset(Attempt?)
    /// The state was written by hand. `cancelling` is the attempt that this cancelled, if any.
    case assigned(cancelling: Attempt?)
    /// A `CancelLoadable` or `ResetLoadable` of one attempt cancelled this other one, which was
    /// stored when it was thrown. Only under policies that reproduce it.
    case cancelledByOther(Attempt, by: Attempt)
  }

  /// How a block ended.
  public enum Answer {
    /// The block returned a value.
    case returned(State.Output)
    /// A yielding block returned, after so many yields.
    case finishedYielding(count: Int)
    /// It threw `CancellationError`, or what the platform throws in its place.
    case cancelled
    /// It threw the family's own cancel error: `CancelLoadable`, `CancelProcess`.
    case askedToCancel
    /// It threw the family's own reset error: `ResetLoadable`, `ResetProcess`.
    case askedToReset
    /// It threw any other error.
    case failed(any Error)
  }
}

/// A state, and the attempt it belongs to.
public struct Snapshot<State> {
  /// The state at that moment.
  public let state: State
  /// The newest attempt that is in flight and may still write the state; nil when there is none.
  public let attempt: Attempt?

  /// A snapshot that no driver made, such as one to compare with.
  @inlinable
  public init(state: State, attempt: Attempt?) {
    self.state = state
    self.attempt = attempt
  }
}
