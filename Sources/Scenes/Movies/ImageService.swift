import Pipelines
import RemoteLoading

/// Fetches the images of movies and of those who play in them.
@MainActor struct ImageService {
  /// How wide an image is, in the words of the service.
  enum Size: String, CaseIterable {
    case small = "w154"
    case medium = "w500"
    case cast = "w185"
    case original
  }

  let client: RemoteClient
  var base = "http://images.example/t/p"

  /// The image, or nil for whatever reason.
  func image(at path: String, size: Size) -> AnyPublisher<ImageData?, Never> {
    guard let request = try? RemoteRequest(url: "\(base)/\(size.rawValue)\(path)") else {
      return Just(nil).eraseToAnyPublisher()
    }
    return client.publisher(for: request)
      .tryMap { try ImageData($0.body) }
      .replaceError(with: nil)
      .eraseToAnyPublisher()
  }
}
