#if canImport(FoundationNetworking)
import Rehearsal
import Testing

/// The display of requests from the code of a scene.
@Suite struct SessionRequestsTests {
  @Test(arguments: Way.allCases)
  func `requests have times, and lanes in the timeline, through every client`(way: Way) {
    let lines = performed(way)
    #expect(lines.contains("1  0.000s  GET /a  404 at 0.250s, 2 bytes"), "\(lines)")
    #expect(lines.contains { $0.contains("GET /a ") && $0.contains("┣#1") }, "\(lines)")
  }

  private func performed(_ way: Way) -> [String] {
    let scene = Rehearsal.Scene("client", "Asks for /a.") { scene in
      let ask = way.client(scene.server, on: scene.stage)
      scene.command("ask", "Asks.") { await ask() }
    }
    nonisolated(unsafe) var lines: [String] = []  // Only this thread performs.
    let host = SessionHost(files: MemoryFiles(), scenes: [scene]) { lines.append($0) }
    let commands = [
      #"route /a 404 text "no" after 250ms"#, "scene client", "ask", "settle", "requests",
      "timeline",
    ]
    for command in commands { host.perform(command) }
    host.end()
    return lines
  }
}
#endif
