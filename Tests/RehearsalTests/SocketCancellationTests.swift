import LibC
import NetworkAccess
import Staging
import Testing

@testable import Rehearsal

/// What a transcript cannot show, because a socket takes real time: that its end is seen at the other side.
@Suite struct SocketCancellationTests {
  @Test(arguments: [
    "cancel page", "reset page", "load page 1", "inject page \"stop\"", "forget page",
  ])
  func `whatever ends a load closes its socket, and the log shows it`(ending: String) {
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

  @Test func `a silent socket is given up after the load's timeout, in real time`() {
    let session = SocketSession()
    defer { session.end() }
    session.perform("route GET /page never", "serve", "loadable page")

    session.perform("load page from /page over socket timeout 50ms", "settle")

    #expect(session.lines.last == "   0.000s  page  loading #1 → error transport timedOut")
  }
}

/// A session with sockets, and what it has printed.
private final class SocketSession {
  private let output = Output()
  private let host: SessionHost

  /// Confined to the thread of the session, which is the test's.
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

  /// Waits, ten seconds at most, until the only request is logged like this. It blocks its thread: where
  /// others do too, a task that sleeps may come back only when the request has been given up.
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
