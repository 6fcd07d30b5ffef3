#if canImport(FoundationNetworking)
import Exploring
import Foundation
import FoundationNetworking
import MockHTTP
import Staging
import Synchronization
import Testing
import URLSessionHTTP

/// The order of the callbacks of a session, and of other jobs, in a search.
@Suite struct CallbackOrderTests {
  /// Cancels a request at the instant of its answer, and notes whether the answer is handled later.
  @MainActor private static func cancel(
    _ session: @escaping @MainActor @Sendable (MockServer, Stage) -> URLSession
  ) -> Findings {
    Exploration.explore(.init(.exhaustive, seeds: 0..<1_000)) { @MainActor run in
      let server = MockServer()
      server.add(
        Route(
          RequestPattern(path: PathTemplate(segments: [.literal("a")])),
          answers: [ScriptedAnswer.json("[]").after(.seconds(1))]
        )
      )
      let state = Mutex("idle")
      let address = try #require(URL(string: "http://example.test/a"))
      let task = session(server, run.stage).dataTask(with: address) { _, _, error in
        if error == nil { state.withLock { $0 = "loaded" } }
      }
      task.resume()
      try await Task.sleep(for: .seconds(1))
      let isIdle = state.withLock { state in
        defer { if state == "idle" { state = "cancelled" } }
        return state == "idle"
      }
      if isIdle {
        task.cancel()
        try await Task.sleep(for: .seconds(1))
      }
      run.check(!isIdle || state.withLock { $0 == "cancelled" }, "no answer after a cancellation")
    }
  }

  @Test @MainActor func `an answer is handled after a cancellation at its instant`() {
    let findings = Self.cancel { .rehearsing($0, on: $1) }

    #expect(findings.failures.count == 1)
  }

  @Test @MainActor func `a callback on the session's own queue makes a search partial`() {
    let findings = Self.cancel { URLSession(configuration: .rehearsing($0, on: $1)) }

    #expect(findings.failures.isEmpty)
    #expect(findings.end == .partial)
    #expect(findings.outside == ["a callback of a URLSession on its own delegate queue"])
  }

  @Test @MainActor func `the callbacks of a session keep their order`() {
    let findings = Exploration.explore(.init(.exhaustive, seeds: 0..<1_000)) { @MainActor run in
      let server = MockServer()
      server.add(
        Route(
          RequestPattern(path: PathTemplate(segments: [.literal("a")])),
          answers: [ScriptedAnswer.json("[1]")]
        )
      )
      let delegate = Delegate()
      let session = URLSession.rehearsing(server, on: run.stage, delegate: delegate)
      let address = try #require(URL(string: "http://example.test/a"))
      for _ in 0..<2 { session.dataTask(with: address).resume() }
      try await Task.sleep(for: .seconds(1))
      let events = delegate.events.withLock(\.self)
      for task in [1, 2] {
        let own = events.filter { $0.task == task }.map(\.name)
        run.check(own == ["data", "end"], "data comes before the end", "\(own)")
      }
    }

    #expect(findings.failures.isEmpty && findings.runs > 1)
  }
}

private final class Delegate: NSObject, URLSessionDataDelegate {
  let events = Mutex<[(task: Int, name: String)]>([])

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    events.withLock { $0.append((dataTask.taskIdentifier, "data")) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    events.withLock { $0.append((task.taskIdentifier, "end")) }
  }
}
#endif
