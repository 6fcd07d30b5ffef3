import MockHTTP
import Pipelines
import RemoteLoading
import Testing

@testable import Scenes

/// Two loaders of one image: one that loads for each subscriber, and one that shares a request.
@Suite struct ImageLoaderTests {
  @Test func `a second subscriber restarts the request of the first, or shares it`() {
    let script: Script = { console in
      console.at(0) { console.watch("/a.png") }
      console.at(400) { console.watch("/a.png") }
    }
    #expect(
      played(ImageLoader.self, script) == [
        "0s  1 request", "0.4s  2 requests", "1.4s  #1 image", "1.4s  #2 image",
        "server: cancelled answered",
      ]
    )
    #expect(
      played(SharedImageLoader.self, script) == [
        "0s  1 request", "0.4s  1 request", "1s  #1 image", "1s  #2 image", "server: answered",
      ]
    )
  }

  @Test func `unsubscribing cancels the request of both loaders, or only the own subscription`() {
    let script: Script = { console in
      console.at(0) {
        console.watch("/a.png")
        console.watch("/a.png")
      }
      console.at(500) { console.leave(2) }
    }
    #expect(
      played(ImageLoader.self, script) == [
        "0s  1 request", "0s  2 requests", "server: cancelled",
      ]
    )
    #expect(
      played(SharedImageLoader.self, script) == [
        "0s  1 request", "0s  1 request", "1s  #1 image", "server: answered",
      ]
    )
  }

  @Test func `the last subscriber cancels a shared request by unsubscribing`() {
    let lines = played(SharedImageLoader.self) { console in
      console.at(0) { console.watch("/a.png") }
      console.at(500) { console.leave(1) }
    }
    #expect(lines == ["0s  1 request", "server: cancelled"])
  }

  @Test(arguments: [true, false])
  func `a loaded image is not loaded again before it is evicted`(shares: Bool) {
    let lines = played(shares: shares) { console in
      console.at(0) { console.watch("/a.png") }
      console.at(2_000) { console.watch("/a.png") }
      console.at(3_000) { console.evict() }
      console.at(3_000) { console.watch("/a.png") }
    }
    #expect(
      lines == [
        "0s  1 request", "1s  #1 image", "2s  1 request", "3s  1 request", "4s  #3 image",
        "server: answered answered",
      ]
    )
  }

  @Test(arguments: [true, false])
  func `after a failure the next subscriber loads again`(shares: Bool) {
    let lines = played(shares: shares) { console in
      console.at(0) { console.watch("/once.png") }
      console.at(2_000) { console.watch("/once.png") }
    }
    #expect(
      lines == [
        "0s  1 request", "1s  #1 nothing", "2s  2 requests", "3s  #1 image", "3s  #2 image",
        "server: answered answered",
      ]
    )
  }

  @Test(arguments: [true, false])
  func `without a path nothing is loaded`(shares: Bool) {
    let lines = played(shares: shares) { console in
      console.at(0) { console.watch(nil) }
      console.at(100) { console.watch(nil) }
    }
    #expect(lines == ["0s  0 requests", "0.1s  0 requests", "server: "])
  }

  private typealias Script = @MainActor (ImageConsole) -> Void

  private func played(shares: Bool, _ script: Script) -> [String] {
    shares ? played(SharedImageLoader.self, script) : played(ImageLoader.self, script)
  }

  private func played<L: ImageLoading>(_ type: L.Type, _ script: Script) -> [String] {
    var server: MockServer?
    let lines = SceneStage.play { scene in
      let image = ScriptedAnswer.status(200).bytes(avatarBytes).after(.seconds(1))
      scene.add(.get("/t/p/w154/a.png", image))
      scene.add(.get("/t/p/w154/once.png", .status(500).after(.seconds(1)), image))
      server = scene.server
      let console = ImageConsole(scene, ImageCache<L>(ImageService(client: scene.client)))
      script(console)
      return console
    }
    let fates = server?.log.entries.map { $0.fate == .cancelled ? "cancelled" : "answered" } ?? []
    return lines + ["server: " + fates.joined(separator: " ")]
  }
}

/// Subscribes to images and records what arrives.
@MainActor private final class ImageConsole {
  private let scene: SceneStage
  private let loader: (String?) -> any ImageLoading
  let evict: () -> Void
  private var subscriptions: [AnyCancellable?] = []

  init<L>(_ scene: SceneStage, _ cache: ImageCache<L>) {
    self.scene = scene
    loader = { cache.loader(for: $0, size: .small) }
    evict = { cache.evict() }
  }

  func at(_ milliseconds: Int, _ body: @escaping @MainActor () -> Void) {
    scene.at(milliseconds, body)
  }

  func watch(_ path: String?) {
    let loader = loader(path)
    let number = subscriptions.count + 1
    subscriptions.append(
      loader.changes.sink { [scene] in scene.note("#\(number) \($0 == nil ? "nothing" : "image")") }
    )
    let count = loader.requestCount
    scene.note("\(count) request\(count == 1 ? "" : "s")")
  }

  func leave(_ number: Int) { subscriptions[number - 1] = nil }
}
