#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import MockHTTP
import Staging
import Testing
import URLSessionHTTP

@Suite struct MockCancellationTests {
  private let scene = Scene()

  private func session() -> URLSession {
    URLSession(configuration: .rehearsing(scene.server, on: scene.stage))
  }

  @Test func `a cancelled Swift task ends its exchange at once`() throws {
    scene.answer("/a", 200, "hello", after: .seconds(5))
    let session = session()
    try scene.stage.run { [scene] in
      let task = Task { scene.note(await session.text("/a")) }
      try? await Task.sleep(for: .seconds(2))
      task.cancel()
    }
    #expect(scene.log.lines == ["2s cancelled"])
    #expect(scene.fates == ["GET /a cancelled at 2s"])
    #expect(scene.stage.now == StageInstant(elapsed: .seconds(2)))
  }

  @Test func `a cancelled URLSessionTask ends its exchange at once`() throws {
    scene.answer("/a", 200, "hello", after: .seconds(5))
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let address = try url("/a")
    try scene.stage.run { [scene] in
      let task = session.dataTask(with: address) { _, _, error in
        scene.note(error.map(word) ?? "no error")
      }
      task.resume()
      try? await Task.sleep(for: .seconds(2))
      task.cancel()
      scene.note("told to stop")
    }
    #expect(scene.log.lines == ["2s told to stop", "2s cancelled"])
    #expect(scene.fates == ["GET /a cancelled at 2s"])
  }

  @Test func `an invalidated session ends all its exchanges at once, in order`() throws {
    scene.answer("/a", 200, "hello", after: .seconds(5))
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let address = try url("/a")
    try scene.stage.run { [scene] in
      for index in 0..<10 {
        session.dataTask(with: address) { _, _, error in
          scene.note("\(index) \(error.map(word) ?? "no error")")
        }.resume()
      }
      try? await Task.sleep(for: .seconds(2))
      session.invalidateAndCancel()
    }
    #expect(scene.log.lines == (0..<10).map { "2s \($0) cancelled" })
    #expect(scene.fates == Array(repeating: "GET /a cancelled at 2s", count: 10))
  }

  @Test func `a task that is cancelled before it is resumed sends no request`() throws {
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let address = try url("/a")
    try scene.stage.run { [scene] in
      let task = session.dataTask(with: address) { _, _, error in
        scene.note(error.map(word) ?? "no error")
      }
      task.cancel()
      task.resume()
    }
    #expect(scene.log.lines == ["0s cancelled"])
    #expect(scene.fates == [])
  }

  @Test func `cancelling at the instant of the answer settles on one of the two, always the same`()
    throws
  {
    let runs = try (0..<50).map { _ in
      let scene = Scene()
      scene.answer("/a", 200, "hello", after: .seconds(2))
      let session = URLSession(configuration: .rehearsing(scene.server, on: scene.stage))
      try scene.stage.run {
        let task = Task { scene.note(await session.text("/a")) }
        try? await Task.sleep(for: .seconds(2))
        task.cancel()
      }
      return scene.log.lines + scene.fates
    }
    #expect(Set(runs).count == 1)
    #expect(runs.first?.count == 2)
  }

  @Test func `cancelling between head and end stops the pieces`() throws {
    scene.answer("/a", 200, "0123456789", pace: .drip(pieces: 10, over: .seconds(10)))
    let session = session()
    try scene.stage.run { [scene] in
      let task = Task { scene.note(await session.text("/a")) }
      try? await Task.sleep(for: .milliseconds(3500))
      task.cancel()
    }
    #expect(scene.log.lines == ["3.5s cancelled"])
    #expect(scene.server.log.entries.map(\.bytesSent) == [3])
  }

  @Test func `a stage that is closed cancels what is in flight`() {
    scene.answer("/a", 200, "hello", after: .seconds(5))
    let session = session()
    scene.stage.enter {
      _ = Task { [scene] in
        let task = Task { scene.note(await session.text("/a")) }
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .seconds(60))
          task.cancel()
          await task.value
        } onCancel: {
          task.cancel()
        }
      }
    }
    scene.stage.advance(by: .seconds(1))
    #expect(scene.stage.close() == .idle)
    #expect(scene.log.lines == ["1s cancelled"])
  }

  @Test func `cancelling after the answer changes nothing`() throws {
    scene.answer("/a", 200, "hello")
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let address = try url("/a")
    try scene.stage.run { [scene] in
      let task = session.dataTask(with: address) { _, _, error in
        scene.note(error.map(word) ?? "no error")
      }
      task.resume()
      try? await Task.sleep(for: .seconds(1))
      task.cancel()
    }
    #expect(scene.log.lines == ["0s no error"])
    #expect(scene.fates == ["GET /a answered at 0s"])
  }
}
#endif
