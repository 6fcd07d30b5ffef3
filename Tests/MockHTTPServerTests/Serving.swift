import MockHTTP
import MockHTTPServer
import RehearsalBase

/// A server with routes on its own port, and a stream of its ended requests.
final class Serving: Sendable {
  let routes = MockServer()
  let server: MockHTTPServer
  let port: Int
  private let ended: AsyncStream<ServedRequest>

  /// Creates a server that gives these answers for these paths, with any method.
  init(
    _ answers: [String: ScriptedAnswer] = [:],
    options: ServeOptions = ServeOptions(),
    now: @escaping @Sendable () -> Duration = MockHTTPServer.stopwatch()
  ) throws {
    for (path, answer) in answers { routes.add(.answering(path, answer)) }
    let (ended, continuation) = AsyncStream.makeStream(of: ServedRequest.self)
    self.ended = ended
    server = MockHTTPServer(
      routes,
      options: options,
      now: now,
      observer: { continuation.yield($0) }
    )
    port = try server.start()
  }

  deinit { server.stop() }

  /// Sends bytes to the server over a new connection.
  func client(_ text: String = "") throws -> RawClient {
    let client = try RawClient(port: port)
    client.send(text)
    return client
  }

  /// Returns the next request that ends.
  func nextEnded() async -> ServedRequest? {
    var requests = ended.makeAsyncIterator()
    return await requests.next()
  }

  /// The latest log entry.
  var lastEntry: RequestLog.Entry? { routes.log.entries.last }
}

extension Route {
  static func answering(_ path: String, _ answers: ScriptedAnswer...) -> Route {
    let segments = path.split(separator: "/").map { PathTemplate.Segment.literal(String($0)) }
    return Route(RequestPattern(path: PathTemplate(segments: segments)), answers: answers)
  }
}

extension ScriptedAnswer {
  static func text(
    _ text: String,
    ending: ScriptedResponse.Ending = .complete,
    isChunked: Bool = false,
    delay: Duration = .zero,
    pace: Pace = .atOnce
  ) -> ScriptedAnswer {
    let response = ScriptedResponse(
      status: 200,
      body: ScriptedBody(.text(text), type: "text/plain"),
      ending: ending,
      isChunked: isChunked
    )
    return ScriptedAnswer(.response(response), delay: .fixed(delay), pace: pace)
  }

  static func status(_ status: Int) -> ScriptedAnswer {
    ScriptedAnswer(.response(ScriptedResponse(status: status)))
  }

  static func large(_ count: Int, ending: ScriptedResponse.Ending = .complete) -> ScriptedAnswer {
    ScriptedAnswer(
      .response(
        ScriptedResponse(
          status: 200,
          body: ScriptedBody(.bytes([UInt8](repeating: 0x78, count: count))),
          ending: ending
        )
      )
    )
  }

  static func fault(_ fault: Fault) -> ScriptedAnswer { ScriptedAnswer(.fault(fault)) }
}

/// Returns a request for a path, without other fields.
func get(_ path: String, _ fields: String...) -> String {
  let fields = ["Host: localhost"] + fields
  return "GET \(path) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
}
