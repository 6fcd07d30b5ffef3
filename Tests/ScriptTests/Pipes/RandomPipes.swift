import HTTPTypes
import MockHTTP
import RehearsalBase

@testable import Script

/// Random pipes of every kind, by seed. They equal the parser's result, except for places in the
/// text.
struct RandomPipes {
  var generator: Generator

  mutating func pipe(depth: Int = 0) -> PipeSpec {
    let count = Int.random(in: 0...(depth > 1 ? 1 : 3), using: &generator)
    return PipeSpec(
      source: nowhere(source(depth: depth)),
      stages: (0..<count).map { _ in nowhere(stage(depth: depth)) }
    )
  }

  private mutating func source(depth: Int) -> PipeSpec.Source {
    switch Int.random(in: 0..<(depth > 2 ? 8 : 9), using: &generator) {
    case 0, 1: .member(name())
    case 2: .values((0..<Int.random(in: 0...3, using: &generator)).map { _ in value() })
    case 3: .never
    case 4: .fail(error())
    case 5: .load(load())
    case 6: .future(load())
    case 7: .timer(.milliseconds(250))
    default: .deferred(pipe(depth: depth + 1))
    }
  }

  private mutating func load() -> PipeSpec.LoadSpec {
    PipeSpec.LoadSpec(
      outcomes: (0..<Int.random(in: 1...3, using: &generator)).map { _ in outcome() },
      after: generator.chance(2) ? range() : nil,
      type: generator.chance(2) ? type() : nil
    )
  }

