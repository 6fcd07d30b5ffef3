import Pipelines
import RemoteLoading

/// A loader that sends one request for all subscribers and cancels it when the last one leaves.
@MainActor final class SharedImageLoader: ImageLoading {
  private(set) var image: ImageData?
  private(set) var requestCount = 0
  private let fetch: AnyPublisher<ImageData?, Never>?
  private let subject = OrderedSubject<ImageData?, Never>()
  private var subscriberCount = 0
  private var request: AnyCancellable?

  init(_ service: ImageService, path: String?, size: ImageService.Size) {
    fetch = path.map { service.image(at: $0, size: size) }
  }

  var changes: AnyPublisher<ImageData?, Never> {
    subject
      .handleEvents(
        receiveSubscription: { [weak self] _ in self?.enter() },
        receiveCancel: { [weak self] in self?.leave() }
      )
      .eraseToAnyPublisher()
  }

  private func enter() {
    subscriberCount += 1
    guard image == nil, request == nil, let fetch else { return }
    requestCount += 1
    request = fetch.sink { [weak self] in self?.show($0) }
  }

  private func leave() {
    subscriberCount -= 1
    if subscriberCount == 0 { request = nil }
  }

  private func show(_ image: ImageData?) {
    self.image = image
    request = nil
    subject.send(image)
  }
}
