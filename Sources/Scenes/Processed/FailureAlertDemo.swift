import Loading
import Observation
import RemoteLoading

/// A deletion that fails once. An alert says so, and offers to try again.
@MainActor protocol FailureAlertDemo: AnyObject {
  var accountDriver: LoadDriver<ProcessState<AccountJob>> { get }
  /// What the alert says; nil while there is none.
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

/// Looks at the state when the process is over.
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

/// Looks at the state whenever it changes.
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

/// Answers 500 the first time, and does as it is told from then on.
@MainActor private final class FailingOnce {
  private var hasFailed = false

  func delete() async throws {
    try await Task.sleep(for: .seconds(1))
    guard !hasFailed else { return }
    hasFailed = true
    throw RemoteError.status(500)
  }
}
