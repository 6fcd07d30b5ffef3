public import Loading

/// The loading state of remote content.
public enum RemoteContentLoadingState<Value, Progress> {
  /// Not requested yet, or reset.
  case initial
  /// A load is in progress, with this progress.
  case inProgress(Progress)
  /// The last load returned this value.
  case success(Value)
  /// The last load failed with this error.
  case failure(any Error)
}

extension RemoteContentLoadingState {
  /// Whether a load is in progress.
  public var isInProgress: Bool { phase == .inFlight }

  /// The value if the state is success.
  public var value: Value? {
    guard case .success(let value) = self else { return nil }
    return value
  }

  /// The error if the state is failure.
  public var error: (any Error)? {
    guard case .failure(let error) = self else { return nil }
    return error
  }

  /// The progress if a load is in progress.
  public var progress: Progress? {
    guard case .inProgress(let progress) = self else { return nil }
    return progress
  }

  /// The case without its value, progress or error.
  public var phase: LifecyclePhase {
    switch self {
    case .initial: .resting
    case .inProgress: .inFlight
    case .success: .succeeded
    case .failure: .failed
    }
  }
}

/// Runs are distinguished by their initial progress.
extension RemoteContentLoadingState: LifecycleState where Progress: Equatable {
  /// `initial`.
  public static var resting: Self { .initial }
  /// `inProgress` with this progress.
  public static func inFlight(_ progress: Progress) -> Self { .inProgress(progress) }
  /// `success`, whatever the progress was.
  public static func succeeded(_ progress: Progress, _ value: Value) -> Self { .success(value) }
  /// `failure`, whatever the progress was.
  public static func failed(_ progress: Progress, because error: any Error) -> Self {
    .failure(error)
  }

  /// Returns the request in a control error of loadables.
  public static func request(in error: any Error) -> ControlRequest? {
    LoadableState<Value>.request(in: error)
  }

  /// The value if the state is success.
  public var output: Value? { value }
  /// Returns whether a load is in progress with exactly this progress.
  public func isInFlight(as progress: Progress) -> Bool { self.progress == progress }
}

extension RemoteContentLoadingState: Sendable where Value: Sendable, Progress: Sendable {}

extension RemoteContentLoadingState: Equatable where Value: Equatable, Progress: Equatable {
  /// Compares errors with `isSameError`, so two different failures are never equal.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.initial, .initial): true
    case (.inProgress(let left), .inProgress(let right)): left == right
    case (.success(let left), .success(let right)): left == right
    case (.failure(let left), .failure(let right)): isSameError(left, right)
    case (.initial, _), (.inProgress, _), (.success, _), (.failure, _): false
    }
  }
}

extension RemoteContentLoadingState: CustomDebugStringConvertible {
  /// `initial`, `inProgress(0.25)`, `success(…)`, or `failure(…)` with the error's description from
  /// `describe`.
  public var debugDescription: String {
    switch self {
    case .initial: "initial"
    case .inProgress(let progress): "inProgress(\(Self.text(progress)))"
    case .success(let value): "success(\(value))"
    case .failure(let error): "failure(\(describe(error)))"
    }
  }

  private static func text(_ progress: Progress) -> String {
    let children = Mirror(reflecting: progress)
    guard children.displayStyle == .optional else { return "\(progress)" }
    return children.children.first.map { "\($0.value)" } ?? "nil"
  }
}
