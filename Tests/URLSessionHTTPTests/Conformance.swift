import HTTPTypes
import MockHTTP
import RemoteLoading

/// The result of a request to a mock server, independent of the client.
enum Outcome: Sendable, Hashable, CustomStringConvertible {
  /// The status, the compared fields, and the body.
  case response(Int, fields: [String: String], body: [UInt8])
  case error(TransportError)
  /// No answer within the waiting time.
  case silence

  init(_ response: RemoteResponse) {
    var fields: [String: String] = [:]
    for name in Self.compared {
      let values = response.head.headerFields[values: name]
      if !values.isEmpty { fields[name.canonicalName] = values.joined(separator: ", ") }
    }
    let isEncoded = response.head.headerFields[.contentEncoding] == "gzip"
    let decoded = isEncoded ? try? Gzip.decompress(response.body, limit: 1 << 24) : response.body
    if isEncoded { fields["content-encoding"] = nil }
    self = .response(response.head.status.code, fields: fields, body: decoded ?? [])
  }

  /// The other fields depend on the client: `Date`, `Connection`, and those about the end of the body.
  private static let compared: [HTTPField.Name] =
    [.contentType, .contentEncoding, .location, .wwwAuthenticate, .eTag]
    + [HTTPField.Name("X-Set")].compactMap(\.self)

  var description: String {
    switch self {
    case .response(let status, let fields, let body):
      let fields = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return
        "\(status) \(fields) \(body.count) B \(String(decoding: body.prefix(20), as: UTF8.self))"
    case .error(let error): return "\(error)"
    case .silence: return "silence"
    }
  }
}

/// One kind of answer, with the result for each client.
struct Row: Sendable, CustomStringConvertible {
  let name: String
  var method = HTTPRequest.Method.get
  let answer: ScriptedAnswer
  let memory: Outcome
  /// The different result over a socket, and why.
  var socket: (outcome: Outcome, why: String)?
  var urlSession: (outcome: Outcome, why: String)?

  var description: String { name }

  static func ok(
    _ name: String,
    _ answer: ScriptedAnswer,
    _ method: HTTPRequest.Method = .get,
    _ status: Int = 200,
    _ fields: [String: String] = [:],
    body: String = ""
  ) -> Row {
    let outcome = Outcome.response(status, fields: fields, body: Array(body.utf8))
    return Row(name: name, method: method, answer: answer, memory: outcome)
  }

  static func error(_ name: String, _ answer: ScriptedAnswer, _ error: TransportError) -> Row {
    Row(name: name, answer: answer, memory: .error(error))
  }

  func onSocket(_ outcome: Outcome, because why: String) -> Row {
    var row = self
    row.socket = (outcome, why)
    return row
  }

  func byURLSession(_ outcome: Outcome, because why: String) -> Row {
    var row = self
    row.urlSession = (outcome, why)
    return row
  }
}

extension Row {
  private static let text = ["content-type": "text/plain; charset=utf-8"]
  private static let hello = ScriptedAnswer.text("hello, world")
  private static func length(_ text: String) -> ScriptedAnswer {
    hello.header("Content-Length", text)
  }

  private static let timeout = "a URLSession gives up after its timeout"

  static let faults: [Row] = [
    .error("refused", .fault(.refused), .refused)
      .onSocket(.error(.reset), because: "a server that listens has accepted already"),
    .error("reset", .fault(.reset), .reset),
    .error("empty", .fault(.empty), .empty),
    .error("garbage", .fault(.garbage), .malformed),
    .error("tls", .fault(.tls), .insecure)
      .onSocket(.error(.reset), because: "there is no TLS on the socket"),
    Row(name: "never", answer: .fault(.never), memory: .silence)
      .onSocket(.error(.timedOut), because: timeout)
      .byURLSession(.error(.timedOut), because: timeout),
    .error("reset at once", hello.ending(.reset(afterBytes: 0)), .reset),
    .error("reset in the body", hello.ending(.reset(afterBytes: 5)), .reset),
    .error("closed in the body", hello.ending(.closed(afterBytes: 5)), .truncated),
    .error("closed in chunks", hello.chunked().ending(.closed(afterBytes: 5)), .truncated),
    .error(
      "closed before the last chunk",
      hello.chunked().ending(.closed(afterBytes: 12)),
      .truncated
    ),
    .error("a length that is too great", hello.ending(.claiming(bytes: 99)), .truncated),
    .error("a field that is too great", hello.header("Content-Length", "99"), .truncated),
    .error(
      "a length that is too great, and the body's end",
      hello.header("Content-Length", "99").ending(.closed(afterBytes: 12)),
      .truncated
    ),
    .error("a length that fits no number", length("99999999999999999999"), .malformed),
    .error("a length that is no number", length("twelve"), .malformed),
    .error("a length below zero", length("-12"), .malformed),
    .error("a length with a sign", length("+12"), .malformed),
    .error("lengths that differ", length("12, 5"), .malformed),
    .error("no length in the field", length(""), .malformed),
    Row(name: "silent in the body", answer: hello.ending(.silent(afterBytes: 5)), memory: .silence)
      .onSocket(.error(.timedOut), because: timeout)
      .byURLSession(.error(.timedOut), because: timeout),
    Row(name: "no route", answer: 200, memory: .error(.unmatched(request: "", nearest: nil)))
      .onSocket(.response(404, fields: [:], body: []), because: "a server has to answer"),
  ]

