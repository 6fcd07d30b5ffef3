import MockHTTP
import Testing

@Suite struct InjectionTests {
  private func faults(_ server: MockServer, count: Int = 1_000) -> [Bool] {
    (0..<count).map { _ in
      if case .fault = server.receive("GET /a").outcome { true } else { false }
    }
  }

  @Test func `about the given rate of requests fails, the same for the same seed`() {
    let (first, second) = (MockServer(.get("/a", 200)), MockServer(.get("/a", 200)))
    for server in [first, second] { server.inject(.reset, rate: 0.3, seed: 9) }
    let struck = faults(first)
    #expect((250...350).contains(struck.count { $0 }))
    #expect(faults(second) == struck)
  }

  @Test(arguments: [(0.0, 0), (1.0, 100), (-1, 0), (2, 100)])
  func `the rate can be 0 or 1`(rate: Double, count: Int) {
    let server = MockServer(.get("/a", 200))
    server.inject(.reset, rate: rate)
    #expect(faults(server, count: 100).count { $0 } == count)
  }

  @Test func `an injected fault does not advance the route`() {
    let server = MockServer(.get("/a", 201, 202))
    server.inject(.refused, rate: 1)
    server.receive("GET /a")
    server.stopInjecting()
    #expect(server.status("GET /a") == 201)
    #expect(server.log.entries.map(\.fault) == [.refused, nil])
    #expect(server.log.entries.map(\.route) == [1, 1])
  }

  @Test func `an injection does not hide a request without a route`() {
    let server = MockServer(.get("/a", 200))
    server.inject(.reset, rate: 1)
    #expect(server.receive("GET /b").error != nil)
  }

  @Test func `an injection with its own seed does not change delays`() {
    let route = Route.get("/a", ScriptedAnswer.status(200).after(.zero, to: .seconds(60)))
    let (plain, injected) = (MockServer(route), MockServer(route))
    injected.inject(.reset, rate: 0, seed: 1)
    for _ in 0..<20 { #expect(injected.receive("GET /a").delay == plain.receive("GET /a").delay) }
  }

  @Test func `reseeding restarts an injection unless it has its own seed`() {
    for (seed, beginsAnew) in [(nil, true), (5, false)] as [(UInt64?, Bool)] {
      let server = MockServer(.get("/a", 200))
      server.inject(.reset, rate: 0.5, seed: seed)
      server.reseed(3)
      let first = faults(server, count: 40)
      server.reseed(3)
      #expect((faults(server, count: 40) == first) == beginsAnew)
    }
  }

  @Test func `an injected answer counts the request that it answers`() {
    let server = MockServer(.get("/a", 200))
    server.inject(.text("{count}"), rate: 1)
    #expect(server.receive("GET /a").text == "1")
  }
}
