import HTTPTypes
import MockHTTP
import Staging
import Synchronization
import Testing

@Suite struct HoldTests {
  private let posts = RequestPattern(method: .get, path: "/posts")

  @Test func `a held answer comes when it is released, after its delay`() {
    let run = TransportRun(.get("/posts", .text("x").after(.seconds(1))))
    run.server.hold(posts)
    #expect(run.play("GET /posts") == [])
    #expect(run.fates == [.held])
    run.stage.advance(by: .seconds(10))
    #expect(run.server.release() == 1)
    run.stage.settle()
    #expect(run.written.last == "11s 200 x")
    #expect(run.fates == [.answered])
  }

  @Test func `an answer can be held during its delay`() {
    let run = TransportRun(.get("/posts", .text("x").after(.seconds(1))))
    run.start("GET /posts")
    run.stage.runReady()
    run.server.hold(posts)
    run.stage.advance(by: .seconds(5))
    #expect(run.fates == [.held])
    run.server.release(posts)
    run.stage.settle()
    #expect(run.written == ["5s 0/1", "5s 1/1", "5s 200 x"])
  }

  @Test func `an answer that has begun is not held`() {
    let run = TransportRun(.get("/posts", .text("ab").dripping(2, over: .seconds(2))))
    run.start("GET /posts")
    run.stage.runReady()
    run.server.hold(posts)
    run.stage.settle()
    #expect(run.written.last == "2s 200 ab")
  }

  @Test func `answers are released one by one, oldest first`() {
    let run = TransportRun(.get("/{id}", .text("{id}")))
    run.server.hold(RequestPattern(path: "/{any}"))
    for line in ["GET /b", "GET /a", "GET /c"] { run.start(line) }
    run.stage.settle()
    for _ in 0..<2 {
      #expect(run.server.releaseNext())
      run.stage.settle()
    }
    #expect(run.written.filter { $0.contains("200") } == ["0s 200 b", "0s 200 a"])
    #expect(run.server.release() == 1)
    #expect(!run.server.releaseNext())
  }

  @Test func `nothing is held after a release`() {
    let run = TransportRun(.get("/posts", 200))
    run.server.hold(posts)
    #expect(run.server.release(posts) == 0)
    #expect(run.play("GET /posts").last == "0s 200 ")
  }

  @Test func `the names of captures do not distinguish holds`() {
    let server = MockServer(.get("/users/{id}", 200))
    server.hold(RequestPattern(path: "/users/{id}"))
    server.release(RequestPattern(path: "/users/{any}"))
    #expect(!server.receive("GET /users/7").isHeld)
  }

  @Test func `a narrower release releases only its requests`() {
    let server = MockServer(.get("/users/{id}", 200))
    server.hold(RequestPattern(path: "/users/{id}"))
    let held = ["GET /users/7", "GET /users/8"].map { server.receive($0).id }
    #expect(server.release(RequestPattern(path: "/users/8")) == 1)
    #expect(held.map { server.isHeld($0) } == [true, false])
    #expect(server.receive("GET /users/8").isHeld)
  }

  @Test func `a request that is cancelled while it is held has ended`() {
    let run = TransportRun(.get("/posts", 200))
    run.server.hold(posts)
    #expect(run.play("GET /posts", cancellingAfter: .seconds(3)) == ["3s cancelled"])
    #expect(run.fates == [.cancelled])
    #expect(run.server.release() == 0)
  }

  @Test func `closing ends held answers, answers that never come, and later waits`() {
    let run = TransportRun(.get("/posts", 200))
    run.server.add(.get("/never", .fault(.never)))
    run.server.hold(posts)
    run.start("GET /posts")
    run.start("GET /never")
    run.stage.settle()
    run.server.close()
    run.stage.settle()
    #expect(run.written == ["0s cancelled", "0s cancelled"])
    #expect(run.fates == [.cancelled, .cancelled])
    #expect(run.play("GET /posts").last == "0s cancelled")
  }

  @Test func `a loop that ignores errors does not block closing the server and the stage`() {
    let run = TransportRun(.get("/never", .fault(.never)))
    run.startForEver("GET /never")
    run.stage.settle()
    run.server.close()
    #expect(run.stage.close(limit: 1_000) != .idle)
  }

  @Test func `a finished request gets no callback`() {
    let server = MockServer(.get("/posts", 200))
    server.hold(posts)
    let calls = Mutex(0)
    let first = server.receive("GET /posts").id
    let second = server.receive("GET /posts").id
    server.whenReleased(first) { calls.withLock { $0 += 1 } }
    server.finish(first, .cancelled, bytesSent: 0, at: .zero)
    server.finish(second, .cancelled, bytesSent: 0, at: .zero)
    server.whenReleased(second) { calls.withLock { $0 += 1 } }
    server.release()
    #expect(calls.withLock { $0 } == 0)
  }

  @Test func `a request that is not held continues at once`() {
    let server = MockServer(.get("/posts", 200))
    let calls = Mutex(0)
    server.whenReleased(server.receive("GET /posts").id) { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 1)
  }
}
