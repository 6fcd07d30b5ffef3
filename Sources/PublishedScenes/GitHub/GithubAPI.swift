import Foundation
import FoundationPipelines
import RemoteLoading

struct GithubAPIUser: Decodable {
  let login: String
  // swift-format-ignore: AlwaysUseLowerCamelCase
  let public_repos: Int
  // swift-format-ignore: AlwaysUseLowerCamelCase
  let avatar_url: String
}

enum APIFailureCondition: Error {
  case invalidServerResponse
}

/// The requests of swiftui-notes' UIKit-Combine.
struct GithubAPI {
  /// A change of the network activity.
  enum Activity {
    case started(String)
    case finished
    case cancelled(String)
  }

  /// Sends a value when a request starts and when it ends.
  let networkActivityPublisher = PassthroughSubject<Activity, Never>()
  let client: RemoteClient

  /// Publishes a list of one user; an empty one for a short name and for any error.
  func retrieveGithubUser(username: String) -> AnyPublisher<[GithubAPIUser], Never> {
    if username.count < 3 {
      return Just([]).eraseToAnyPublisher()
    }
    let assembledURL = "https://api.github.example/users/\(percentEncoded(username))"
    return client.dataTaskPublisher(for: assembledURL)
      .tryMap { response -> Data in
        guard response.statusCode == 200 else {
          throw APIFailureCondition.invalidServerResponse
        }
        return Data(response.body)
      }
      .decode(type: GithubAPIUser.self, decoder: JSONDecoder())
      // The author observes the request before it is decoded. There, an error in `tryMap` counts as
      // a cancellation.
      .handleEvents(
        receiveSubscription: { _ in
          networkActivityPublisher.send(.started("user \(username)"))
        },
        receiveCompletion: { _ in
          networkActivityPublisher.send(.finished)
        },
        receiveCancel: {
          networkActivityPublisher.send(.cancelled("user \(username)"))
        }
      )
      .map { [$0] }
      .catch { _ in Just([]) }
      .eraseToAnyPublisher()
  }
}
