import Pipelines
import RemoteLoading

/// Asks GitHub for users and their avatars. Nothing is asked before somebody subscribes.
@MainActor struct GitHubAPI {
  let client: RemoteClient
  let activity: NetworkActivity
  var base = "https://api.github.example"

  /// The user of this name, in a list, or an empty list where the name is too short to ask for.
  func users(named name: String) -> AnyPublisher<[GitHubUser], any Error> {
    guard name.count >= 3 else {
      return Just([]).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
    return fetch("\(base)/users/\(percentEncoded(name))", as: "user \(name)") {
      [try RemoteDecoding().decode(GitHubUser.self, from: $0)]
    }
  }

  /// The user's avatar; nil, a blank one, where it cannot be had.
  func avatar(of user: GitHubUser) -> AnyPublisher<ImageData?, Never> {
    fetch(user.avatarURL, as: "avatar of \(user.login)") { try ImageData($0) }
      .replaceError(with: nil)
      .eraseToAnyPublisher()
  }

  /// What is decoded of an answer. A body that does not decode ends the activity as a failure.
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
