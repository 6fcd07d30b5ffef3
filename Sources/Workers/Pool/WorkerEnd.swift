import LibC

/// The end of a worker before it answered its request.
package struct WorkerEnd: Sendable {
  package enum Cause: Sendable, Hashable, Codable {
    case signal(Int)
    case exit(status: Int)
    case stackOverflow
    /// A step took longer than the limit, so the pool ended the worker.
    case time(limitInMilliseconds: Int)
    /// It used more memory than the limit, or an allocation failed.
    case memory(limitInBytes: Int)
    /// The owner of the pool ended it.
    case ended

    /// Whether another program may have ended it: by a signal that a crash does not raise.
    package var isFromOutside: Bool {
      switch self {
      case .signal(let signal):
        ![SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS].contains(Int32(signal))
      case .ended: true
      case .exit, .stackOverflow, .time, .memory: false
      }
    }

    /// Whether its own code ended it, independent of the speed of the machine.
    package var isOwnEnd: Bool {
      switch self {
      case .signal: !isFromOutside
      case .exit, .stackOverflow: true
      case .time, .memory, .ended: false
      }
    }
  }

  package let cause: Cause
  /// Whether this process ended the worker.
  package let wasKilled: Bool
  /// Whether the worker began another step after this process decided to end it.
  package let hasMovedOn: Bool
  /// The lines that it wrote to its standard streams in the latest step.
  package let output: [String]
  /// What it did when it was ended, as lines; empty if that is unknown.
  package let activity: [String]
  /// The real time of the latest step, in milliseconds.
  package let stepTime: Int
}

extension WorkerEnd.Cause {
  /// Determines the cause of an end that this process did not cause.
  init(
    _ end: ProcessEnd,
    hasOverflowed: Bool,
    peakBytes: Int,
    _ output: [String],
    memoryLimit: Int
  ) {
    switch end {
    case .status(let status): self = .exit(status: status)
    case .signal(Int(SIGSEGV)) where hasOverflowed: self = .stackOverflow
    case .signal(let signal):
      let isOfMemory = peakBytes > memoryLimit || output.contains(where: ProcessMemory.isRefusal)
      self = isOfMemory ? .memory(limitInBytes: memoryLimit) : .signal(signal)
    }
  }
}

extension WorkerEnd.Cause {
  /// The end as text.
  package var text: String {
    switch self {
    case .signal(let signal): "crashed, by \(SignalName.of(signal))"
    case .stackOverflow: "crashed, by a stack that overflowed"
    case .exit(let status): "ended the process, with status \(status)"
    case .time(let limit): "took longer than \(Self.compact(limit))"
    case .memory(let limit): "needed more than \(MemoryAmount.text(limit)) of memory"
    case .ended: Self.signal(Int(SIGKILL)).text
    }
  }

  /// Formats a time limit as it is typed.
  package static func compact(_ milliseconds: Int) -> String {
    milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
