import Pipelines
import Staging

/// Finds out whether an email will do, as PokeMaster does: by what it looks like and, where somebody
/// registers, by what the server says half a second after the typing stopped.
@MainActor final class EmailCheck {
  /// Told each verdict.
  var onVerdict: (Bool) -> Void = { _ in }
  /// Told what the check does, and what each verdict rests on.
  var observer: (String) -> Void = { _ in }

  // Two pipelines begin here, and which of them is served first must not change.
  private let emails = OrderedSubject<String, Never>("")
  private var email = ""
  private let modes = CurrentValueSubject<AppState.Mode, Never>(.login)
  private let scheduler: StageScheduler
  private var subscription: AnyCancellable?
  private var hasBegun = false

  init(on scheduler: StageScheduler) {
    self.scheduler = scheduler
  }

  /// Follows the form; from the first time that somebody changes it.
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

  /// Asks only where that can make a difference. The server is simulated: it takes half a second and,
  /// unlike PokeMaster's, which never refuses, knows emails that are taken.
  private func verdictOfServer(on email: String) -> AnyPublisher<Bool, Never> {
    guard looksLikeEmail(email) else { return Just(false).eraseToAnyPublisher() }
    guard modes.value == .register else { return Just(true).eraseToAnyPublisher() }
    observer("asks the server about \(email)")
    return Just(!email.hasPrefix("taken"))
      .delay(for: .milliseconds(500), scheduler: scheduler)
      .eraseToAnyPublisher()
  }

  /// Forgets the subscription, without which nothing is checked any more.
  func drop() {
    observer(
      subscription == nil
        ? "there is no subscription" : "the subscription is dropped; no verdict will come"
    )
    subscription = nil
  }
}

/// What a verdict on an email rests on.
struct EmailEvidence: Equatable, CustomStringConvertible {
  let looksRight: Bool
  let skipsServer: Bool
  let serverAgrees: Bool

  var isValid: Bool { looksRight && (skipsServer || serverAgrees) }

  var description: String {
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

/// Something before an `@`, and after it names with a dot in between.
func looksLikeEmail(_ text: String) -> Bool {
  let parts = text.split(separator: "@", omittingEmptySubsequences: false)
  guard parts.count == 2, !parts[0].isEmpty else { return false }
  let names = parts[1].split(separator: ".", omittingEmptySubsequences: false)
  return names.count > 1 && names.allSatisfy { !$0.isEmpty }
}
