import MockHTTP
import Testing

@Suite struct RouteTests {
  @Test func `a route repeats its last answer unless told otherwise`() {
    let route = Route(RequestPattern(path: PathTemplate(segments: [])), answers: [])
    #expect(route.afterLast == .repeatLast)
  }
}
