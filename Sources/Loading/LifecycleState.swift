/// A state that the load machine can move: what it needs to know about `LoadableState` and
/// `ProcessState`, and nothing more.
public protocol LifecycleState<Kind, Output> {
  /// What tells two runs of one slot apart; `Void` where there is only one kind.
  associatedtype Kind
  /// What a successful attempt delivers; `Void` for a process.
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
  /// What the family's own control errors ask for; nil for every other error.
  @inlinable
  static func request(in error: any Error) -> ControlRequest?

  /// Which of the four kinds of state this is, without what it holds.
  @inlinable
  var phase: LifecyclePhase { get }
  /// What was delivered, if the state is a success.
  @inlinable
  var output: Output? { get }
  /// Whether this is the in-flight state of an equal kind, so that writing it again is no news.
  @inlinable
  func isInFlight(as kind: Kind) -> Bool
}

extension LifecycleState {
  /// Without control errors of its own, a family takes every error for a failure.
  @inlinable
  public static func request(in error: any Error) -> ControlRequest? { nil }
}

/// Which of the four kinds of state a state is; `LifecycleState` says what each is called in its
/// family.
public enum LifecyclePhase: Sendable, Hashable {
  case resting, inFlight, succeeded, failed
}

/// What a block asks for by throwing one of its family's control errors: to be cancelled, or to
/// have its slot reset.
public enum ControlRequest: Sendable, Hashable {
  case cancel, reset
}
