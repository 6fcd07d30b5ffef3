import HTTPTypes
import MockHTTP
import Testing

/// Answers that may be one of several.
@Suite struct AlternativeTests {
  private func server(deciding choice: (@Sendable (Int) -> Int)? = nil) -> MockServer {
    let server = MockServer(
      .get("/a", ScriptedAnswer.status(200).or(503).or(.fault(.reset)), 201)
    )
    server.decide(by: choice.map { AnswerDecider(answer: $0) { range, _ in range.upperBound } })
    return server
  }

  @Test func `the first is given where nobody decides`() {
    let server = server()

    #expect(server.status("GET /a") == 200)
    #expect(server.status("GET /a") == 201)
  }

  @Test func `one of them is given where somebody decides, and takes its turn`() {
    let server = server { $0 - 2 }

    #expect(server.status("GET /a") == 503)
    #expect(server.status("GET /a") == 201)
  }

  @Test func `those who ask over a socket are no matter of who decides`() {
    let server = server { $0 - 1 }
    let exchange = server.receive(.asking("GET /a"), channel: .socket, at: .zero)

    #expect(exchange.delivery?.head.status.code == 200)
  }

  @Test func `an alternative of an alternative is one more`() {
    let answer = ScriptedAnswer.status(200).or(ScriptedAnswer.status(201).or(202))

    #expect(answer.choices == [.status(200), .status(201), .status(202)])
  }

  @Test func `how long an answer takes is decided as well, and draws nothing`() {
    let server = server { _ in 0 }
    server.add(.get("/b", .status(200).after(.seconds(1), to: .seconds(2))))

    #expect(server.receive("GET /b").delay == .seconds(2))
  }
}
