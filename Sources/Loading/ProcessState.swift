/// The state of something that is done rather than loaded: not started, running, failed, finished.
///
/// The kind tells several processes that share one state apart, such as saving and deleting; there
/// is one at a time.
public enum ProcessState<ProcessKind> {
  /// Nothing was started yet, or it was reset.
  case idle
  /// A process of this kind runs.
  case running(ProcessKind)
  /// The last process was of this kind and failed with this error.
  case failed(process: ProcessKind, error: any Error)
  /// The last process was of this kind and succeeded.
  case finished(ProcessKind)

  /// This state itself: the spelling of Processed 2.2.
  public init(initialState: ProcessState) {
    self = initialState
  }
}

extension ProcessState: Sendable where ProcessKind: Sendable {}

/// The state of a process of which there is only one kind.
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

  /// Writes `idle` from any state, like `reset`. Cancels nothing by itself.
  public mutating func setIdle() {
    self = .idle
  }

  /// Writes `running` from any state, like `start`. Starts nothing.
  public mutating func setRunning(_ process: ProcessKind) {
    self = .running(process)
  }

  /// Writes `running` from any state, as a process unlike every other. Starts nothing.
  public mutating func setRunning() where ProcessKind == SingleProcess {
    self = .running(SingleProcess())
  }

  /// Writes `failed` from any state, also where no such process runs; `fail` asks for a running
  /// one.
  public mutating func setFailed(_ process: ProcessKind, error: any Error) {
    self = .failed(process: process, error: error)
  }

  /// Writes `failed` from any state, as a process unlike every other, not as the one that runs;
  /// `fail` keeps that.
  public mutating func setFailed(with error: any Error) where ProcessKind == SingleProcess {
    self = .failed(process: SingleProcess(), error: error)
  }

  /// Writes `finished` from any state, also where no such process runs; `finish` asks for a running
  /// one.
  public mutating func setFinished(_ process: ProcessKind) {
    self = .finished(process)
  }

  /// Writes `finished` from any state, as a process unlike every other, not as the one that runs;
  /// `finish` keeps that.
  public mutating func setFinished() where ProcessKind == SingleProcess {
    self = .finished(SingleProcess())
  }
}

extension ProcessState {
  /// Whether nothing was started yet, or it was reset.
  public var isIdle: Bool { phase == .resting }
  /// Whether the state says that a process runs, of whichever kind. Silent ones do not show here.
  public var isRunning: Bool { phase == .inFlight }
  /// Whether the last process failed, of whichever kind.
  public var hasFailed: Bool { phase == .failed }
  /// Whether the last process succeeded, of whichever kind.
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
