import Foundation
import HTTPTypes
import RemoteLoading
import Staging
import Synchronization
import Testing

@testable import FetchProtocol

/// The client in the main program, with the real helper.
@Suite struct FetchClientTests {
  private let client = FetchClient()

  @Test func `an answer arrives through the helper, with its progress`() async throws {
    let server = try RawServer { _ in
      [.say("HTTP/1.1 503 No\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello"), .close]
    }
    let progress = Mutex<[TransferProgress]>([])
    let response = try await client.send(server.request("/a")) { step in
      progress.withLock { $0.append(step) }
    }
    #expect(response.head.status.code == 503)
    #expect(response.head.headerFields[try #require(HTTPField.Name("X-A"))] == "b")
    #expect(response.body == Array("hello".utf8))
    let last = TransferProgress(received: 5, expected: 5, status: 503)
    #expect(progress.withLock { $0.last } == last)
  }

  @Test func `a helper ends, and is waited for, after its client is released`() async throws {
    let server = try RawServer { _ in [.say("HTTP/1.1 204 No\r\n\r\n"), .close] }
    var client: FetchClient? = FetchClient()
    _ = try await client?.send(server.request("/a")) { _ in }
    let process = try #require(client?.helperProcess)
    #expect(kill(process, 0) == 0)
    client = nil

    // The thread that has delivered the answer may be the last one to release the client.
    for _ in 0..<1_000_000 where kill(process, 0) == 0 { await Task.yield() }
    #expect(kill(process, 0) == -1)
    #expect(errno == ESRCH)
  }

  @Test func `a hanging helper ends after its client is released`() throws {
    let path = NSTemporaryDirectory() + "helper-" + UUID().uuidString
    try "#!/bin/sh\nexec sleep 600\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(chmod(path, 0o700) == 0)
    defer { unlink(path) }
    var helper = HelperProcess(program: path) { _ in }
    let process = try #require(helper?.process)
    #expect(kill(process, 0) == 0)
    helper = nil

    #expect(kill(process, 0) == -1)
    #expect(errno == ESRCH)
  }

