import LibC
import Workers

/// Processes that keep the machine busy, so that results that depend on its speed differ.
struct BusyProcesses {
  private let processes: [ForkedProcess]

  /// Starts processes; fewer if the system provides no more.
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
