import LibC
import NetworkAccess
import Staging
import Testing

@testable import Rehearsal

/// The end of a socket, observed at the other side. A transcript cannot show that, because sockets
/// take real time.
@Suite struct SocketCancellationTests {
  @Test(arguments: [
    "cancel page", "reset page", "load page 1", "inject page \"stop\"", "forget page",
  ])
  func `every end of a load closes its socket, and the log shows it`(ending: String) {
    let session = SocketSession()
    defer { session.end() }
    session.perform(
      "route GET /page never",
      "serve",
      "loadable page",
      "load page from /page over socket"
    )
    session.waitForRequest(that: "in flight")

    session.perform(ending)

    session.waitForRequest(that: "cancelled")
  }

  @Test func `a silent socket is abandoned after the load's timeout, in real time`() {
    let session = SocketSession()
    defer { session.end() }
    session.perform("route GET /page never", "serve", "loadable page")

    session.perform("load page from /page over socket timeout 50ms", "settle")

    #expect(session.lines.last == "   0.000s  page  loading #1 → error transport timedOut")
  }
}

/// A session with sockets, and its output.
private final class SocketSession {
  private let output = Output()
  private let host: SessionHost

  /// Confined to the thread of the session, which is that of the test.
  private final class Output: @unchecked Sendable {
    var lines: [String] = []
  }

  init() {
    let output = output
    host = SessionHost(files: MemoryFiles(), network: .sockets()) { output.lines.append($0) }
  }

  var lines: [String] { output.lines }

  func perform(_ commands: String...) {
    for command in commands { host.perform(command) }
  }

  /// Waits at most ten seconds until the only request is logged like this. Blocks its thread: if
  /// other tests block theirs, a sleeping task might resume only after the request has timed out.
  func waitForRequest(that fate: String) {
    for _ in 0..<1000 {
      output.lines = []
      perform("requests")
      if lines.count == 1, lines[0].hasSuffix(fate) { return }
      poll(nil, 0, 10)
    }
    Issue.record("the log says \(lines)")
  }

  func end() { host.end() }
}
