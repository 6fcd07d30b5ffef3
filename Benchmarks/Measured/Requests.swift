import HTTPTypes
import Loading
import MockHTTP
import RemoteLoading
import Staging

extension Benchmark {
  /// Loads over HTTP with a server in memory: a request, a delay, an answer, in virtual time.
  static let requests = Benchmark(name: "requests") {
    let count = slots * rounds
    let floor = Samples.seconds { load(over: nil) }.rate(of: count)
    let rows: [(what: String, setting: Setting, goal: Row.Goal?)] = [
      ("a literal path", .literal, .atLeast(300_000)),
      ("100 routes, captures, a template", .template, nil),
    ]
    for row in rows {
      Table.print(
        Row(
          what: "requests: loads over HTTP, \(row.what)",
          samples: Samples.seconds { load(over: row.setting) }.rate(of: count),
          unit: .rate,
          goal: row.goal,
          floor: Row.Floor(what: "the same loads without HTTP", samples: floor)
        )
      )
    }
    measureMemory()
  }

  fileprivate enum Setting {
    case literal, template

    var server: MockServer {
      let server = MockServer(seed: 1)
      let answer = ScriptedAnswer.json(#"[{"id": 1, "title": "Hello"}]"#)
      switch self {
      case .literal: server.add(.get("/posts", answer.after(.milliseconds(300))))
      case .template:
        for index in 0..<99 {
          server.add(.get(PathTemplate(segments: [.literal("path\(index)")]), 200))
        }
        let echo = ScriptedAnswer.json(#"{"id": "{id:json}", "name": "{name}"}"#)
        server.add(
          .get("/users/{id}/posts/{name}", echo.after(.milliseconds(100), to: .milliseconds(400)))
        )
      }
      return server
    }

    var path: String {
      switch self {
      case .literal: "/posts"
      case .template: "/users/7/posts/first"
      }
    }
  }

  private static let slots = 1_000
  private static let rounds = 100

  private static func load(over setting: Setting?) {
    let stage = Stage()
    let loader = stage.enter { Loader(slots: slots, stage: stage, setting: setting) }
    for _ in 0..<rounds {
      stage.enter { loader.loadEach() }
      finish(stage)
    }
    precondition(stage.enter { loader.allHold }, "Every load has ended.")
  }

  // MARK: Memory

  /// The memory that a million requests retain, beyond that of the first hundred thousand.
  private static func measureMemory() {
    let stage = Stage()
    let loader = stage.enter { Loader(slots: slots, stage: stage, setting: .literal) }
    var before = 0
    for round in 0..<1_000 {
      if round == 100 { before = Memory.residentBytes }
      stage.enter { loader.loadEach() }
      finish(stage)
    }
    Table.print(
      Row(
        what: "requests: memory that 900,000 more take",
        samples: Samples([Double(max(0, Memory.residentBytes - before))]),
        unit: .bytes,
        goal: .atMost(1_000_000)
      )
    )
  }
}

/// Slots that load concurrently.
@MainActor private final class Loader {
  private let drivers: [LoadDriver<LoadableState<Int>>]
  private let client: Client?
  private let clock: StageClock

  init(slots: Int, stage: Stage, setting: Benchmark.Setting?) {
    let clock = stage.clock
    self.clock = clock
    drivers = (0..<slots).map { _ in LoadDriver(clock: clock) }
    client = setting.map { Client($0, clock: clock) }
  }

  func loadEach() {
    for driver in drivers {
      if let client {
        driver.start(()) { _ in try await client.transport.send(client.request) { _ in }.body.count
        }
      } else {
        driver.start(()) { [clock] _ in
          try await clock.sleep(for: .milliseconds(300))
          return 1
        }
      }
    }
  }

  var allHold: Bool { drivers.allSatisfy { $0.kept ?? 0 > 0 } }
}

/// The objects that a client program keeps.
private final class Client: Sendable {
  let transport: MockTransport<StageClock>
  let request: RemoteRequest

  init(_ setting: Benchmark.Setting, clock: StageClock) {
    transport = MockTransport(server: setting.server, clock: clock, beginning: .start)
    let path = setting.path
    request = RemoteRequest(
      HTTPRequest(method: .get, scheme: "http", authority: "example.org", path: path)
    )
  }
}
