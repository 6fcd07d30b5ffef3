/// The state of something that is done rather than loaded: not started, running, failed, finished.
///
/// The kind tells several processes that share one state apart, such as saving and deleting; there
/// is one at a time.
public enum ProcessState<ProcessKind> {
  case idle
  case running(ProcessKind)
  case failed(process: ProcessKind, error: any Error)
  case finished(ProcessKind)

  public init(initialState: ProcessState) {
    self = initialState
  }
}

extension ProcessState: Sendable where ProcessKind: Sendable {}

/// The state of a process of which there is only one kind.
public typealias SingleProcessState = ProcessState<SingleProcess>

extension ProcessState {
  public mutating func reset() {
    self = .idle
  }

  /// Moves to `running` from any state.
  public mutating func start(_ process: ProcessKind) {
    self = .running(process)
  }

  /// Moves to `running` from any state, as a process unlike every other.
  public mutating func start() where ProcessKind == SingleProcess {
    start(SingleProcess())
  }

  /// Finishes the running process; does nothing unless one runs.
  public mutating func finish() {
    guard case .running(let process) = self else { return }
    self = .finished(process)
  }

  /// Fails the running process; does nothing unless one runs.
  public mutating func fail(with error: any Error) {
    guard case .running(let process) = self else { return }
    self = .failed(process: process, error: error)
  }

  public mutating func setIdle() {
    self = .idle
  }

  public mutating func setRunning(_ process: ProcessKind) {
    self = .running(process)
  }

  public mutating func setRunning() where ProcessKind == SingleProcess {
    self = .running(SingleProcess())
  }

  public mutating func setFailed(_ process: ProcessKind, error: any Error) {
    self = .failed(process: process, error: error)
  }

  public mutating func setFailed(with error: any Error) where ProcessKind == SingleProcess {
    self = .failed(process: SingleProcess(), error: error)
  }

  public mutating func setFinished(_ process: ProcessKind) {
    self = .finished(process)
  }

  public mutating func setFinished() where ProcessKind == SingleProcess {
    self = .finished(SingleProcess())
  }
}

extension ProcessState {
  public var isIdle: Bool { phase == .resting }
  public var isRunning: Bool { phase == .inFlight }
  public var hasFailed: Bool { phase == .failed }
  public var hasFinished: Bool { phase == .succeeded }

  public func isRunning(_ process: ProcessKind) -> Bool where ProcessKind: Equatable {
    isRunning && self.process == process
  }

  public func hasFailed(_ process: ProcessKind) -> Bool where ProcessKind: Equatable {
    hasFailed && self.process == process
  }

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
