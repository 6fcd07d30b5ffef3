#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import MockHTTP
import Staging
import Synchronization
import Testing
import URLSessionHTTP

/// Completion handlers, delegates and sessions with other configurations.
@Suite struct MockDelegateTests {
  private let scene = Scene()

  @Test func `a completion handler of a rehearsing session runs on the stage`() throws {
    scene.answer("/a", 200, "hello", after: .seconds(1))
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let address = try url("/a")
    scene.stage.enter {
      session.dataTask(with: address) { [scene] data, _, _ in
        scene.note("\(scene.stage.isCurrent) \(data?.count ?? 0)")
        Task {
          try? await Task.sleep(for: .seconds(1))
          scene.note("a task of the handler, \(scene.stage.isCurrent)")
        }
      }.resume()
    }
    #expect(scene.stage.settle() == .idle)
    #expect(scene.log.lines == ["1s true 5", "2s a task of the handler, true"])
  }

  @Test func `time stands still until a completion handler elsewhere has run`() throws {
    scene.answer("/a", 200, "a", after: .seconds(1))
    scene.answer("/b", 200, "b", after: .seconds(1))
    let session = URLSession(configuration: .rehearsing(scene.server, on: scene.stage))
    let first = try url("/a")
    let second = try url("/b")
    scene.stage.enter {
      _ = Task { [scene] in
        try? await Task.sleep(for: .seconds(100))
        scene.note("later")
      }
      session.dataTask(with: first) { [scene] data, _, _ in
        scene.note("first \(data?.count ?? 0)")
        session.dataTask(with: second) { data, _, _ in
          scene.note("second \(data?.count ?? 0)")
        }.resume()
      }.resume()
    }
    scene.stage.settle()
    #expect(scene.log.lines == ["1s first 1", "2s second 1", "100s later"])
  }

  @Test(arguments: [true, false])
  func `a delegate gets the head, each piece and the end`(isOnStage: Bool) throws {
    scene.answer("/a", 200, "0123456789", pace: .drip(pieces: 2, over: .seconds(2)))
    let delegate = NotingDelegate(scene)
    let session =
      isOnStage
      ? URLSession.rehearsing(scene.server, on: scene.stage, delegate: delegate)
      : URLSession(
        configuration: .rehearsing(scene.server, on: scene.stage),
        delegate: delegate,
        delegateQueue: nil
      )
    let address = try url("/a")
    scene.stage.enter { session.dataTask(with: address).resume() }
    scene.stage.settle()
    #expect(scene.log.lines == ["0s head 200", "1s 5 bytes", "2s 5 bytes", "2s end"])
  }

  @Test func `what a completion handler on another queue gives to the main queue is on the stage`()
    throws
  {
    scene.answer("/a", 200, "hello", after: .seconds(1))
    let session = URLSession(
      configuration: .rehearsing(scene.server, on: scene.stage),
      delegate: nil,
      delegateQueue: nil
    )
    let address = try url("/a")
    scene.stage.enter { [scene] in
      session.dataTask(with: address) { data, _, _ in
        DispatchQueue.main.async {
          let place = scene.stage.isCurrent ? "on the stage" : "elsewhere"
          scene.note("\(data?.count ?? 0) bytes \(place)")
        }
      }.resume()
    }
    scene.stage.settle()
    #expect(scene.log.lines == ["1s 5 bytes on the stage"])
  }

  @Test func `a delegate may refuse a redirect`() throws {
    scene.answer("/a", 302, "moved", headers: [.init(name: "Location", value: "/b")])
    let delegate = NotingDelegate(scene)
    let session = URLSession.rehearsing(scene.server, on: scene.stage, delegate: delegate)
    let address = try url("/a")
    scene.stage.enter { session.dataTask(with: address).resume() }
    scene.stage.settle()
    #expect(scene.log.lines == ["0s redirect", "0s head 302", "0s 5 bytes", "0s end"])
  }

  @Test func `an installed server answers sessions that name the protocol`()
    throws
  {
    let installation = MockURLProtocol.install(scene.server, on: scene.stage)
    scene.answer("/a", 200, "hello", after: .seconds(1))
    let configuration = URLSessionConfiguration.default
    configuration.protocolClasses = [MockURLProtocol.self]
    let session = URLSession(configuration: configuration)
    try scene.stage.run { [scene] in scene.note(await session.text("/a")) }
    withExtendedLifetime(installation) {}
    #expect(scene.log.lines == ["1s 200 hello"])
  }

  @Test func `a request outside of a stage fails instead of reaching the network`() async {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [MockURLProtocol.self]
    let text = await URLSession(configuration: configuration).text("/a")
    #expect(text.contains("neither on a stage"))
  }

  @Test func `a server of a released stage answers no other stage`() throws {
    let gone = { [scene] in
      MockURLProtocol.install(scene.server, on: Stage())
    }()
    scene.answer("/a", 200, "from another stage")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [MockURLProtocol.self]
    let session = URLSession(configuration: configuration)
    try scene.stage.run { [scene] in scene.note(await session.text("/a")) }
    withExtendedLifetime(gone) {}
    #expect(scene.log.lines.first?.contains("neither on a stage") == true)
  }

  @Test func `concurrent stages each have their own server`() async throws {
    let texts = try await withThrowingTaskGroup(of: [String].self) { group in
      for number in 0..<8 {
        group.addTask {
          let scene = Scene()
          let installation = MockURLProtocol.install(scene.server, on: scene.stage)
          scene.answer("/a", 200, "from \(number)", after: .milliseconds(number * 10))
          let configuration = URLSessionConfiguration.ephemeral
          configuration.urlCache = nil
          configuration.protocolClasses = [MockURLProtocol.self]
          let session = URLSession(configuration: configuration)
          try scene.stage.run { for _ in 0..<20 { scene.log(await session.text("/a")) } }
          withExtendedLifetime(installation) {}
          return scene.log.lines == Array(repeating: "200 from \(number)", count: 20)
            ? [] : scene.log.lines
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(texts == [])
  }

  @Test func `cookies are sent back to the server`() throws {
    scene.answer("/in", 200, "", headers: [.init(name: "Set-Cookie", value: "id=7; Path=/")])
    let template = PathTemplate(segments: [.literal("me")])
    let cookie = RequestPattern.Condition(name: "Cookie", value: .text("id=7"))
    let pattern = RequestPattern(path: template, headers: [cookie])
    scene.server.add(
      Route(pattern, answers: [ScriptedAnswer(.response(ScriptedResponse(status: 204)))])
    )
    let session = URLSession(configuration: .rehearsing(scene.server, on: scene.stage))
    try scene.stage.run { [scene] in
      _ = await session.text("/in")
      scene.note(await session.text("/me"))
    }
    #expect(scene.log.lines == ["0s 204 "])
  }
}

private final class NotingDelegate: NSObject, URLSessionDataDelegate {
  private let scene: Scene

  init(_ scene: Scene) { self.scene = scene }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    scene.note("head \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    scene.note("\(data.count) bytes")
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    scene.note("redirect")
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    scene.note(error.map(word) ?? "end")
  }
}
#endif