  private mutating func outcome() -> PipeSpec.LoadSpec.Outcome {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: .value(value())
    case 1: .fail(error())
    case 2: .never
    case 3: .request(.endpoint(nowhere(name())))
    default: .request(.spec(nowhere(request())))
    }
  }

  private mutating func range() -> DurationRange {
    let least = time()
    return generator.chance(2) ? DurationRange(least) : least...least + time()
  }

  private mutating func request() -> RequestSpec {
    RequestSpec(
      method: generator.chance(2) ? .get : .put,
      origin: generator.chance(4) ? .init(scheme: "https", host: "example.com") : nil,
      path: pick(["/", "/users?page=2", "/a(b)/c", "/%C3%A9"]),
      headers: generator.chance(3) ? [.init(name: "X-Name", value: "a)b")] : [],
      body: generator.chance(3) ? pick([.json("{\"a\": [1, 2]}"), .text("x | (y")]) : nil,
      isOverSocket: generator.chance(4)
    )
  }

  private mutating func stage(depth: Int) -> PipeSpec.Stage {
    let joins = depth > 2 ? 0 : 11
    return switch Int.random(in: 0..<(37 + joins), using: &generator) {
    case 0, 1: .map(.value(transform()))
    case 2: .filter(condition())
    case 3: .throttle(time(), latest: generator.chance(2))
    case 4: .debounce(time())
    case 5: .delay(time())
    case 6: .timeout(time(), generator.chance(2) ? error() : nil)
    case 7: .removeDuplicates
    case 8: .switchToLatest
    case 9: .retry(Int.random(in: 0...9, using: &generator))
    case 10: .replaceError(value())
    case 11: .share
    case 12:
      .scan(pick(PipeSpec.Accumulation.allCases), from: generator.chance(2) ? value() : nil)
    case 13: .prefix(Int.random(in: 0...9, using: &generator))
    case 14: .dropFirst(Int.random(in: 0...9, using: &generator))
    case 15: .first
    case 16: .last
    case 17: .collect
    case 18: .compactMap(generator.chance(3) ? .field([]) : transform())
    case 19, 20:
      .tryMap(
        generator.chance(3) ? .field([]) : transform(),
        error(),
        if: generator.chance(2) ? condition() : nil
      )
    case 21: .replaceNil(value())
    case 22: .replaceEmpty(value())
    case 23: .mapError(error())
    case 24:
      .reduce(pick(PipeSpec.Accumulation.allCases), from: generator.chance(2) ? value() : nil)
    case 25: .count
    case 26: .prefixWhile(condition())
    case 27: .dropWhile(condition())
    case 28: .firstWhere(condition())
    case 29: .collectByCount(3)
    case 30: .collectByTime(.milliseconds(250), most: generator.chance(2) ? 3 : nil)
    case 31, 32: .prepend(PipeSpec(source: nowhere(.values([value(), value()]))))
    case 33:
      .buffer(
        Int.random(in: 1...9, using: &generator),
        keepsFull: generator.chance(2),
        whenFull: pick([.dropOldest, .dropNewest, .fail(error())])
      )
    case 34: .receive(pick(PipeSpec.Queue.allCases))
    case 35: .subscribe(pick(PipeSpec.Queue.allCases))
    case 36: .handleEvents(events())
    case 37, 38: .map(.pipe(pipe(depth: depth + 1)))
    case 39:
      .flatMap(pipe(depth: depth + 1), maxPublishers: generator.chance(2) ? 2 : nil)
    case 40: .catch(pipe(depth: depth + 1))
    case 41: .merge(others(depth: depth + 1))
    case 42: .combineLatest(others(depth: depth + 1))
    case 43: .prepend(pipe(depth: depth + 1))
    case 44: .append(pipe(depth: depth + 1))
    case 45: .prefixUntil(pipe(depth: depth + 1))
    case 46: .dropUntil(pipe(depth: depth + 1))
    default: .zip(others(depth: depth + 1))
    }
  }

  private mutating func events() -> Set<PipeSpec.HandledEvent> {
    let events = PipeSpec.HandledEvent.allCases.filter { _ in generator.chance(2) }
    return Set(events.isEmpty ? PipeSpec.HandledEvent.allCases : events)
  }

  private mutating func transform() -> PipeSpec.Transform {
    generator.chance(2) ? .field(path()) : .template(value())
  }

  private mutating func condition() -> PipeSpec.Condition {
    .init(
      path: generator.chance(3) ? [] : path(),
      comparison: pick(PipeSpec.Comparison.allCases),
      operand: value()
    )
  }

  private mutating func others(depth: Int) -> [PipeSpec] {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in pipe(depth: depth) }
  }

  private mutating func value() -> JSONValue {
    pick([
      .null, .bool(true), .number("-2.50"), .string("a | (b) \"c\" # \\"), .string("1s"),
      .array([.number("1"), .array([])]), .object([.init(name: "é", value: .string("{ x"))]),
    ])
  }

  private mutating func error() -> ErrorSpec {
    pick([
      .text("no network"), .text(String(repeating: "long ", count: 40)), .url("timedOut"),
      .http(503), .transport("refused"), .transport("forbidden", detail: "example.com"),
      .transport("other"), .decoding("no field id"), .image("HTML"), .timeout, .cancellation,
      .control(.resetLoadable),
    ])
  }

  private mutating func type() -> TypeExpression {
    pick([
      .named("User", span: 0..<0), .optional(.array(.named("Int", span: 0..<0))),
      .date(.iso8601, span: 0..<0), .date(.pattern("yyyy-MM-dd"), span: 0..<0),
      .array(.date(.seconds, span: 0..<0)),
    ])
  }

  private mutating func name() -> String { pick(["users", "a.b", "first", "max", "é-1", "_x"]) }
  private mutating func path() -> [String] {
    pick([["name"], ["author", "name"], ["values"], ["length"], ["items", "0", "id"]])
  }
  private mutating func time() -> Duration {
    pick([.zero, .milliseconds(250), .seconds(90), .nanoseconds(1_500_000_001), .seconds(3600)])
  }
  private mutating func pick<Part>(_ parts: [Part]) -> Part {
    parts[Int.random(in: parts.indices, using: &generator)]
  }
}

/// The place of a part that was not written.
func nowhere<Value>(_ value: Value) -> Located<Value> { Located(value, at: 0..<0) }
