import Loading
import Observation
import RemoteLoading

/// A deletion that fails once. An alert shows the failure and offers to try again.
@MainActor protocol FailureAlertDemo: AnyObject {
  var accountDriver: LoadDriver<ProcessState<AccountJob>> { get }
  /// The text of the alert, nil if there is none.
  var alert: String? { get set }
  func delete()
}

extension FailureAlertDemo {
  func tryAgain() {
    dismiss()
    delete()
  }

  func dismiss() { alert = nil }

  fileprivate func raiseAlert(for state: ProcessState<AccountJob>) {
    guard case .failed(let job, _) = state else { return }
    alert = "\(job) failed. Try again?"
  }
}

/// Checks the state after the process has ended.
@MainActor @Observable final class FailureAlertWrapperDemo: FailureAlertDemo {
  @ObservationIgnored @LoadingProcess<AccountJob> private var account
  var alert: String?
  @ObservationIgnored private let service = FailingOnce()

  var accountDriver: LoadDriver<ProcessState<AccountJob>> { $account.driver }

  func delete() {
    Task {
      await $account.run(.delete) { [service] in try await service.delete() }
      raiseAlert(for: account)
    }
  }
}

/// Checks the state whenever it changes.
@MainActor @Observable final class FailureAlertClassDemo: FailureAlertDemo, ProcessSupport {
  private var account: ProcessState<AccountJob> = .idle {
    didSet { raiseAlert(for: account) }
  }
  var alert: String?
  @ObservationIgnored private let service = FailingOnce()

  var accountDriver: LoadDriver<ProcessState<AccountJob>> { driver(of: \.account) }

  func delete() {
    run(\.account, as: .delete) { try await service.delete() }
  }
}

/// A server that answers 500 to the first request and succeeds afterwards.
@MainActor private final class FailingOnce {
  private var hasFailed = false

  func delete() async throws {
    try await Task.sleep(for: .seconds(1))
    guard !hasFailed else { return }
    hasFailed = true
    throw RemoteError.status(500)
  }
}
