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
    return response(from: "\(base)/users/\(percentEncoded(name))", as: "user \(name)")
      .tryMap { [try RemoteDecoding().decode(GitHubUser.self, from: $0.body)] }
      .eraseToAnyPublisher()
  }

  /// The user's avatar; nil, a blank one, where it cannot be had.
  func avatar(of user: GitHubUser) -> AnyPublisher<ImageData?, Never> {
    response(from: user.avatarURL, as: "avatar of \(user.login)")
      .tryMap { try ImageData($0.body) }
      .replaceError(with: nil)
      .eraseToAnyPublisher()
  }

  private func response(
    from url: String,
    as name: String
  ) -> AnyPublisher<RemoteResponse, any Error> {
    do {
      let request = client.publisher(for: try RemoteRequest(url: url))
      return activity.watching(request, as: name).eraseToAnyPublisher()
    } catch {
      return Fail(error: error).eraseToAnyPublisher()
    }
  }
}

/// The text as one segment of a path, whatever is in it.
private func percentEncoded(_ text: String) -> String {
  text.utf8.reduce(into: "") { encoded, byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      encoded.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      encoded += "%" + (digits.count == 1 ? "0" : "") + digits
    }
  }
}
