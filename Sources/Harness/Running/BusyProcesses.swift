#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Processes that keep the machine busy, so that what depends on having it alone shows.
///
/// They end with the one who started them, should that end without `end`.
struct BusyProcesses {
  private let processes: [pid_t]

  /// Starts some; fewer where the system gives no more.
  ///
  /// - Precondition: this process has one thread.
  init(count: Int) {
    let parent = getpid()
    processes = (0..<count).compactMap { _ in
      let process = ProcessControl.fork()
      if process == 0 { Self.spin(while: parent) }
      return process > 0 ? process : nil
    }
  }

  /// Goes round without a pause; never for longer than the run that wants it can take.
  private static func spin(while parent: pid_t) -> Never {
    while getppid() == parent {
      for _ in 0..<10_000 { withExtendedLifetime(getpid()) {} }
    }
    _exit(0)
  }

  func end() {
    for process in processes {
      kill(process, SIGKILL)
      _ = ProcessControl.wait(for: process, blocking: true)
    }
  }
}
