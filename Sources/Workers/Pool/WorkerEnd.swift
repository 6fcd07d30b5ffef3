#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The end of a worker that had not answered its request.
package struct WorkerEnd: Sendable {
  package enum Cause: Sendable, Equatable {
    case signal(Int)
    case exit(status: Int)
    case stackOverflow
    /// A step took longer than the limit, so the pool ended the worker.
    case time(limitInMilliseconds: Int)
    /// It used more memory than the limit, or asked for so much that it got none.
    case memory(limitInBytes: Int)
    /// The owner of the pool ended it.
    case ended

    /// Whether another program may have ended it: by a signal that no mistake of its own raises.
    package var isFromOutside: Bool {
      switch self {
      case .signal(let signal):
        ![SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS].contains(Int32(signal))
      case .ended: true
      case .exit, .stackOverflow, .time, .memory: false
      }
    }

    /// Whether it ended because of its own code, whatever the speed of the machine.
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
  /// Whether the worker began another step after this process had decided to end it.
  package let hasMovedOn: Bool
  /// The lines that it wrote to its standard streams in the latest step.
  package let output: [String]
  /// The real time of the latest step, in milliseconds.
  package let stepTime: Int
}

extension WorkerEnd.Cause {
  /// The cause of an end that nobody in this process has brought about.
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
