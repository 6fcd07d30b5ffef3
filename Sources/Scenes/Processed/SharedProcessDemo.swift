import Loading

/// Save and delete share one process. While one of them runs, both buttons are disabled, and the
/// pressed one shows a spinner.
@MainActor protocol SharedProcessDemo: AnyObject {
  var accountDriver: LoadDriver<ProcessState<AccountJob>> { get }
  func start(_ job: AccountJob)
}

enum AccountJob: String, CaseIterable {
  case save, delete
}

extension SharedProcessDemo {
  /// The job that disables the buttons, nil if they are enabled.
  var runningJob: AccountJob? {
    accountDriver.state.isRunning ? accountDriver.state.process : nil
  }

  /// Presses this job's button.
  func press(_ job: AccountJob) throws {
    if let runningJob { throw DisabledButton(runningJob) }
    start(job)
  }
}

/// The error of pressing a button while this job runs.
struct DisabledButton: Error, CustomStringConvertible {
  let runningJob: AccountJob
  var description: String { "disabled while \(runningJob) runs" }

  init(_ runningJob: AccountJob) { self.runningJob = runningJob }
}

@MainActor final class SharedProcessWrapperDemo: SharedProcessDemo {
  @LoadingProcess<AccountJob> private var account

  var accountDriver: LoadDriver<ProcessState<AccountJob>> { $account.driver }

  func start(_ job: AccountJob) {
    $account.run(job) { try await Task.sleep(for: .seconds(2)) }
  }
}

@MainActor final class SharedProcessClassDemo: SharedProcessDemo, ProcessSupport {
  private var account: ProcessState<AccountJob> = .idle

  var accountDriver: LoadDriver<ProcessState<AccountJob>> { driver(of: \.account) }

  func start(_ job: AccountJob) {
    run(\.account, as: job) { try await Task.sleep(for: .seconds(2)) }
  }
}
