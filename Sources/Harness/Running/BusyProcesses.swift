import LibC
import Workers

/// Processes that load the processors, so that results that depend on speed differ.
struct BusyProcesses {
  private let processes: [ForkedProcess]

  /// Starts processes; fewer if the system cannot start all of them.
  ///
  /// - Precondition: this process has one thread.
  init(count: Int) {
    processes = (0..<count).compactMap { _ in try? ForkedProcess { Self.spin() } }
  }

  private static func spin() -> Never {
    while true { withExtendedLifetime(getpid()) {} }
  }

  func end() {
    for process in processes { process.kill() }
  }
}
