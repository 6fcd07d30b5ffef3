import Loading

/// Save and delete share one process: while one of them runs, both buttons are disabled, and the
/// one that was pressed has the spinner.
@MainActor protocol SharedProcessDemo: AnyObject {
  var accountDriver: LoadDriver<ProcessState<AccountJob>> { get }
  func start(_ job: AccountJob)
}

enum AccountJob: String, CaseIterable {
  case save, delete
}

extension SharedProcessDemo {
  /// The job that keeps the buttons disabled; nil where they can be pressed.
  var runningJob: AccountJob? {
    accountDriver.state.isRunning ? accountDriver.state.process : nil
  }

  /// What a press of this job's button does.
  func press(_ job: AccountJob) throws {
    if let runningJob { throw DisabledButton(runningJob) }
    start(job)
  }
}

/// A button was pressed that cannot be, since this job runs.
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
