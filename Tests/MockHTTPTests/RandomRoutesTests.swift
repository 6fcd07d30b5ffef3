import HTTPTypes
import Loading
import MockHTTP
import RehearsalBase
import RemoteLoading
import Testing

/// Random routes and requests.
@Suite struct RandomRoutesTests {
  @Test(arguments: UInt64(0)..<8)
  func `every request gets an outcome, and the same one for the same seed`(seed: UInt64) {
    let plays = (0..<2).map { _ in
      var traffic = RandomTraffic(seed: seed)
      return traffic.play()
    }
    #expect(plays[0] == plays[1])
    #expect(plays[0].count == 200)
  }

  @Test(arguments: UInt64(0)..<8)
  func `no other route beats the route that wins`(seed: UInt64) {
    var traffic = RandomTraffic(seed: seed)
    let routes = (0..<30).map { _ in traffic.route(endless: true) }
    let server = MockServer()
    for route in routes { server.add(route) }
    for _ in 0..<25 {
      let (request, scope) = traffic.request()
      _ = server.receive(request, scope: scope, at: .zero)
      let alone = routes.indices.filter { index in
        let single = MockServer()
        single.add(routes[index])
        _ = single.receive(request, scope: scope, at: .zero)
        return single.log.entries.first?.route != nil
      }
      let winner = server.log.entries.last?.route.map { $0 - 1 }
      #expect((winner == nil) == alone.isEmpty)
      guard let winner else { continue }
      #expect(alone.contains(winner))
      for index in alone where index != winner {
        #expect(
          Precedence(routes[winner], winner, request) > Precedence(routes[index], index, request)
        )
      }
    }
  }
}

/// The documented rule, implemented directly.
private struct Precedence: Comparable {
  private let rank: [Int]

  init(_ route: Route, _ number: Int, _ request: RemoteRequest) {
    let segments = route.pattern.path.segments.map { segment in
      switch segment {
      case .literal: 3
      case .capture: 2
      case .rest: 0
      }
    }
    let path = segments + [1] + Array(repeating: 0, count: 10 - segments.count)
    let method = route.pattern.method.map { $0 == .head ? 2 : 1 } ?? 0
    let conditions =
      route.pattern.query.count + route.pattern.headers.count + (route.pattern.body == nil ? 0 : 1)
    rank =
      [route.scope == nil ? 0 : 1] + path
      + [route.pattern.host == nil ? 0 : 1, method, conditions, number]
  }

  static func < (left: Self, right: Self) -> Bool {
    left.rank.lexicographicallyPrecedes(right.rank)
  }
}

private struct RandomTraffic {
  private var chance: SplitMix64

  init(seed: UInt64) { chance = SplitMix64(seed: seed) }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int(chance.next() % UInt64(choices.count))]
  }

  /// Returns the outcomes of 200 requests.
  mutating func play() -> [String] {
    let server = MockServer(seed: 7, logLimit: 50)
    return (0..<200).map { step in
      if step % 3 == 0 { server.add(route()) }
      if step % 17 == 0 { server.remove(step / 6) }
      if step % 41 == 0 { server.inject(.reset, rate: 0.2) }
      if step % 23 == 0 { server.hold(route().pattern) }
      if step % 29 == 0 { server.release() }
      let (request, scope) = request()
      let exchange = server.receive(request, scope: scope, at: .seconds(step))
      server.begin(exchange.id, at: .seconds(step))
      if step % 2 == 0 {
        server.finish(exchange.id - step % 5, .answered, bytesSent: 1, at: .seconds(step))
      }
      return
        "\(exchange.id) \(exchange.isHeld) \(exchange.delay) \(exchange.text ?? "\(exchange.outcome)")"
    }
  }

  private let words = ["a", "b", "posts", "", "%2F", "é", "%zz", "x y", "{", "?", "+", "a%20b"]

  mutating func route(endless: Bool = false) -> Route {
    var segments: [PathTemplate.Segment] = []
    for _ in 0..<Int(chance.next() % 4) {
      segments.append(pick([.literal(pick(words)), .capture("c\(segments.count)")]))
    }
    if chance.next() % 4 == 0 { segments.append(.rest("rest")) }
    var pattern = RequestPattern(
      method: pick([nil, .get, .post, .head]),
      path: PathTemplate(segments: segments)
    )
    pattern.host = pick([nil, nil, "h", "h:80"])
    if chance.next() % 3 == 0 {
      pattern.query.append(
        .init(name: pick(words), value: pick([.any, .capture("q"), .text("1")]))
      )
    }
    if chance.next() % 4 == 0 {
      pattern.headers.append(.init(name: pick(["x", "no name", "Host"]), value: .any))
    }
    if chance.next() % 5 == 0 {
      pattern.body = pick([.json("{"), .json("{}"), .contains(""), .contains("a")])
    }
    let answers = (0...Int(chance.next() % 3)).map { _ in answer() }
    return Route(
      pattern,
      answers: answers,
      afterLast: endless ? .cycle : pick([.repeatLast, .cycle, .pass, .fail]),
      scope: pick([nil, nil, "s"])
    )
  }

  private mutating func answer() -> ScriptedAnswer {
    let template = pick([
      "{c0}{q}{rest}", #"{"a": "{c0:json}", "b": "{body}"}"#, #""{"#, "{count} {query.a}", "\"\\",
    ])
    let answer: ScriptedAnswer = pick([
      .text(template), .json(template).chunked(), .fault(.never), .status(204).json(template),
      .text(template).ending(.claiming(bytes: -1)).dripping(3, over: .seconds(1)),
      .status(301).header("Location", template).header("Content-Length", "-7").compressed(),
    ])
    return answer.after(
      pick([
        .fixed(.seconds(1)), .uniform(.seconds(1), .zero),
        .logNormal(median: .seconds(1), sigma: 2),
      ])
    )
  }

  mutating func request() -> (RemoteRequest, scope: String?) {
    let segments = (0..<Int(chance.next() % 5)).map { _ in "/" + pick(words) }.joined()
    let query = pick(["", "?", "?a=1&a", "?%zz&=&posts=1", "?é=1&+=%"])
    let method = pick([HTTPRequest.Method.get, .post, .head, .options])
    let host = pick([nil, "h", "H:80", ":", "]"])
    let head = HTTPRequest(
      method: method,
      scheme: nil,
      authority: host,
      path: segments + query,
      headerFields: [.accept: "x"]
    )
    return (
      RemoteRequest(head, body: Array(pick(["", "a", "{}", "[1"]).utf8)), pick([nil, "s", "t"])
    )
  }
}
