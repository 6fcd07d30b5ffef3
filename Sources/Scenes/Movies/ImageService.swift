import Pipelines
import RemoteLoading

/// Fetches the images of movies and actors.
@MainActor struct ImageService {
  /// The width of an image, in the service's terms.
  enum Size: String, CaseIterable {
    case small = "w154"
    case medium = "w500"
    case cast = "w185"
    case original
  }

  let client: RemoteClient
  var base = "http://images.example/t/p"

  /// Publishes the image, nil after any failure.
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
