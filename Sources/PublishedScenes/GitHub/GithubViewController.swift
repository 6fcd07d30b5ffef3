import Dispatch
import Foundation
import FoundationPipelines
import RemoteLoading

/// The view controller of swiftui-notes' UIKit-Combine, without UIKit: three pipelines on a queue of
/// its own and on `RunLoop.main`.
@MainActor final class GithubViewController: ObservableObject {
  // First, so that they are cancelled first: OpenCombine does not cancel after the subject is gone.
  private var apiNetworkActivitySubscriber: AnyCancellable?
  private var usernameSubscriber: AnyCancellable?
  private var repositoryCountSubscriber: AnyCancellable?
  private var avatarViewSubscriber: AnyCancellable?

  @Published var username = ""
  @Published private var githubUserData: [GithubAPIUser] = []
  // The author subscribes twice to the property above. OpenCombine sends to the subscribers of one
  // property in the order of their memory addresses, which differs between runs.
  @Published private var userWithAvatar: GithubAPIUser?

  // The views.
  @Published private(set) var repositoryCountText = "unknown"
  @Published private(set) var avatar = "blank"
  @Published private(set) var isAnimating = false
  @Published private(set) var requestCount = 0

  private let myBackgroundQueue = DispatchQueue(label: "myBackgroundQueue")
  private let api: GithubAPI
  private let print: @MainActor (String) -> Void

  init(_ api: GithubAPI, print: @escaping @MainActor (String) -> Void) {
    self.api = api
    self.print = print
  }

  func githubIdChanged(_ text: String) {
    print("typed \"\(text)\"")
    username = text
  }

  func viewDidLoad() {
    apiNetworkActivitySubscriber = api.networkActivityPublisher
      .receive(on: RunLoop.main)
      .sink { [weak self] in self?.show($0) }

    // Later pipelines are subscribed before the name that starts them.
    repositoryCountSubscriber =
      $githubUserData
      .dropFirst()
      .receive(on: RunLoop.main)
      .sink { [weak self] userData in
        self?.print("user \(userData.first?.login ?? "none")")
        self?.repositoryCountText = userData.first.map { "\($0.public_repos)" } ?? "unknown"
        self?.userWithAvatar = userData.first
      }

    avatarViewSubscriber =
      $userWithAvatar
      .map { [unowned self] user in avatarImage(of: user) }
      .switchToLatest()
      .subscribe(on: myBackgroundQueue)
      .receive(on: RunLoop.main)
      .sink { [weak self] image in self?.avatar = image?.description ?? "blank" }

    usernameSubscriber =
      $username
      .throttle(for: 0.5, scheduler: myBackgroundQueue, latest: true)
      .handleEvents(receiveOutput: { [print] name in
        DispatchQueue.main.async { print("throttled \"\(name)\"") }
      })
      .removeDuplicates()
      .handleEvents(receiveOutput: { [print] name in
        DispatchQueue.main.async { print("deduped \"\(name)\"") }
      })
      .map { [api] username in api.retrieveGithubUser(username: username) }
      .switchToLatest()
      .receive(on: RunLoop.main)
      .sink { [weak self] in self?.githubUserData = $0 }
  }

  private func avatarImage(of user: GithubAPIUser?) -> AnyPublisher<ImageData?, Never> {
    guard let user else {
      return Just(nil).eraseToAnyPublisher()
    }
    let name = "avatar of \(user.login)"
    return api.client.dataTaskPublisher(for: user.avatar_url)
      .tryMap { try ImageData($0.successfulBody) }
      .handleEvents(
        receiveSubscription: { [weak self] _ in
          DispatchQueue.main.async { self?.show(.started(name)) }
        },
        receiveCompletion: { [weak self] _ in
          DispatchQueue.main.async { self?.show(.finished) }
        },
        receiveCancel: { [weak self] in
          DispatchQueue.main.async { self?.show(.cancelled(name)) }
        }
      )
      .map { $0 as ImageData? }
      .subscribe(on: myBackgroundQueue)
      .catch { _ in Just(nil) }
      .eraseToAnyPublisher()
  }

  /// Starts and stops the activity indicator, and counts the requests.
  private func show(_ activity: GithubAPI.Activity) {
    switch activity {
    case .started(let name):
      print("requested \(name)")
      isAnimating = true
      requestCount += 1
      return
    case .cancelled(let name): print("cancelled \(name)")
    case .finished: break
    }
    isAnimating = false
    requestCount -= 1
  }
}
