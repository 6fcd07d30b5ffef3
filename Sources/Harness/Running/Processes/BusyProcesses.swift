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
  private let processes: [ForkedProcess]

  /// Starts some; fewer where the system gives no more.
  ///
  /// - Precondition: this process has one thread.
  init(count: Int) {
    processes = (0..<count).compactMap { _ in ForkedProcess { Self.spin() } }
  }

  /// Goes round without a pause.
  private static func spin() -> Never {
    while true { withExtendedLifetime(getpid()) {} }
  }

  func end() {
    for process in processes {
      kill(process.id, SIGKILL)
      _ = ProcessControl.wait(for: process.id, blocking: true)
    }
  }
}
