import Observation
import Pipelines
import RemoteLoading

/// Shows the GitHub user whose name is being typed: the user, how many repositories there are, the
/// avatar. Each follows from the one before.
@MainActor @Observable final class GitHubModel {
  // They come first, so that they are cancelled first: of a subject that is gone OpenCombine cancels nothing.
  private var subscriptions: [AnyCancellable] = []
  /// What stands in the field.
  @ObservationIgnored @Published var username = ""
  /// The user of that name, or nobody.
  private(set) var users: [GitHubUser] = []
  private(set) var repositoryCount = "unknown"
  /// Whether a failure has ended it.
  private(set) var isDead = false
  /// Nil: blank.
  private(set) var avatar: ImageData?

  /// What becomes of several requests for users.
  enum Flattening {
    /// A new one cancels the one before: `switchToLatest`.
    case latest
    /// All of them answer, in any order: `flatMap`.
    case all
  }

  /// What becomes of a request for a user that fails.
  enum Failures {
    /// Nobody is found.
    case replaced
    /// The failure ends the subscription, and no user is ever asked for again.
    case fatal
  }

  private let api: GitHubAPI
  private let log: (String) -> Void
  private let typed = PassthroughSubject<String, Never>()
  private let shown = PassthroughSubject<GitHubUser?, Never>()

  /// - Parameters:
  ///   - api: is asked.
  ///   - scheduler: in whose time names are throttled.
  ///   - flattening: what becomes of several requests.
  ///   - failures: what becomes of one that fails.
  ///   - log: told what happens on the way.
  init(
    _ api: GitHubAPI,
    on scheduler: some Scheduler,
    flattening: Flattening = .latest,
    failures: Failures = .replaced,
    log: @escaping (String) -> Void = { _ in }
  ) {
    self.api = api
    self.log = log
    // What is typed comes last: OpenCombine's throttle drops what it is sent while it is subscribed to.
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

  /// The names that are worth asking for.
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
    log("user \(user?.login ?? "nobody")")
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
