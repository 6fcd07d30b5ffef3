import MockHTTP
import Testing

@testable import Script

@Suite struct RouteRoundTripTests {
  @Test func `a printed route parses to the same route`() throws {
    var random = RandomRoute(seed: 1)
    for _ in 0..<1000 {
      let route = random.make()
      let text = route.commandText
      var parser = Parser(text, table: CommandTable([]))
      _ = parser.accept("route")
      do {
        let read = try parser.route()
        #expect(parser.isAtEnd && read.route == route, "\(text)")
        #expect(read.route.commandText == text)
      } catch {
        Issue.record("\(text): \(error)")
        return
      }
    }
  }
}
