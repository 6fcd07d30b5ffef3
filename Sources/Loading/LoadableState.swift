/// The state of a loaded value: not requested, in flight, failed, or loaded.
public enum LoadableState<Value> {
  /// Nothing was requested yet, or it was reset.
  case absent
  /// A load is in flight. The value loaded before is the driver's `kept`.
  case loading
  /// The last load failed with this error.
  case error(any Error)
  /// The last load delivered this value.
  case loaded(Value)
}

extension LoadableState {
  /// Writes `absent` from any state. Cancels nothing by itself.
  @inlinable
  public mutating func setAbsent() {
    self = .absent
  }

  /// Writes `loading` from any state. Starts nothing.
  @inlinable
  public mutating func setLoading() {
    self = .loading
  }

  /// Writes the error from any state. Cancels nothing by itself.
  @inlinable
  public mutating func setError(_ error: any Error) {
    self = .error(error)
  }

  /// Writes `loaded` with this value from any state. Cancels nothing by itself.
  @inlinable
  public mutating func setValue(_ value: Value) {
    self = .loaded(value)
  }

  /// Whether nothing was requested yet, or it was reset.
  @inlinable
  public var isAbsent: Bool { phase == .resting }
  /// Whether the state says that a load is in flight. Silent loads are not visible here.
  @inlinable
  public var isLoading: Bool { phase == .inFlight }
  /// Whether the state is an error.
  @inlinable
  public var isError: Bool { phase == .failed }
  /// Whether there is a value.
  @inlinable
  public var isLoaded: Bool { phase == .succeeded }

  /// The error, in the error state only.
  @inlinable
  public var error: (any Error)? {
    guard case .error(let error) = self else { return nil }
    return error
  }

  /// The value, in the loaded state only.
  @inlinable
  public var data: Value? {
    guard case .loaded(let value) = self else { return nil }
    return value
  }
}

extension LoadableState: LifecycleState {
  /// `absent`.
  @inlinable
  public static var resting: LoadableState { .absent }

  /// `loading`: loads have no kinds.
  @inlinable
  public static func inFlight(_ kind: Void) -> LoadableState { .loading }

  /// `loaded`, with the result of the load.
  @inlinable
  public static func succeeded(_ kind: Void, _ output: Value) -> LoadableState { .loaded(output) }

  /// `error`, with the error of the block.
  @inlinable
  public static func failed(_ kind: Void, because error: any Error) -> LoadableState {
    .error(error)
  }

  /// Returns the request of `CancelLoadable` or `ResetLoadable`; nil for every other error,
  /// including those of processes.
  @inlinable
  public static func request(in error: any Error) -> ControlRequest? {
    switch error {
    case is CancelLoadable: .cancel
    case is ResetLoadable: .reset
    default: nil
    }
  }

  /// The case, without its value or error.
  @inlinable
  public var phase: LifecyclePhase {
    switch self {
    case .absent: .resting
    case .loading: .inFlight
    case .error: .failed
    case .loaded: .succeeded
    }
  }

  /// The value, in the loaded state only: the same as `data`.
  @inlinable
  public var output: Value? { data }

  /// The same as `isLoading`: all loads are of one kind.
  @inlinable
  public func isInFlight(as kind: Void) -> Bool { isLoading }
}

extension LoadableState: Sendable where Value: Sendable {}

extension LoadableState: Equatable where Value: Equatable {
  /// Errors are compared by `isSameError`, so two different failures are never equal.
  @inlinable
  public static func == (left: LoadableState, right: LoadableState) -> Bool {
    switch (left, right) {
    case (.absent, .absent), (.loading, .loading): true
    case (.error(let left), .error(let right)): isSameError(left, right)
    case (.loaded(let left), .loaded(let right)): left == right
    case (.absent, _), (.loading, _), (.error, _), (.loaded, _): false
    }
  }
}

extension LoadableState: CustomDebugStringConvertible {
  /// `absent`, `loading`, `error(…)` with the error as `describe` formats it, or `loaded(…)`.
  @inlinable
  public var debugDescription: String {
    switch self {
    case .absent: "absent"
    case .loading: "loading"
    case .error(let error): "error(\(describe(error)))"
    case .loaded(let value): "loaded(\(value))"
    }
  }
}
