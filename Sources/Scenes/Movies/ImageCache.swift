/// A cache of image loaders, one for each path and size.
@MainActor final class ImageCache<Loader: ImageLoading> {
  private let service: ImageService
  private var loaders: [String: Loader] = [:]
  private(set) var hitCount = 0
  private(set) var missCount = 0

  init(_ service: ImageService) {
    self.service = service
  }

  /// Returns the loader of an image. All nil paths share one loader, which never loads.
  func loader(for path: String?, size: ImageService.Size) -> Loader {
    let key = "\(path ?? "missing")#\(size)"
    if let loader = loaders[key] {
      hitCount += 1
      return loader
    }
    missCount += 1
    let loader = Loader(service, path: path, size: size)
    loaders[key] = loader
    return loader
  }

  /// Removes all loaders. Existing subscriptions stay.
  func evict() { loaders = [:] }
}
