/// How a slot behaves where there is a choice: what a load does while another one is in flight,
/// where a cancelled one lands, what is kept, and what a late answer may do.
///
/// A policy is a value made of independent axes. Start from a named one and change what you need:
///
///     var policy = LoadingPolicy.latest
///     policy.whileLoading = .queue
public struct LoadingPolicy: Sendable, Hashable {
  /// The name by which the shell and the documentation call it. Part of what makes two policies
  /// equal.
  public var name: String

  /// What a start does while an attempt is in flight.
  public var whileLoading: WhileLoading = .restart
  /// The state after a cancellation, where the slot is in flight.
  public var cancelLanding: CancelLanding = .previous
  /// What `cancel` does to a slot with nothing in flight.
  public var cancelWhenSettled: CancelWhenSettled = .keep
  /// What an attempt may still write after it was replaced or cancelled.
  public var lateAnswers: LateAnswers = .dropped
  /// When a thrown interrupt, such as a timeout, changes the state.
  public var deadlines: Deadlines = .onTime
  /// What writing the state by hand does to the attempts in flight.
  public var manualWrites: ManualWrites = .cancel
  /// Which attempts a later start, `cancel` and `reset` reach.
  public var reach: Reach = .everyAttempt
  /// What the `async` forms of load and run do to the stored task. Only where `reach` is by it.
  public var asyncStarts: AsyncStarts = .likeTasks
  /// Whose stored task it is. Only where `reach` is by it, and in classes; decided when the driver
  /// of a property is made.
  public var sharing: Sharing = .none
  /// Whether the last loaded value outlives the start of the next load, as `kept`.
  public var keepsValueDuringReload = true
  /// Whether the last loaded value outlives a failure, as `kept`.
  public var keepsValueAfterError = true
  /// Whether a start writes the in-flight state again where the slot is in that state already.
  public var rewritesInFlight = false
  /// Whether `URLError.cancelled` is a cancellation, as `CancellationError` always is, or a failure.
  public var knowsPlatformCancellation = true

  /// The default's axes under another name, to be changed by the caller.
  public init(name: String) {
    self.name = name
  }
}

extension LoadingPolicy {
  /// What a start does while an attempt is in flight.
  public enum WhileLoading: Sendable, Hashable, CaseIterable {
    /// Cancels that attempt and begins its own.
    case restart
    /// Is refused.
    case ignore
    /// Shares that attempt and its answer. Whoever leaves early does not cancel it for the others.
    case join
    /// Waits until that attempt, and all that wait already, are over.
    case queue
    /// Begins beside it. Every answer is written, in the order in which they come.
    case parallel
  }

  /// The state after a cancellation, where the slot is in flight. Other states stay as they are.
  public enum CancelLanding: Sendable, Hashable, CaseIterable {
    /// The last state that was not in flight.
    case previous
    /// The resting state: `absent`, `idle`.
    case resting
    /// No write: the state says "in flight" until the next load or reset.
    case inFlight
  }

  /// What `cancel` does to a slot with nothing in flight.
  public enum CancelWhenSettled: Sendable, Hashable, CaseIterable {
    /// Nothing.
    case keep
    /// Writes the resting state, also over content.
    case wipe
  }

  /// What an attempt may still write after it was replaced or cancelled.
  public enum LateAnswers: Sendable, Hashable, CaseIterable {
    /// Nothing: whatever it does is observed as dropped.
    case dropped
    /// Its values are dropped, its errors, yields and control errors take effect.
    case valuesDropped
    /// Everything, as if it were current.
    case written
  }

  /// When a thrown interrupt, such as a timeout, changes the state.
  public enum Deadlines: Sendable, Hashable, CaseIterable {
    /// At once, even if the block is deaf to cancellation.
    case onTime
    /// Once the block has ended.
    case afterBlock
  }

  /// What writing the state by hand does to the attempts in flight.
  public enum ManualWrites: Sendable, Hashable, CaseIterable {
    /// At once, through a wrapper or a driver. A write to a class's property is noticed at the latest
    /// when an attempt yields or ends, and drops that; see `LoadableSupport`.
    case cancel
    /// They go on, and their answer overwrites what was written.
    case leave
  }

  /// Which attempts a later start, `cancel` and `reset` reach.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// All that are in flight, and all that wait for their turn.
    case everyAttempt
    /// The one whose task was stored last; those in the caller's own task never are.
    case storedTask
    /// Likewise, but any stored attempt's end forgets the stored task, also another attempt's.
    case storedTaskUntilAnyEnds
  }

  /// What the `async` forms of load and run do to the stored task. Only where `reach` is by it.
  public enum AsyncStarts: Sendable, Hashable, CaseIterable {
    /// They cancel it and store their own, as the other forms do.
    case likeTasks
    /// They cancel it and store nothing in its place.
    case cancelStored
    /// They neither cancel it nor store anything.
    case leaveStored
  }

  /// Whose stored task it is.
  public enum Sharing: Sendable, Hashable, CaseIterable {
    /// Each slot has its own.
    case none
    /// All instances of a class share one for each property, and so cancel each other's.
    case instancesOfType
  }
}

extension LoadingPolicy: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
