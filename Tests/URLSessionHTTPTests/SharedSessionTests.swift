#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import MockHTTP
import Staging
import Testing
import URLSessionHTTP

/// Runs in a separate process that has created no session before.
@Suite struct SharedSessionTests {
  @Test func `URLSession.shared meets a server that was installed before any session was made`()
    async
  {
    await #expect(processExitsWith: .success) {
      let scene = Scene()
      let installation = MockURLProtocol.install(scene.server, on: scene.stage)
      scene.answer("/a", 200, "hello", after: .seconds(1))
      try scene.stage.run {
        scene.note(await URLSession.shared.text("/a"))
        let task = Task { scene.note(await URLSession.shared.text("/a")) }
        await Task.yield()
        task.cancel()
      }
      withExtendedLifetime(installation) {}
      #expect(scene.log.lines == ["1s 200 hello", "1s cancelled"])
    }
  }
}
#endif
