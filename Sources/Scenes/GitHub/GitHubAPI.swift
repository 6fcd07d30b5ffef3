import Pipelines
import RemoteLoading

/// Requests users and avatars from GitHub, when a publisher is subscribed to.
@MainActor struct GitHubAPI {
  let client: RemoteClient
  let activity: NetworkActivity
  var base = "https://api.github.example"

  /// Publishes a list with the user of this name. It is empty if the name is too short to look up.
  func users(named name: String) -> AnyPublisher<[GitHubUser], any Error> {
    guard name.count >= 3 else {
      return Just([]).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
    return fetch("\(base)/users/\(percentEncoded(name))", as: "user \(name)") {
      [try RemoteDecoding().decode(GitHubUser.self, from: $0)]
    }
  }

  /// Publishes the user's avatar, nil if it is not available.
  func avatar(of user: GitHubUser) -> AnyPublisher<ImageData?, Never> {
    fetch(user.avatarURL, as: "avatar of \(user.login)") { try ImageData($0) }
      .replaceError(with: nil)
      .eraseToAnyPublisher()
  }

  /// Requests and decodes a value. A body that does not decode counts as a failed activity.
  private func fetch<Value>(
    _ url: String,
    as name: String,
    decode: @escaping ([UInt8]) throws -> Value
  ) -> AnyPublisher<Value, any Error> {
    do {
      let answer = client.publisher(for: try RemoteRequest(url: url))
      return activity.watching(answer.tryMap { try decode($0.body) }, as: name)
        .eraseToAnyPublisher()
    } catch {
      return Fail(error: error).eraseToAnyPublisher()
    }
  }
}
