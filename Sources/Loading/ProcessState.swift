/// The state of a process, which has no loaded value: not started, running, failed, or finished.
///
/// The kind distinguishes processes that share one state, such as saving and deleting; one of them
/// runs at a time.
public enum ProcessState<ProcessKind> {
  /// Nothing was started yet, or it was reset.
  case idle
  /// A process of this kind runs.
  case running(ProcessKind)
  /// The last process was of this kind and failed with this error.
  case failed(process: ProcessKind, error: any Error)
  /// The last process was of this kind and succeeded.
  case finished(ProcessKind)

  /// Makes this state. The spelling is that of Processed 2.2.
  public init(initialState: ProcessState) {
    self = initialState
  }
}

extension ProcessState: Sendable where ProcessKind: Sendable {}

/// The state of a process with only one kind.
public typealias SingleProcessState = ProcessState<SingleProcess>

extension ProcessState {
  /// Writes `idle` from any state. Cancels nothing by itself.
  public mutating func reset() {
    self = .idle
  }

  /// Moves to `running` from any state.
  public mutating func start(_ process: ProcessKind) {
    self = .running(process)
  }

  /// Moves to `running` from any state, as a unique process.
  public mutating func start() where ProcessKind == SingleProcess {
    start(SingleProcess())
  }

  /// Finishes the running process; has no effect unless one runs.
  public mutating func finish() {
    guard case .running(let process) = self else { return }
    self = .finished(process)
  }

  /// Fails the running process; has no effect unless one runs.
  public mutating func fail(with error: any Error) {
    guard case .running(let process) = self else { return }
    self = .failed(process: process, error: error)
  }

  /// Writes `idle` from any state, like `reset`. Cancels nothing by itself.
  public mutating func setIdle() {
    self = .idle
  }

  /// Writes `running` from any state, like `start`. Starts nothing.
  public mutating func setRunning(_ process: ProcessKind) {
    self = .running(process)
  }

  /// Writes `running` from any state, as a unique process. Starts nothing.
  public mutating func setRunning() where ProcessKind == SingleProcess {
    self = .running(SingleProcess())
  }

  /// Writes `failed` from any state, even if no such process runs; `fail` requires a running one.
  public mutating func setFailed(_ process: ProcessKind, error: any Error) {
    self = .failed(process: process, error: error)
  }

  /// Writes `failed` from any state, as a unique process; `fail` keeps the identity of the running
  /// one.
  public mutating func setFailed(with error: any Error) where ProcessKind == SingleProcess {
    self = .failed(process: SingleProcess(), error: error)
  }

  /// Writes `finished` from any state, even if no such process runs; `finish` requires a running
  /// one.
  public mutating func setFinished(_ process: ProcessKind) {
    self = .finished(process)
  }

  /// Writes `finished` from any state, as a unique process; `finish` keeps the identity of the
  /// running one.
  public mutating func setFinished() where ProcessKind == SingleProcess {
    self = .finished(SingleProcess())
  }
}

extension ProcessState {
  /// Whether nothing was started yet, or it was reset.
  public var isIdle: Bool { phase == .resting }
  /// Whether the state says that a process of any kind runs. Silent processes are not visible here.
  public var isRunning: Bool { phase == .inFlight }
  /// Whether the last process failed, of any kind.
  public var hasFailed: Bool { phase == .failed }
  /// Whether the last process succeeded, of any kind.
  public var hasFinished: Bool { phase == .succeeded }

  /// Whether a process of this kind runs.
  public func isRunning(_ process: ProcessKind) -> Bool where ProcessKind: Equatable {
    isRunning && self.process == process
  }

  /// Whether the last process failed and was of this kind.
  public func hasFailed(_ process: ProcessKind) -> Bool where ProcessKind: Equatable {
    hasFailed && self.process == process
  }

  /// Whether the last process succeeded and was of this kind.
  public func hasFinished(_ process: ProcessKind) -> Bool where ProcessKind: Equatable {
    hasFinished && self.process == process
  }

  /// The kind, in every state but `idle`.
  public var process: ProcessKind? {
    switch self {
    case .idle: nil
    case .running(let process), .failed(let process, _), .finished(let process): process
    }
  }

  /// The error, in the failed state only.
  public var error: (any Error)? {
    guard case .failed(_, let error) = self else { return nil }
    return error
  }
}
