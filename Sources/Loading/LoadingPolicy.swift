/// The behaviour of a slot where several are reasonable: starts in flight, cancellation, kept values, late answers.
///
/// A policy is a value with independent settings. Start from a named one and change its settings:
///
///     var policy = LoadingPolicy.latest
///     policy.whileLoading = .queue
public struct LoadingPolicy: Sendable, Hashable {
  /// The name in the shell and the documentation. Policies with different names are not equal.
  public var name: String

  /// The behaviour of a start while an attempt is in flight.
  public var whileLoading: WhileLoading = .restart
  /// The state after a cancellation, if the slot is in flight.
  public var cancelLanding: CancelLanding = .previous
  /// The behaviour of `cancel` if nothing is in flight.
  public var cancelWhenSettled: CancelWhenSettled = .keep
  /// The answers that an attempt may still write after it was replaced or cancelled.
  public var lateAnswers: LateAnswers = .dropped
  /// The moment at which a thrown interrupt, such as a timeout, changes the state.
  public var deadlines: Deadlines = .onTime
  /// The effect of a direct write to the state on the attempts in flight.
  public var manualWrites: ManualWrites = .cancel
  /// The attempts that a later start, `cancel` and `reset` reach.
  public var reach: Reach = .everyAttempt
  /// The effect of the `async` forms of load and run on the stored task. Only if `reach` is by
  /// stored task.
  public var asyncStarts: AsyncStarts = .likeTasks
  /// The owner of the stored task. Only if `reach` is by stored task, and only for classes; read
  /// when the driver of a property is made.
  public var sharing: Sharing = .none
  /// Whether `kept` has the last loaded value during the next load.
  public var keepsValueDuringReload = true
  /// Whether `kept` has the last loaded value after a failure.
  public var keepsValueAfterError = true
  /// Whether a start writes the in-flight state again if the slot is already in that state.
  public var rewritesInFlight = false
  /// Whether `URLError.cancelled` is a cancellation, as `CancellationError` is, or a failure.
  public var knowsPlatformCancellation = true

  /// Makes a policy with the default settings and another name, for the caller to change.
  public init(name: String) {
    self.name = name
  }
}

extension LoadingPolicy {
  /// The behaviour of a start while an attempt is in flight.
  public enum WhileLoading: Sendable, Hashable, CaseIterable {
    /// Cancels that attempt and begins its own.
    case restart
    /// Is refused.
    case ignore
    /// Shares that attempt and its answer. A caller that is cancelled does not cancel it for the
    /// others.
    case join
    /// Waits until that attempt and all waiting ones have ended.
    case queue
    /// Begins concurrently. All answers are written in the order of their arrival.
    case parallel
  }

  /// The state after a cancellation, if the slot is in flight. Other states do not change.
  public enum CancelLanding: Sendable, Hashable, CaseIterable {
    /// The last state that was not in flight.
    case previous
    /// The resting state: `absent`, `idle`.
    case resting
    /// No write: the state stays in flight until the next load or reset.
    case inFlight
  }

  /// The behaviour of `cancel` if nothing is in flight.
  public enum CancelWhenSettled: Sendable, Hashable, CaseIterable {
    /// No effect.
    case keep
    /// Writes the resting state, even over content.
    case wipe
  }

  /// The answers that an attempt may still write after it was replaced or cancelled.
  public enum LateAnswers: Sendable, Hashable, CaseIterable {
    /// None: they are observed as dropped.
    case dropped
    /// Values are dropped; errors, yields and control errors take effect.
    case valuesDropped
    /// All, as from a current attempt.
    case written
  }

  /// The moment at which a thrown interrupt, such as a timeout, changes the state.
  public enum Deadlines: Sendable, Hashable, CaseIterable {
    /// At once, even if the block ignores cancellation.
    case onTime
    /// When the block has ended.
    case afterBlock
  }

  /// The effect of a direct write to the state on the attempts in flight.
  public enum ManualWrites: Sendable, Hashable, CaseIterable {
    /// Cancels them: at once, through a wrapper or a driver. A direct write to a class's property
    /// is noticed when an attempt yields or ends, or earlier, and drops that answer; see
    /// `LoadableSupport`.
    case cancel
    /// They continue, and their answers overwrite the written state.
    case leave
  }

  /// The attempts that a later start, `cancel` and `reset` reach.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// All attempts that are in flight or wait to start.
    case everyAttempt
    /// The attempt whose task was stored last; attempts in the caller's own task are never stored.
    case storedTask
    /// As `storedTask`, but the end of any attempt that was once stored clears the stored task, even
    /// that of another attempt.
    case storedTaskUntilAnyEnds
  }

  /// The effect of the `async` forms of load and run on the stored task. Only if `reach` is by
  /// stored task.
  public enum AsyncStarts: Sendable, Hashable, CaseIterable {
    /// They cancel it and store their own, as the other forms do.
    case likeTasks
    /// They cancel it and store nothing in its place.
    case cancelStored
    /// They neither cancel it nor store anything.
    case leaveStored
  }

  /// The owner of the stored task.
  public enum Sharing: Sendable, Hashable, CaseIterable {
    /// Each slot has its own.
    case none
    /// All instances of a class share one for each property, and so cancel each other's attempts.
    case instancesOfType
  }
}

extension LoadingPolicy: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
