import Observation
import Pipelines
import RemoteLoading

/// A view model of a GitHub user search: the user with the typed name, then the number of
/// repositories and the avatar.
@MainActor @Observable final class GitHubModel {
  // First, so that they are cancelled first: OpenCombine does not cancel after the subject is gone.
  private var subscriptions: [AnyCancellable] = []
  /// The text of the field.
  @ObservationIgnored @Published var username = ""
  /// The user of that name, or an empty list.
  private(set) var users: [GitHubUser] = []
  private(set) var repositoryCount = "unknown"
  /// Whether a failure ended the subscription.
  private(set) var isDead = false
  /// Nil for a blank avatar.
  private(set) var avatar: ImageData?

  /// A way to handle several requests for users.
  enum Flattening {
    /// A new request cancels the previous one: `switchToLatest`.
    case latest
    /// All requests deliver, in any order: `flatMap`.
    case all
  }

  /// A way to handle a failed request for a user.
  enum Failures {
    /// The result is an empty list.
    case replaced
    /// The failure ends the subscription, so no later name is looked up.
    case fatal
  }

  private let api: GitHubAPI
  private let log: (String) -> Void
  private let typed = PassthroughSubject<String, Never>()
  private let shown = PassthroughSubject<GitHubUser?, Never>()

  /// Creates the view model.
  ///
  /// - Parameters:
  ///   - api: sends the requests.
  ///   - scheduler: the scheduler for throttling.
  ///   - flattening: the handling of several requests.
  ///   - failures: the handling of failed requests.
  ///   - log: receives a line for each step.
  init(
    _ api: GitHubAPI,
    on scheduler: some Scheduler,
    flattening: Flattening = .latest,
    failures: Failures = .replaced,
    log: @escaping (String) -> Void = { _ in }
  ) {
    self.api = api
    self.log = log
    // The typed text comes last: OpenCombine's throttle drops values during its subscription.
    subscriptions = [
      followAvatars(), follow(scheduler, flattening, failures),
      $username
        .handleEvents(receiveOutput: { log("typed \"\($0)\"") })
        .subscribe(typed),
    ]
  }

  private func follow(
    _ scheduler: some Scheduler,
    _ flattening: Flattening,
    _ failures: Failures
  ) -> AnyCancellable {
    let answers = names(on: scheduler).map { [api] in api.users(named: $0, failures) }
    let found =
      switch flattening {
      case .latest: answers.switchToLatest().eraseToAnyPublisher()
      case .all: answers.flatMap { $0 }.eraseToAnyPublisher()
      }
    return found.receive(on: scheduler).sink(
      receiveCompletion: { [weak self] in self?.end($0) },
      receiveValue: { [weak self] in self?.show($0) }
    )
  }

  private func followAvatars() -> AnyCancellable {
    shown
      .map { [api] in $0.map(api.avatar) ?? Just(nil).eraseToAnyPublisher() }
      .switchToLatest()
      .sink { [weak self] in self?.avatar = $0 }
  }

  /// Returns the names to look up.
  private func names(on scheduler: some Scheduler) -> some Publisher<String, any Error> {
    typed
      .throttle(for: .milliseconds(500), scheduler: scheduler, latest: true)
      .handleEvents(receiveOutput: { [log] in log("throttled \"\($0)\"") })
      .removeDuplicates()
      .handleEvents(receiveOutput: { [log] in log("deduped \"\($0)\"") })
      .setFailureType(to: (any Error).self)
  }

  private func show(_ users: [GitHubUser]) {
    let user = users.first
    log("user \(user?.login ?? "none")")
    self.users = users
    repositoryCount = user.map { "\($0.repositoryCount)" } ?? "unknown"
    shown.send(user)
  }

  private func end(_ completion: Subscribers.Completion<any Error>) {
    guard case .failure(let error) = completion else { return }
    log("dead: \(error)")
    isDead = true
  }
}

extension GitHubAPI {
  fileprivate func users(
    named name: String,
    _ failures: GitHubModel.Failures
  ) -> AnyPublisher<[GitHubUser], any Error> {
    switch failures {
    case .fatal: users(named: name)
    case .replaced:
      users(named: name)
        .replaceError(with: [])
        .setFailureType(to: (any Error).self)
        .eraseToAnyPublisher()
    }
  }
}
