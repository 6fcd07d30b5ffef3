import Pipelines
import RemoteLoading

/// One image, loaded for whoever subscribes.
@MainActor protocol ImageLoading: AnyObject {
  /// Nil until it has come.
  var image: ImageData? { get }
  /// How many requests it has sent.
  var requestCount: Int { get }
  /// Each new image, nil for one that could not be had. Subscribing loads, leaving cancels.
  var changes: AnyPublisher<ImageData?, Never> { get }

  init(_ service: ImageService, path: String?, size: ImageService.Size)
}

/// Loads whenever somebody subscribes, and cancels whenever somebody leaves, whoever else waits.
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
    // What was under way is cancelled by being replaced.
    request = fetch.sink { [weak self] in self?.show($0) }
  }

  private func show(_ image: ImageData?) {
    self.image = image
    subject.send(image)
  }
}