  static let answers: [Row] = [
    .ok("text", hello, .get, 200, text, body: "hello, world"),
    .ok(
      "a body for POST",
      .json("{}"),
      .post,
      200,
      ["content-type": "application/json"],
      body: "{}"
    ),
    .ok("an empty body", 200),
    .ok("204", 204, .get, 204),
    .ok("304", ScriptedAnswer.status(304).header("ETag", "x"), .get, 304, ["etag": "x"]),
    .ok("404 with a body", ScriptedAnswer.status(404).text("no"), .get, 404, text, body: "no"),
    .ok("500", 500, .get, 500),
    .ok(
      "401 without a challenge",
      ScriptedAnswer.status(401).text("who?"),
      .get,
      401,
      text,
      body: "who?"
    ),
    Row(
      name: "401 with a challenge",
      answer: ScriptedAnswer.status(401).text("who?").header(
        "WWW-Authenticate",
        "Basic realm=\"x\""
      ),
      memory: .response(
        401,
        fields: text.merging(["www-authenticate": "Basic realm=\"x\""]) { $1 },
        body: Array("who?".utf8)
      )
    ).byURLSession(
      .response(401, fields: text, body: Array("who?".utf8)),
      because: "with a challenge, Foundation on Linux never ends a data task"
    ),
    .ok(
      "a redirect that is not followed",
      ScriptedAnswer.status(307).header("Location", "/b"),
      .get,
      307,
      ["location": "/b"]
    ),
    .ok(
      "a field twice",
      ScriptedAnswer.status(200).header("X-Set", "a").header("X-Set", "b"),
      .get,
      200,
      ["x-set": "a, b"]
    ),
    .ok("HEAD", hello, .head, 200, text),
    .ok("compressed", hello.compressed(), .get, 200, text, body: "hello, world"),
    .ok(
      "compressed and dripping",
      hello.compressed().dripping(3, over: .milliseconds(60)),
      .get,
      200,
      text,
      body: "hello, world"
    ),
    .ok(
      "another encoding",
      hello.header("Content-Encoding", "br"),
      .get,
      200,
      text.merging(["content-encoding": "br"]) { $1 },
      body: "hello, world"
    ).onSocket(
      .response(200, fields: text.merging(["content-encoding": "br"]) { $1 }, body: []),
      because: "a libcurl that knows the encoding makes nothing of the body"
    ),
    Row(
      name: "an encoding that nobody knows",
      answer: hello.header("Content-Encoding", "x-none"),
      memory: .response(
        200,
        fields: text.merging(["content-encoding": "x-none"]) { $1 },
        body: Array("hello, world".utf8)
      )
    ).onSocket(
      .response(200, fields: text.merging(["content-encoding": "x-none"]) { $1 }, body: []),
      because: "libcurl hands out no body that it cannot decode"
    ),
    .ok("in chunks", hello.chunked(), .get, 200, text, body: "hello, world"),
    .ok(
      "dripping",
      hello.dripping(4, over: .milliseconds(80)),
      .get,
      200,
      text,
      body: "hello, world"
    ),
    .ok("after a delay", hello.after(.milliseconds(50)), .get, 200, text, body: "hello, world"),
    .ok(
      "a length that is too small",
      hello.ending(.claiming(bytes: 5)),
      .get,
      200,
      text,
      body: "hello"
    ),
    .ok(
      "a length twice",
      length("12, 12"),
      .get,
      200,
      text,
      body: "hello, world"
    ),
    .ok(
      "closed when all has come that was announced",
      hello.header("Content-Length", "5").ending(.closed(afterBytes: 8)),
      .get,
      200,
      text,
      body: "hello"
    ),
    .ok(
      "closed when all has come",
      hello.ending(.closed(afterBytes: 12)),
      .get,
      200,
      text,
      body: "hello, world"
    ),
    Row(
      name: "all bytes there are",
      answer: ScriptedAnswer.status(200).bytes(Array(0...255), type: "a/b"),
      memory: .response(200, fields: ["content-type": "a/b"], body: Array(0...255))
    ),
    .ok(
      "a megabyte",
      ScriptedAnswer.status(200).bytes(
        Array(String(repeating: "x", count: 1 << 20).utf8),
        type: "a/b"
      ),
      .get,
      200,
      ["content-type": "a/b"],
      body: String(repeating: "x", count: 1 << 20)
    ),
  ]
}
