import HTTPTypes
import MockHTTP
import RehearsalBase

@testable import Script

/// Random routes of every kind that a script can express.
struct RandomRoute {
  private var chance: Generator
  private var captureCount = 0

  private static let texts = [
    "", "a", "Ann", "é", "日本", "a b", "a/b", "%", "{", "}", "{id}", "+", "&=?#", "\"q\"", "\\",
    "\n\t",
    "\u{1B}[1m", "\u{202E}", "\u{E0041}", "👩‍👩‍👧", "then", "json", "x,y", "\u{A0}", "\0", "e\u{301}",
  ]

  init(seed: UInt64) {
    chance = Generator(state: seed)
  }

  mutating func make() -> Route {
    captureCount = 0
    return Route(
      pattern(),
      answers: [choice()] + (0..<Int.random(in: 0...3, using: &chance)).map { _ in choice() },
      afterLast: chance.pick([.repeatLast, .cycle, .pass, .fail]),
      scope: chance.chance(3)
        ? chance.pick(["posts", "left.profile", "", "a b", "für", "-x"]) : nil
    )
  }

  // MARK: Patterns

  private mutating func pattern() -> RequestPattern {
    RequestPattern(
      method: chance.pick([nil, .get, .post, .delete, HTTPRequest.Method("PURGE")]),
      host: chance.pick([nil, nil, "localhost:8080", "api.example.com", "[::1]:9"]),
      path: PathTemplate(segments: segments()),
      query: conditions { $0.text() },
      headers: conditions { $0.headerText() }.map {
        .init(name: chance.pick(["Accept", "json", "X-A", "!odd", "-a", "1"]), value: $0.value)
      },
      body: chance.pick([nil, nil, .contains(text()), .json(json())])
    )
  }

  private mutating func segments() -> [PathTemplate.Segment] {
    var segments: [PathTemplate.Segment] = []
    for _ in 0..<Int.random(in: 0...3, using: &chance) {
      segments.append(chance.chance(3) ? .capture(name()) : .literal(text()))
    }
    if segments == [.literal("")] { return [] }  // Both are written `/`.
    return chance.chance(5) ? segments + [.rest(name())] : segments
  }

  private mutating func conditions(
    _ value: (inout RandomRoute) -> String
  ) -> [RequestPattern.Condition] {
    (0..<Int.random(in: 0...2, using: &chance)).map { _ in
      let text = value(&self)
      let value: RequestPattern.Condition.Value = chance.pick([.any, .text(text), .capture(name())])
      return .init(name: "n" + self.text(), value: value)
    }
  }

  private mutating func name() -> String {
    captureCount += 1
    return chance.pick(["id", "_x-", "body"]) + "\(captureCount)"
  }

  // MARK: Answers

  private mutating func choice() -> ScriptedAnswer {
    ScriptedAnswer(
      choices: (0...Int.random(in: 0...2, using: &chance)).map { _ in answer() }
    )
  }

  private mutating func answer() -> ScriptedAnswer {
    if chance.chance(4) {
      return ScriptedAnswer(.fault(chance.pick(Fault.allCases)), delay: delay())
    }
    let response = response()
    var pace = ScriptedAnswer.Pace.atOnce
    if response.body.content != .empty, chance.chance(3) {
      pace = .drip(pieces: Int.random(in: 1...20, using: &chance), over: duration())
    }
    return ScriptedAnswer(.response(response), delay: delay(), pace: pace)
  }

  private mutating func response() -> ScriptedResponse {
    let status = chance.pick([200, 200, 201, 204, 302, 304, 404, 503, 599])
    let mayHaveBody = status != 204 && status != 304
    var body = mayHaveBody ? body() : .empty
    if chance.chance(4) {
      body.type = chance.pick(["text/plain", "text/html; charset=utf-8", "é"])
    }
    var response = ScriptedResponse(status: status, body: body)
    response.isChunked = mayHaveBody && chance.chance(4)
    if mayHaveBody, !response.isChunked, chance.chance(4) {
      response.ending = .claiming(bytes: Int.random(in: 0...5000, using: &chance))
    } else if case .filler(let size) = body.content, !body.isCompressed, size > 0, chance.chance(2)
    {
      let place = Int.random(in: 0..<size, using: &chance)
      response.ending = chance.pick([
        .closed(afterBytes: place), .reset(afterBytes: place), .silent(afterBytes: place),
      ])
    }
    for _ in 0..<Int.random(in: 0...2, using: &chance) {
      let name = chance.pick(["Location", "Cache-Control", "type", "x!y", "200"])
      response.headers.append(.init(name: name, value: headerText()))
    }
    return response
  }

  private mutating func body() -> ScriptedBody {
    let content: ScriptedBody.Content = chance.pick([
      .empty, .text(text()), .json(json()),
      .bytes(chance.some(upTo: 7) { UInt8.random(in: 0...255, using: &$0) }),
      .file(name: chance.pick(["feed.json", "a b", "x,y", "é", "{a}"]), bytes: []),
      .filler(bytes: chance.pick([0, 1, 999, 1000, 10_000, 1_500_000, 10_000_000])),
    ])
    return ScriptedBody(content, isCompressed: content != .empty && chance.chance(4))
  }

  private mutating func delay() -> Delay {
    let first = duration()
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: return .fixed(first)
    case 1: return .uniform(first, first + duration())
    case 2: return .logNormal(median: first, sigma: chance.pick([0, 0.5, 1, 1e-05, 2.999999, 3]))
    default: return .fixed(.zero)
    }
  }

  private mutating func duration() -> Duration {
    chance.pick([.zero, .milliseconds(300), .seconds(2), .seconds(60), .nanoseconds(1_234_567_891)])
  }

  // MARK: Texts

  private mutating func text() -> String { chance.some(upTo: 2) { $0.pick(Self.texts) }.joined() }

  private mutating func headerText() -> String {
    chance.pick(["", "no-store", "a, b", "\"q\"", "/home?x=1", "/a b", "2s", "{id}", "é"])
  }

  private mutating func json() -> String {
    let value: JSONValue = chance.pick([
      .null, .number("1.50"), .number("1E400"), .string(text()),
      .array([.bool(true), .string("{id}")]),
      .object([.init(name: text(), value: .array([])), .init(name: "zz", value: .number("-0"))]),
    ])
    return value.text
  }
}
