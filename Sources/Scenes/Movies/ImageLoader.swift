import Pipelines
import RemoteLoading

/// A loader of one image for its subscribers.
@MainActor protocol ImageLoading: AnyObject {
  /// The image, nil before it is loaded.
  var image: ImageData? { get }
  /// The number of requests sent.
  var requestCount: Int { get }
  /// Publishes each new image, nil after a failure. Subscribing loads, unsubscribing cancels.
  var changes: AnyPublisher<ImageData?, Never> { get }

  init(_ service: ImageService, path: String?, size: ImageService.Size)
}

/// A loader with a bug: each subscription sends a request, and each cancellation ends the current
/// one, even if others wait for it.
@MainActor final class ImageLoader: ImageLoading {
  private(set) var image: ImageData?
  private(set) var requestCount = 0
  private let fetch: AnyPublisher<ImageData?, Never>?
  private let subject = OrderedSubject<ImageData?, Never>()
  private var request: AnyCancellable?

  init(_ service: ImageService, path: String?, size: ImageService.Size) {
    fetch = path.map { service.image(at: $0, size: size) }
  }

  var changes: AnyPublisher<ImageData?, Never> {
    subject
      .handleEvents(
        receiveSubscription: { [weak self] _ in self?.load() },
        receiveCancel: { [weak self] in self?.request = nil }
      )
      .eraseToAnyPublisher()
  }

  private func load() {
    guard image == nil, let fetch else { return }
    requestCount += 1
    // Replacing the request cancels the previous one.
    request = fetch.sink { [weak self] in self?.show($0) }
  }

  private func show(_ image: ImageData?) {
    self.image = image
    subject.send(image)
  }
}
