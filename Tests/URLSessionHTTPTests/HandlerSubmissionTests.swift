#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
import Staging
import Testing
import URLSessionHTTP

/// Work that the handlers of a session give to threads: it belongs to them, not to the session.
@Suite struct HandlerSubmissionTests {
  private let scene = Scene()

  private static func refresh() { Thread.detachNewThread {} }
  private static let lineOfRefresh = #line - 1

  /// Returns the recorded submissions while a session loads.
  private func submissions(_ load: @MainActor () throws -> Void) rethrows -> [String] {
    scene.answer("/a", 200, "hello", after: .seconds(1))
    try scene.stage.enter(load)
    scene.stage.settle()
    return scene.stage.takeSubmissions().map(\.description)
  }

  private let named = [
    "Thread in HandlerSubmissionTests.refresh() at HandlerSubmissionTests.swift:\(lineOfRefresh)"
  ]

  @Test func `a session without handlers submits no recorded work`() throws {
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    #expect(try submissions { session.dataTask(with: try url("/a")).resume() } == [])
    #expect(scene.fates == ["GET /a answered at 1s"])
  }

  @Test func `work of a completion handler is named`() throws {
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let submissions = try submissions {
      session.dataTask(with: try url("/a")) { _, _, _ in Self.refresh() }.resume()
    }
    #expect(submissions == named)
  }

  private final class Delegate: NSObject, URLSessionDataDelegate {
    func urlSession(
      _ session: URLSession,
      dataTask: URLSessionDataTask,
      didReceive data: Data
    ) { HandlerSubmissionTests.refresh() }
  }

  @Test func `work of a delegate is named`() throws {
    let delegate = Delegate()
    let session = URLSession.rehearsing(scene.server, on: scene.stage, delegate: delegate)
    let submissions = try submissions { session.dataTask(with: try url("/a")).resume() }
    #expect(submissions == named)
  }

  @Test func `work after a load in a task is named`() throws {
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let submissions = submissions {
      _ = Task {
        _ = await session.text("/a")
        Self.refresh()
      }
    }
    #expect(submissions == named)
  }

  @Test func `a task that is suspended and resumed is no work that is noted`() throws {
    let session = URLSession.rehearsing(scene.server, on: scene.stage)
    let submissions = try submissions {
      let task = session.dataTask(with: try url("/a"))
      task.resume()
      task.suspend()
      task.resume()
    }
    #expect(submissions == [])
  }
}
#endif
