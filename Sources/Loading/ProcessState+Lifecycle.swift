/// Maps the states of a process to those of the load machine; compares and describes them.
extension ProcessState: LifecycleState where ProcessKind: Equatable {
  /// `idle`.
  @inlinable
  public static var resting: ProcessState { .idle }

  /// `running`, as this kind.
  @inlinable
  public static func inFlight(_ kind: ProcessKind) -> ProcessState { .running(kind) }

  /// `finished`, as this kind. A process has no other result.
  @inlinable
  public static func succeeded(_ kind: ProcessKind, _ output: Void) -> ProcessState {
    .finished(kind)
  }

  /// `failed`, as this kind and with the error of the block.
  @inlinable
  public static func failed(_ kind: ProcessKind, because error: any Error) -> ProcessState {
    .failed(process: kind, error: error)
  }

  /// Returns the request of `CancelProcess` or `ResetProcess`; nil for every other error, including
  /// those of loadables.
  @inlinable
  public static func request(in error: any Error) -> ControlRequest? {
    switch error {
    case is CancelProcess: .cancel
    case is ResetProcess: .reset
    default: nil
    }
  }

  /// An empty value if the process has finished, otherwise nil.
  @inlinable
  public var output: Void? { hasFinished ? () : nil }

  /// The same as `isRunning` with this kind.
  @inlinable
  public func isInFlight(as kind: ProcessKind) -> Bool { isRunning(kind) }
}

extension ProcessState {
  /// The case, without its kind or error.
  @inlinable
  public var phase: LifecyclePhase {
    switch self {
    case .idle: .resting
    case .running: .inFlight
    case .failed: .failed
    case .finished: .succeeded
    }
  }
}

extension ProcessState: Equatable where ProcessKind: Equatable {
  /// Errors are compared by `isSameError`, so two different failures are never equal.
  @inlinable
  public static func == (left: ProcessState, right: ProcessState) -> Bool {
    switch (left, right) {
    case (.idle, .idle): true
    case (.running(let left), .running(let right)): left == right
    case (.failed(let left, let leftError), .failed(let right, let rightError)):
      left == right && isSameError(leftError, rightError)
    case (.finished(let left), .finished(let right)): left == right
    case (.idle, _), (.running, _), (.failed, _), (.finished, _): false
    }
  }
}

extension ProcessState: CustomDebugStringConvertible {
  /// `idle`, `running(kind)`, `failed(kind, …)` with the error as `describe` formats it, or
  /// `finished(kind)`.
  @inlinable
  public var debugDescription: String {
    switch self {
    case .idle: "idle"
    case .running(let process): "running(\(process))"
    case .failed(let process, let error): "failed(\(process), \(describe(error)))"
    case .finished(let process): "finished(\(process))"
    }
  }
}
