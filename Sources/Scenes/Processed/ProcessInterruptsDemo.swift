import Loading
import Observation

/// A job of ten seconds, with a note after two and a timeout after five.
@MainActor protocol ProcessInterruptsDemo: AnyObject {
  var jobDriver: LoadDriver<ProcessState<SingleProcess>> { get }
  /// The text next to the spinner, or nil.
  var note: String? { get set }
  func run()
}

@MainActor @Observable final class ProcessInterruptsWrapperDemo: ProcessInterruptsDemo {
  @ObservationIgnored @LoadingProcess private var job
  var note: String?

  var jobDriver: LoadDriver<ProcessState<SingleProcess>> { $job.driver }

  func run() {
    note = nil
    $job.run(interrupts: [.seconds(2), .seconds(3)]) {
      try await Task.sleep(for: .seconds(10))
    } onInterrupt: { [self] delay in
      try interrupt(after: delay)
    }
  }
}

@MainActor @Observable
final class ProcessInterruptsClassDemo: ProcessInterruptsDemo,
  ProcessSupport
{
  private var job: SingleProcessState = .idle
  var note: String?

  var jobDriver: LoadDriver<ProcessState<SingleProcess>> { driver(of: \.job) }

  func run() {
    note = nil
    run(\.job, interrupts: [.seconds(2), .seconds(3)]) {
      try await Task.sleep(for: .seconds(10))
    } onInterrupt: { delay in
      try interrupt(after: delay)
    }
  }
}

extension ProcessInterruptsDemo {
  fileprivate func interrupt(after delay: Duration) throws {
    note = nil
    guard delay < .seconds(5) else { throw TimeoutError() }
    note = "this takes longer than expected"
  }
}
