import Dispatch
import FoundationPipelines
import Scenes

/// The check of the form of PokeMaster, on the main queue.
@MainActor final class AccountChecker: EmailChecking {
  private var subscription: AnyCancellable?
  private var hasBegun = false
  var onVerdict: (Bool) -> Void = { _ in }
  var observer: (String) -> Void = { _ in }

  @Published private var accountBehavior = AppState.Mode.login
  @Published private var email = ""
  // PokeMaster subscribes twice to the property above. OpenCombine sends to the subscribers of one
  // property in the order of their memory addresses, which differs between runs.
  @Published private var emailForServer = ""

  private var evidence: AnyPublisher<EmailEvidence, Never> {
    let remoteVerify =
      $emailForServer
      .debounce(for: .milliseconds(500), scheduler: DispatchQueue.main)
      .removeDuplicates()
      .flatMap { [unowned self] email -> AnyPublisher<Bool, Never> in
        switch (looksLikeEmail(email), accountBehavior == .login) {
        case (false, _):
          return Just(false).eraseToAnyPublisher()
        case (true, false):
          observer("asks the server about \(email)")
          return EmailCheckingRequest(email: email).publisher
        case (true, true):
          return Just(true).eraseToAnyPublisher()
        }
      }
    let emailLocalValid = $email.map { looksLikeEmail($0) }
    let canSkipRemoteVerify = $accountBehavior.map { $0 == .login }
    return Publishers.CombineLatest3(emailLocalValid, canSkipRemoteVerify, remoteVerify)
      .map { EmailEvidence(looksRight: $0, skipsServer: $1, serverAgrees: $2) }
      .eraseToAnyPublisher()
  }

  func update(email: String, mode: AppState.Mode) {
    guard email != self.email || mode != accountBehavior else { return }
    if mode != accountBehavior { accountBehavior = mode }
    if email != self.email {
      self.email = email
      emailForServer = email
    }
    guard !hasBegun else { return }
    hasBegun = true
    subscription = evidence.sink { [unowned self] evidence in
      observer(evidence.description)
      onVerdict(evidence.isValid)
    }
  }

  func drop() {
    observer(
      subscription == nil
        ? "there is no subscription" : "the subscription is dropped; no verdict will come"
    )
    subscription = nil
  }
}
