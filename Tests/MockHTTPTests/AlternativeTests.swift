import Exploring
import HTTPTypes
import MockHTTP
import Staging
import Testing

/// Answers with alternatives.
@Suite struct AlternativeTests {
  private let server = MockServer(
    .get("/a", ScriptedAnswer.status(200).or(503).or(.fault(.reset)), 201)
  )

  /// Returns what code gets on a stage whose schedule makes these choices.
  private func deciding<Value>(
    _ choices: Int...,
    ask: @MainActor () -> Value
  ) -> Value {
    let stage = Stage(scheduler: ReplayScheduler(Schedule(choices)))
    defer { stage.close() }
    return stage.enter(ask)
  }

  @Test func `without exploration the first answer is given`() {
    #expect(server.status("GET /a") == 200)
    #expect(server.status("GET /a") == 201)
  }

  @Test func `a decider chooses one of the answers`() {
    let statuses = deciding(1) { [server.status("GET /a"), server.status("GET /a")] }

    #expect(statuses == [503, 201])
  }

  @Test(arguments: [RequestLog.Channel.memory, .urlSession, .socket])
  func `the stage of the calling code decides, for every channel`(channel: RequestLog.Channel) {
    let exchange = deciding(1) {
      server.receive(.asking("GET /a"), channel: channel, at: .zero)
    }

    #expect(exchange.delivery?.head.status.code == 503)
  }

  @Test func `code that runs on no stage has no decider`() {
    let stage = Stage(scheduler: ReplayScheduler(Schedule([1])))
    defer { stage.close() }

    #expect(server.status("GET /a") == 200)
  }

  @Test func `an alternative of an alternative is one more alternative`() {
    let answer = ScriptedAnswer.status(200).or(ScriptedAnswer.status(201).or(202))

    #expect(answer.choices == [.status(200), .status(201), .status(202)])
  }

  @Test func `a decider chooses the delay too, and nothing is drawn`() {
    server.add(.get("/b", .status(200).after(.seconds(1), to: .seconds(2))))

    #expect(deciding(1001) { server.receive("GET /b").delay } == .seconds(2))
  }

  @Test func `a decider chooses the requests of an injection too`() {
    server.inject(.status(500), rate: 0.5, seed: 1)
    let statuses = [0, 1].map { choice in deciding(choice) { server.status("GET /a") } }

    #expect(Set(statuses) == [200, 500] || Set(statuses) == [201, 500])
  }
}
