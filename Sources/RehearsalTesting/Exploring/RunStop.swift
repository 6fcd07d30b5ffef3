#if canImport(Testing)
internal import CCrashNotice
import Exploring
import LibC
import Staging
import Workers

/// Why the thread of a run was stopped before the end of the run, and the violation for it. The thread keeps its locks.
enum RunStop: Sendable, Equatable {
  /// It has crashed by this signal.
  case crash(Int32, CrashReport? = nil)
  /// It has called a function that ends the process, such as `exit(3)`.
  case exit(String)
  /// It loops forever.
  case loop(BlockedCall)
  /// It has reached the time limit, in milliseconds of processor time and of waiting for something real, at this place.
  case late(Int, CrashReport? = nil)

  /// The time limit of a run: no run needs as much processor time, but a thread may wait for something outside of virtual
  /// time.
  static let limitInMilliseconds = 60_000

  /// The cause of a crash; nil for other reasons.
  var crash: WorkerEnd.Cause? {
    guard case .crash(let signal, _) = self else { return nil }
    return isOverflow ? .stackOverflow : .signal(Int(signal))
  }

  /// Where it has crashed; nil if that is unknown, and for other reasons.
  var crashReport: CrashReport? {
    guard case .crash(_, let report) = self else { return nil }
    return report
  }

  var isOverflow: Bool {
    guard case .crash(let signal, _) = self else { return false }
    return signal == SIGSEGV || signal == SIGBUS
  }

  /// Whether a run by the same schedule is likely to take as long again.
  var isSlow: Bool {
    switch self {
    case .crash, .exit: false
    case .loop, .late: true
    }
  }

  /// The violation of a run that failed for no other reason before.
  var violation: Violation {
    switch self {
    case .crash(_, let report): Violation(.noCrash, .crashed(crash ?? .ended, report))
    case .exit(let call): Violation(.noExit, .text("it called \(call)"))
    case .loop(let call): Violation(.noDeadlock, .blocked([call]))
    case .late(let limit, let report):
      Violation(.noDeadlock, .crashed(.time(limitInMilliseconds: limit), report))
    }
  }
}
#endif