  @Test func `concurrent requests share one helper`() async throws {
    let server = try RawServer { path in
      [.say("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)"), .close]
    }
    let count = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask { [client] in
          let body = try await client.send(server.request("/\(number)")) { _ in }.body
          return body == Array("/\(number)".utf8)
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(count == 50)
  }

  @Test func `a body of 10 MB goes through in both directions`() async throws {
    let server = try RawServer { path in
      let body = String(repeating: "x", count: 10_000_000)
      return [.say("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"), .close]
    }
    var request = server.request("/big")
    request.head.method = .post
    request.body = Array(repeating: 65, count: 10_000_000)
    // The server answers after the head and closes, so that the upload may be interrupted.
    let answer = try? await client.send(request) { _ in }
    #expect(answer == nil || answer?.body.count == 10_000_000)
    #expect(try await client.send(server.request("/big")) { _ in }.body.count == 10_000_000)
  }

  @Test func `a fault keeps its name through the helper`() async throws {
    let server = try RawServer { path in path == "/reset" ? [.reset] : [.close] }
    await #expect(throws: TransportError.reset) {
      try await client.send(server.request("/reset")) { _ in }
    }
    await #expect(throws: TransportError.empty) {
      try await client.send(server.request("/empty")) { _ in }
    }
  }

  @Test func `a host that is not allowed is refused without a helper`() async throws {
    let client = FetchClient(helper: "/nowhere")
    let head = HTTPRequest(method: .get, scheme: "http", authority: "example.test", path: "/")
    await #expect(throws: TransportError.forbidden(host: "example.test")) {
      try await client.send(RemoteRequest(head)) { _ in }
    }
    client.allow("Example.TEST")
    #expect(client.allowedHosts == ["example.test"])
    await #expect(throws: TransportError.self) {
      try await client.send(RemoteRequest(head)) { _ in }
    }
    client.disallow("example.test")
    #expect(client.allowedHosts == [])
  }

  @Test func `a missing helper is named without its path`() async throws {
    let client = FetchClient(helper: "/nowhere/rehearse-fetch")
    let server = try RawServer { _ in [.close] }
    let error = await #expect(throws: TransportError.self) {
      try await client.send(server.request("/")) { _ in }
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("rehearse-fetch"))
    #expect(!text.contains("/nowhere"))
    #expect(text.contains("not in the same folder; install its package"))
  }

  @Test func `a helper that is being built is not reported as missing`() throws {
    let path = NSTemporaryDirectory() + "helper-" + UUID().uuidString
    defer { unlink(path + ".building") }
    try "\(getpid())\n".write(toFile: path + ".building", atomically: true, encoding: .utf8)
    let client = FetchClient(helper: path)
    #expect(client.missingHelper?.problem.hasSuffix("is still being built") == true)
    try "99999999\n".write(toFile: path + ".building", atomically: true, encoding: .utf8)
    #expect(client.missingHelper?.problem.hasSuffix("is not in the same folder") == true)
  }

  @Test(arguments: ["rehearse-fetch 0", "rehearse-fetch 10", "anything else"])
  func `a helper of another version is reported, with the way to get this one`(
    greeting: String
  ) async throws {
    let path = NSTemporaryDirectory() + "helper-" + UUID().uuidString
    let script = "#!/bin/sh\nprintf '%s\\n' '\(greeting)'\nexec cat >/dev/null\n"
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(chmod(path, 0o700) == 0)
    defer { unlink(path) }
    let client = FetchClient(helper: path)
    let server = try RawServer { _ in [.close] }
    let error = await #expect(throws: TransportError.self) {
      try await client.send(server.request("/")) { _ in }
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("it is of another version than this program; install its package"))
  }

  @Test func `an answer that ends within its head is malformed`() async throws {
    let server = try Self.crashing()
    #expect(try await client.send(server.request("/ok")) { _ in }.head.status.code == 204)
    await #expect(throws: TransportError.malformed) {
      try await client.send(server.request("/crash")) { _ in }
    }
    #expect(try await client.send(server.request("/ok")) { _ in }.head.status.code == 204)
  }

  @Test func `other requests in flight are answered although the helper stopped`() async throws {
    let (held, release) = AsyncStream.makeStream(of: Void.self)
    let server = try Self.crashing { release.yield() }
    async let innocent = client.send(server.request("/once")) { _ in }
    for await _ in held { break }
    await #expect(throws: TransportError.malformed) {
      try await client.send(server.request("/crash")) { _ in }
    }
    #expect(try await innocent.head.status.code == 204)
  }

  @Test func `a request that is not safe to send twice says so when the helper stops`() async throws
  {
    let (held, release) = AsyncStream.makeStream(of: Void.self)
    let server = try Self.crashing { release.yield() }
    var request = server.request("/held")
    request.head.method = .post
    let post = Task { [client, request] in try await client.send(request) { _ in } }
    for await _ in held { break }
    await #expect(throws: TransportError.malformed) {
      try await client.send(server.request("/crash")) { _ in }
    }
    let error = await #expect(throws: TransportError.self) { try await post.value }
    #expect(error.map { "\($0)".contains("a POST is not sent twice") } == true)
  }

  @Test func `an answer that had begun when the helper stops is truncated`() async throws {
    let server = try Self.crashing()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let long = Task { [client] in
      try await client.send(server.request("/long")) { _ in begin.yield() }
    }
    for await _ in begun { break }
    await #expect(throws: TransportError.malformed) {
      try await client.send(server.request("/crash")) { _ in }
    }
    await #expect(throws: TransportError.truncated) { try await long.value }
  }

  /// A server whose answer ends within its head, which crashes Foundation on Linux. `onHold` is called when a request is
  /// held: each for `/held`, the first for `/once`.
  private static func crashing(onHold: @escaping @Sendable () -> Void = {}) throws -> RawServer {
    let heldCount = Mutex(0)
    return try RawServer { path in
      switch path {
      case "/crash": return [.say("HTTP/1.1 200 OK\r\nContent-Le"), .close]
      case "/long": return [.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
      case "/held", "/once":
        let count = heldCount.withLock { count in
          count += 1
          return count
        }
        if path == "/once", count > 1 { break }
        onHold()
        return [.hang]
      default: break
      }
      return [.say("HTTP/1.1 204 No\r\n\r\n"), .close]
    }
  }

  @Test func `a cancelled task closes the connection`() async throws {
    let server = try RawServer { _ in
      [.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .hang]
    }
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [client] in
      try await client.send(server.request("/")) { _ in begin.yield() }
    }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.waitForGone(1))
  }

  @Test func `an answer that is too long is refused`() async throws {
    let client = FetchClient(limits: TransferLimits(bodyBytes: 1000, headBytes: 1000))
    let server = try RawServer { path in
      let field = path == "/head" ? String(repeating: "y", count: 2000) : "y"
      let body = String(repeating: "x", count: path == "/head" ? 3 : 2000)
      let count = body.utf8.count
      return [
        .say("HTTP/1.1 200 OK\r\nX: \(field)\r\nContent-Length: \(count)\r\n\r\n\(body)"), .close,
      ]
    }
    for path in ["/head", "/body"] {
      let error = await #expect(throws: TransportError.self) {
        try await client.send(server.request(path)) { _ in }
      }
      #expect(error.map { "\($0)".contains("more than 1000 bytes") } == true)
    }
  }

  @Test func `proxies from the environment are not used`() async throws {
    let server = try RawServer { _ in [.say("HTTP/1.1 204 No\r\n\r\n"), .close] }
    let request = FetchRequest(server.request("/"), allowedHosts: [], limits: TransferLimits())
    let answer = try Self.answer(
      to: .request(1, request),
      environment: ["http_proxy": "http://127.0.0.1:1", "ALL_PROXY": "http://127.0.0.1:1"]
    )
    guard case .event(1, .head(let head, _)) = answer else {
      Issue.record("\(answer.map { "\($0)" } ?? "nothing")")
      return
    }
    #expect(head.status.code == 204)
  }

  /// Returns the first output of a helper that is started by hand.
  private static func answer(
    to frame: FetchFrame,
    environment: [String: String]
  ) throws -> FetchFrame? {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let (input, output) = (Pipe(), Pipe())
    let helper = Process()
    helper.executableURL = folder.appending(path: FetchClient.helperName)
    helper.environment = environment
    helper.standardInput = input
    helper.standardOutput = output
    try helper.run()
    defer {
      try? input.fileHandleForWriting.close()
      helper.terminate()
      helper.waitUntilExit()
    }
    try input.fileHandleForWriting.write(contentsOf: Data(frame.bytes))
    var reader = FrameReader(afterGreeting: true)
    while case let data = output.fileHandleForReading.availableData, !data.isEmpty {
      reader.append(data)
      if let answer = try reader.next() { return answer }
    }
    return nil
  }

  @Test func `on a stage, time stands still until the answer arrives`() throws {
    let server = try RawServer { _ in
      [.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), .close]
    }
    let stage = Stage()
    let log = Log()
    try stage.run { [client] in
      let other = Task {
        try? await Task.sleep(for: .seconds(9))
        log("later at \(stage.now)")
      }
      let response = try? await stage.outside {
        try await client.send(server.request("/")) { _ in }
      }
      let count = response?.body.count ?? -1
      log("\(count) at \(stage.now), \(stage.isCurrent)")
      await other.value
    }
    #expect(log.lines == ["5 at 0s, true", "later at 9s"])
  }
}
