import MockHTTP
import Pipelines
import Rehearsal
import RemoteLoading

extension Scene {
  static let moviesImages = Scene(
    "movies-images",
    "Two image caches: one that loads for each subscriber, and one that shares a request.",
    details: [
      "'images.watch PATH [SIZE]' subscribes to an image in both, and 'images.leave N' ends the subscription number N. PATH is as in /a.png, or none for a movie without an image. SIZE is w154 (the default), w500, w185 or original. 'images.evict' empties both caches, like a memory warning.",
      "An image comes after 1s. In 'each', a second subscriber cancels the request of the first and sends another one, and each cancellation ends the request for all subscribers. In 'shared', a request continues until its last subscriber cancels. After a failure, both load again for the next subscriber. 'requests' lists the requests and their senders.",
    ]
  ) { scene in
    scene.add(
      .get(
        "/t/p/{size}/{name}",
        .status(200).bytes(avatarBytes, type: "image/png").after(.seconds(1))
      )
    )
    let consoles: [any ImageWatching] = [
      scene.console("each", ImageLoader.self), scene.console("shared", SharedImageLoader.self),
    ]
    scene.command(
      "images.watch",
      "Subscribes to an image.",
      .text("PATH"),
      .choice("SIZE").defaulting(to: ImageService.Size.small)
    ) { path, size in
      for console in consoles { console.watch(path == "none" ? nil : path, size: size) }
    }
    scene.command("images.leave", "Ends a subscription.", .integer("N", in: 1...1_000_000)) {
      number in
      for console in consoles { console.leave(number) }
    }
    scene.command("images.evict", "Empties the caches.") {
      for console in consoles { console.evict() }
    }
  }
}

extension SceneBuilder {
  fileprivate func console<L: ImageLoading>(_ name: String, _: L.Type) -> ImageConsole<L> {
    let service = ImageService(client: RemoteClient(transport(for: name)))
    return ImageConsole(ImageCache<L>(service), log: journal(name).note)
  }
}

/// A subscriber to images.
@MainActor private protocol ImageWatching: AnyObject, Sendable {
  func watch(_ path: String?, size: ImageService.Size)
  func leave(_ number: Int)
  func evict()
}

/// Subscribes to the images of one cache and logs the results.
@MainActor private final class ImageConsole<Loader: ImageLoading>: ImageWatching {
  private let cache: ImageCache<Loader>
  private let log: (String) -> Void
  private var subscriptions: [AnyCancellable?] = []

  init(_ cache: ImageCache<Loader>, log: @escaping (String) -> Void) {
    self.cache = cache
    self.log = log
  }

  func watch(_ path: String?, size: ImageService.Size) {
    let hits = cache.hitCount
    let loader = cache.loader(for: path, size: size)
    let number = subscriptions.count + 1
    let before = loader.requestCount
    subscriptions.append(
      loader.changes.sink { [log] in log("#\(number) gets \($0?.description ?? "nothing")") }
    )
    let find = cache.hitCount > hits ? "hit" : "miss"
    let sent = loader.requestCount > before ? "request \(loader.requestCount)" : "no request"
    log("#\(number) \(find), \(sent)\(loader.image.map { ", is there: \($0)" } ?? "")")
  }

  func leave(_ number: Int) {
    guard subscriptions.indices.contains(number - 1), subscriptions[number - 1] != nil else {
      return log("#\(number) is not there")
    }
    log("#\(number) leaves")
    subscriptions[number - 1] = nil
  }

  func evict() {
    cache.evict()
    log("evicted; \(cache.hitCount) hits and \(cache.missCount) misses so far")
  }
}
