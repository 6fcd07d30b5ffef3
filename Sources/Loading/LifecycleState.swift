/// A state that the load machine can change: the common requirements of `LoadableState` and
/// `ProcessState`.
public protocol LifecycleState<Kind, Output> {
  /// Distinguishes the runs of one slot; `Void` if there is only one kind.
  associatedtype Kind
  /// The result of a successful attempt; `Void` for a process.
  associatedtype Output

  /// Nothing requested yet, or reset: `absent`, `idle`.
  @inlinable
  static var resting: Self { get }
  /// An attempt of `kind` is in flight: `loading`, `running`.
  @inlinable
  static func inFlight(_ kind: Kind) -> Self
  /// An attempt of `kind` delivered `output`: `loaded`, `finished`.
  @inlinable
  static func succeeded(_ kind: Kind, _ output: Output) -> Self
  /// An attempt of `kind` failed: `error`, `failed`.
  @inlinable
  static func failed(_ kind: Kind, because error: any Error) -> Self
  /// Returns the request of a control error of this state's family; nil for every other error.
  @inlinable
  static func request(in error: any Error) -> ControlRequest?

  /// The phase of this state, without its contents.
  @inlinable
  var phase: LifecyclePhase { get }
  /// The result, if the state is a success.
  @inlinable
  var output: Output? { get }
  /// Returns whether this is the in-flight state of an equal kind, so that writing it again would
  /// change nothing.
  @inlinable
  func isInFlight(as kind: Kind) -> Bool
}

extension LifecycleState {
  /// By default a family has no control errors, so every error is a failure.
  @inlinable
  public static func request(in error: any Error) -> ControlRequest? { nil }
}

/// The phase of a state; `LifecycleState` lists its names in each family.
public enum LifecyclePhase: Sendable, Hashable {
  case resting, inFlight, succeeded, failed
}

/// The request of a block that throws a control error: cancel the attempt, or reset its slot.
public enum ControlRequest: Sendable, Hashable {
  case cancel, reset
}
