import MockHTTP
import MockHTTPServer
import Testing

@Suite struct MockHTTPServerTests {
  @Test func `a server serves the routes that it was given`() {
    let server = MockServer()
    #expect(MockHTTPServer(server).server === server)
  }
}
