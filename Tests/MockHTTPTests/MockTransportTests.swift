import HTTPTypes
import MockHTTP
import RemoteLoading
import Staging
import Synchronization
import Testing

@Suite struct MockTransportTests {
  @Test func `an answer comes after its delay, in virtual time`() {
    let run = TransportRun(.get("/posts", .json("[]").after(.milliseconds(300))))
    #expect(run.play("GET /posts") == ["0.3s 0/2", "0.3s 2/2", "0.3s 200 []"])
    #expect(run.fates == [.answered])
  }

  @Test func `a dripping body comes in pieces, the last at the end`() {
    let run = TransportRun(
      .get("/a", .text("abcdefghij").dripping(3, over: .seconds(3)).after(.seconds(1)))
    )
    #expect(
      run.play("GET /a") == ["1s 0/10", "2s 3/10", "3s 6/10", "4s 10/10", "4s 200 abcdefghij"]
    )
  }

  @Test func `a chunked body has no expected length`() {
    let run = TransportRun(.get("/a", .text("abcd").chunked().dripping(2, over: .seconds(1))))
    #expect(run.play("GET /a") == ["0s 0/?", "0.5s 2/?", "1s 4/?", "1s 200 abcd"])
  }

  @Test(
    arguments: [
      (.refused, .refused), (.reset, .reset), (.empty, .empty), (.garbage, .malformed),
      (.tls, .insecure),
    ] as [(Fault, TransportError)]
  )
  func `a fault is a transport error`(fault: Fault, error: TransportError) {
    let run = TransportRun(.get("/a", .fault(fault).after(.seconds(2))))
    #expect(run.play("GET /a") == ["2s \(error)"])
    #expect(run.fates == [.failed])
  }

  @Test(
    arguments: [
      (.closed(afterBytes: 3), ["0s 0/4", "1s 2/4", "2s 3/4", "2s truncated"]),
      (.closed(afterBytes: 0), ["0s 0/4", "0s truncated"]),
      (.closed(afterBytes: 4), ["0s 0/4", "1s 2/4", "2s 4/4", "2s 200 abcd"]),
      (.reset(afterBytes: 2), ["0s 0/4", "1s 2/4", "1s reset"]),
      (.claiming(bytes: 9), ["0s 0/9", "1s 2/9", "2s 4/9", "2s truncated"]),
      (.claiming(bytes: 3), ["0s 0/3", "1s 2/3", "2s 3/3", "2s 200 abc"]),
    ] as [(ScriptedResponse.Ending, [String])]
  )
  func `a body can end unlike its head says`(ending: ScriptedResponse.Ending, lines: [String]) {
    let run = TransportRun(.get("/a", .text("abcd").dripping(2, over: .seconds(2)).ending(ending)))
    #expect(run.play("GET /a") == lines)
  }

  @Test func `a truncated body without a length is never complete`() {
    let run = TransportRun(.get("/a", .text("abcd").chunked().ending(.closed(afterBytes: 4))))
    #expect(run.play("GET /a").last == "0s truncated")
  }

  @Test(arguments: [
    ScriptedAnswer.fault(.never), .text("abcd").ending(.silent(afterBytes: 2)),
    .text("abcd").after(.seconds(9)), .text("abcd").dripping(2, over: .seconds(90)),
  ])
  func `a cancelled request ends at once, also in the log`(answer: ScriptedAnswer) {
    let run = TransportRun(.get("/a", answer))
    let lines = run.play("GET /a", cancellingAfter: .seconds(5))
    #expect(lines.last == "5s cancelled")
    #expect(run.fates == [.cancelled])
    #expect(run.server.log.entries.first?.ended == .seconds(5))
  }

  @Test func `a cancelled task sends no request`() {
    let run = TransportRun(.get("/a", 200))
    #expect(run.play("GET /a", cancellingAfter: .zero) == ["0s cancelled"])
    #expect(run.server.log.totalCount == 0)
  }

  @Test func `an unmatched request fails with the nearest route`() {
    let run = TransportRun(.get("/posts", 200))
    let error = TransportError.unmatched(request: "GET /pots", nearest: "GET /posts (path differs)")
    #expect(run.play("GET /pots") == ["0s \(error)"])
    #expect(run.fates == [.unmatched])
  }
}

/// Requests on a stage with their results, each with its instant.
final class TransportRun: Sendable {
  let server: MockServer
  let stage = Stage()
  private let lines = Mutex<[String]>([])

  init(_ routes: Route...) {
    server = MockServer()
    for route in routes { server.add(route) }
  }

  var transport: MockTransport<StageClock> {
    MockTransport(server: server, clock: stage.clock, beginning: .start)
  }

  var fates: [RequestLog.Fate] { server.log.entries.map(\.fate) }
  var written: [String] { lines.withLock { $0 } }

  /// Sends a request, lets virtual time pass, and returns the events.
  func play(_ line: String, cancellingAfter patience: Duration? = nil) -> [String] {
    let task = start(line)
    if let patience {
      if patience > .zero { stage.advance(by: patience) }
      stage.enter { task.cancel() }
    }
    stage.settle()
    return written
  }

  @discardableResult
  func start(_ line: String) -> Task<Void, Never> {
    stage.enter { Task { await self.send(.asking(line)) } }
  }

  /// Repeats a request, whatever its result.
  func startForEver(_ line: String) {
    stage.enter { _ = Task { while true { await self.send(.asking(line)) } } }
  }

  @MainActor private func send(_ request: RemoteRequest) async {
    do {
      let response = try await transport.send(request) { progress in
        note("\(progress.received)/\(progress.expected.map { "\($0)" } ?? "?")")
      }
      note("\(response.head.status.code) \(String(decoding: response.body, as: UTF8.self))")
    } catch is CancellationError {
      note("cancelled")
    } catch {
      note("\(error)")
    }
  }

  private func note(_ text: String) {
    lines.withLock { $0.append("\(stage.now) \(text)") }
  }
}
