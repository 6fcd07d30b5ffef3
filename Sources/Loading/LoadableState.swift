/// The state of something that is loaded: not asked for, on its way, failed, or there.
public enum LoadableState<Value> {
  /// Nothing was requested yet, or it was reset.
  case absent
  case loading
  case error(any Error)
  case loaded(Value)
}

extension LoadableState {
  @inlinable
  public mutating func setAbsent() {
    self = .absent
  }

  @inlinable
  public mutating func setLoading() {
    self = .loading
  }

  @inlinable
  public mutating func setError(_ error: any Error) {
    self = .error(error)
  }

  @inlinable
  public mutating func setValue(_ value: Value) {
    self = .loaded(value)
  }

  @inlinable
  public var isAbsent: Bool { phase == .resting }
  @inlinable
  public var isLoading: Bool { phase == .inFlight }
  @inlinable
  public var isError: Bool { phase == .failed }
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
  @inlinable
  public static var resting: LoadableState { .absent }

  @inlinable
  public static func inFlight(_ kind: Void) -> LoadableState { .loading }

  @inlinable
  public static func succeeded(_ kind: Void, _ output: Value) -> LoadableState { .loaded(output) }

  @inlinable
  public static func failed(_ kind: Void, because error: any Error) -> LoadableState {
    .error(error)
  }

  @inlinable
  public static func request(in error: any Error) -> ControlRequest? {
    switch error {
    case is CancelLoadable: .cancel
    case is ResetLoadable: .reset
    default: nil
    }
  }

  @inlinable
  public var phase: LifecyclePhase {
    switch self {
    case .absent: .resting
    case .loading: .inFlight
    case .error: .failed
    case .loaded: .succeeded
    }
  }

  @inlinable
  public var output: Value? { data }

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
  /// `absent`, `loading`, `error(…)` with the error as `describe` words it, or `loaded(…)`.
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
