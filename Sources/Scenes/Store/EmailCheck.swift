import Pipelines
import Staging

/// A check of the email in a form.
@MainActor package protocol EmailChecking: AnyObject {
  /// Receives each verdict.
  var onVerdict: (Bool) -> Void { get set }
  /// Receives a line for each step and each verdict with its reasons.
  var observer: (String) -> Void { get set }

  /// Updates the form. The check begins with the first change.
  func update(email: String, mode: AppState.Mode)
  /// Drops the subscription, which ends all checks.
  func drop()
}

/// A check of an email as in PokeMaster: its form and, for a registration, the server's answer,
/// which it requests half a second after the last change.
@MainActor final class EmailCheck: EmailChecking {
  var onVerdict: (Bool) -> Void = { _ in }
  var observer: (String) -> Void = { _ in }

  // Two pipelines begin here, and their order must not change.
  private let emails = OrderedSubject<String, Never>("")
  private var email = ""
  private let modes = CurrentValueSubject<AppState.Mode, Never>(.login)
  private let scheduler: StageScheduler
  private var subscription: AnyCancellable?
  private var hasBegun = false

  init(on scheduler: StageScheduler) {
    self.scheduler = scheduler
  }

  func update(email: String, mode: AppState.Mode) {
    guard email != self.email || mode != modes.value else { return }
    if mode != modes.value { modes.value = mode }
    if email != self.email {
      self.email = email
      emails.send(email)
    }
    if !hasBegun { begin() }
  }

  private func begin() {
    hasBegun = true
    let fromServer =
      emails
      .debounce(for: .milliseconds(500), scheduler: scheduler)
      .removeDuplicates()
      .flatMap { [unowned self] in verdictOfServer(on: $0) }
    subscription =
      emails.map(looksLikeEmail)
      .combineLatest(modes.map { $0 == .login }, fromServer, EmailEvidence.init)
      .sink { [unowned self] evidence in
        observer(evidence.description)
        onVerdict(evidence.isValid)
      }
  }

  /// Asks the server only if its answer can change the verdict. The server is simulated: it takes
  /// half a second and, unlike PokeMaster's, rejects some emails.
  private func verdictOfServer(on email: String) -> AnyPublisher<Bool, Never> {
    guard looksLikeEmail(email) else { return Just(false).eraseToAnyPublisher() }
    guard modes.value == .register else { return Just(true).eraseToAnyPublisher() }
    observer("asks the server about \(email)")
    return Just(isFree(email))
      .delay(for: .milliseconds(500), scheduler: scheduler)
      .eraseToAnyPublisher()
  }

  func drop() {
    observer(
      subscription == nil
        ? "there is no subscription" : "the subscription is dropped; no verdict will come"
    )
    subscription = nil
  }
}

/// The reasons for a verdict on an email.
package struct EmailEvidence: Equatable, CustomStringConvertible {
  let looksRight: Bool
  let skipsServer: Bool
  let serverAgrees: Bool

  package init(looksRight: Bool, skipsServer: Bool, serverAgrees: Bool) {
    (self.looksRight, self.skipsServer) = (looksRight, skipsServer)
    self.serverAgrees = serverAgrees
  }

  package var isValid: Bool { looksRight && (skipsServer || serverAgrees) }

  package var description: String {
    "looks \(looksRight), skips \(skipsServer), server \(serverAgrees) → "
      + (isValid ? "valid" : "not valid")
  }

  /// Every combination, in the order of a truth table.
  static let all: [EmailEvidence] = [true, false].flatMap { looksRight in
    [true, false].flatMap { skips in
      [true, false].map {
        EmailEvidence(looksRight: looksRight, skipsServer: skips, serverAgrees: $0)
      }
    }
  }
}

/// Returns whether the text has characters before an `@`, and after it names with a dot between
/// them.
package func looksLikeEmail(_ text: String) -> Bool {
  let parts = text.split(separator: "@", omittingEmptySubsequences: false)
  guard parts.count == 2, !parts[0].isEmpty else { return false }
  let names = parts[1].split(separator: ".", omittingEmptySubsequences: false)
  return names.count > 1 && names.allSatisfy { !$0.isEmpty }
}

/// Returns the answer of the simulated server, which rejects some emails.
package func isFree(_ email: String) -> Bool { !email.hasPrefix("taken") }
