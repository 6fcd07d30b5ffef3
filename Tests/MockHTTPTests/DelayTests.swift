import MockHTTP
import RehearsalBase
import Testing

@Suite struct DelayTests {
  private func draws(_ delay: Delay, seed: UInt64 = 1, count: Int = 1_000) -> [Duration] {
    let server = MockServer(seed: seed)
    server.add(.get("/a", ScriptedAnswer.status(200).after(delay)))
    return (0..<count).map { _ in server.receive("GET /a").delay }
  }

  @Test func `a uniform delay can be every whole millisecond between its ends`() {
    let seen = Set(draws(.uniform(.milliseconds(100), .milliseconds(104))))
    #expect(seen == Set((100...104).map { .milliseconds($0) }))
  }

  @Test func `a span of less than a millisecond has one value`() {
    #expect(Set(draws(.uniform(.microseconds(900), .microseconds(100)))) == [.microseconds(100)])
  }

  @Test func `a log-normal delay varies around its median, with a long tail`() {
    let sorted = draws(.logNormal(median: .milliseconds(200), sigma: 0.5), count: 10_000).sorted()
    #expect((.milliseconds(194) ... .milliseconds(206)).contains(sorted[5_000]))
    // One deviation up and down: 200 × e^±0.5.
    #expect((.milliseconds(318) ... .milliseconds(342)).contains(sorted[8_413]))
    #expect((.milliseconds(117) ... .milliseconds(126)).contains(sorted[1_587]))
    #expect(sorted[9_999] > .milliseconds(800))
  }

  @Test func `log-normal delays are the same on every machine`() {
    let drawn = draws(.logNormal(median: .milliseconds(200), sigma: 0.5), seed: 7, count: 6)
    #expect(drawn == [121, 390, 259, 129, 168, 288].map { .milliseconds($0) })
  }

  @Test(arguments: [
    (Delay.logNormal(median: .milliseconds(200), sigma: 0), Duration.milliseconds(200)),
    (.logNormal(median: .seconds(-1), sigma: 1), .zero), (.fixed(.seconds(-1)), .zero),
    (.logNormal(median: .milliseconds(200), sigma: .nan), .milliseconds(200)),
  ])
  func `some delays are constant`(delay: Delay, duration: Duration) {
    #expect(Set(draws(delay)) == [duration])
  }

  @Test func `no deviation exceeds a day`() {
    let drawn = draws(.logNormal(median: .seconds(100_000), sigma: .infinity))
    #expect(drawn.allSatisfy { $0 >= .zero && $0 <= .seconds(86_400) })
  }

  @Test func `the same seed gives the same delays, another seed does not`() {
    let delay = Delay.uniform(.zero, .seconds(60))
    #expect(draws(delay, seed: 5) == draws(delay, seed: 5))
    #expect(draws(delay, seed: 5) != draws(delay, seed: 6))
  }

  @Test func `random values depend neither on time nor on channel nor on a hold`() {
    let route = Route.get("/a", ScriptedAnswer.status(200).after(.zero, to: .seconds(60)))
    let (plain, other) = (MockServer(route), MockServer(route))
    other.hold(route.pattern)
    for second in 0..<50 {
      let exchange = other.receive(.asking("GET /a"), channel: .socket, at: .seconds(second))
      #expect(exchange.delay == plain.receive("GET /a").delay)
    }
  }

  @Test func `reseeding restarts the sequence`() {
    let server = MockServer(.get("/a", ScriptedAnswer.status(200).after(.zero, to: .seconds(60))))
    server.reseed(3)
    let first = (0..<5).map { _ in server.receive("GET /a").delay }
    server.reseed(3)
    #expect((0..<5).map { _ in server.receive("GET /a").delay } == first)
  }
}
