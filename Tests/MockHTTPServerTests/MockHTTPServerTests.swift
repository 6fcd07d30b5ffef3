import LibC
import MockHTTP
import MockHTTPServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct MockHTTPServerTests {
  @Test func `a port in use is a problem with a hint`() throws {
    let serving = try Serving()
    let problem = ServeProblem.portInUse(serving.port)
    #expect(throws: problem) { try MockHTTPServer(MockServer()).start(port: serving.port) }
    #expect(problem.sentence == "port \(serving.port) is in use")
  }

  @Test func `an invalid port is a problem`() {
    #expect(throws: ServeProblem.noSuchPort(65_536)) {
      try MockHTTPServer(MockServer()).start(port: 65_536)
    }
  }

  @Test(arguments: ["nowhere", "192.0.2.1", ""])
  func `an address of another machine is a problem`(address: String) {
    var options = ServeOptions()
    options.address = address
    #expect(throws: ServeProblem.noSuchAddress(address)) {
      try MockHTTPServer(MockServer(), options: options).start()
    }
  }

  @Test func `a server can start and stop repeatedly`() throws {
    let server = MockHTTPServer(MockServer())
    for _ in 0..<3 {
      let port = try server.start()
      #expect(try server.start() == port)
      #expect(server.port == port)
      server.stop()
      server.stop()
      #expect(server.port == nil)
      #expect(throws: RawClient.Failure(code: ECONNREFUSED)) { try RawClient(port: port) }
    }
  }

  @Test func `stopping ends connections in every state`() throws {
    let serving = try Serving([
      "/never": .fault(.never), "/delay": .text("late", delay: .seconds(60)),
      "/hold": .text("held"), "/big": .large(20_000_000), "/": .text("hello"),
    ])
    let texts = [
      "", "GET / HT", get("/never"), get("/delay"), get("/big"), get("/") + get("/never"),
    ]
    let clients = try texts.map { try serving.client($0) }
    #expect(clients[5].readResponse()?.body == "hello")
    serving.server.stop()
    for client in clients { #expect(client.readToEnd().end != .open) }
    #expect(serving.routes.log.entries.allSatisfy { $0.fate != .inFlight })
  }
}
