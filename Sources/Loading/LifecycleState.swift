/// A state that the load machine can move: what it needs to know about `LoadableState` and
/// `ProcessState`, and nothing more.
public protocol LifecycleState<Kind, Output> {
  /// What tells two runs of one slot apart; `Void` where there is only one kind.
  associatedtype Kind
  /// What a successful attempt delivers; `Void` for a process.
  associatedtype Output

  /// Nothing requested yet, or reset: `absent`, `idle`.
  static var resting: Self { get }
  /// An attempt of `kind` is in flight: `loading`, `running`.
  static func inFlight(_ kind: Kind) -> Self
  /// An attempt of `kind` delivered `output`: `loaded`, `finished`.
  static func succeeded(_ kind: Kind, _ output: Output) -> Self
  /// An attempt of `kind` failed: `error`, `failed`.
  static func failed(_ kind: Kind, because error: any Error) -> Self

  var phase: LifecyclePhase { get }
  /// Whether this is the in-flight state of an equal kind, so that writing it again is no news.
  func isInFlight(as kind: Kind) -> Bool
}

/// Which of the four kinds of state a state is.
public enum LifecyclePhase: Sendable, Hashable {
  case resting, inFlight, succeeded, failed
}
