import FetchProtocol
import HTTPTypes
import RemoteLoading
import Testing
import Workers

@Suite struct FetchFrameTests {
  private static let frames: [FetchFrame] = [
    .request(
      7,
      FetchRequest(
        RemoteRequest(
          HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "example.test:8443",
            path: "/a?b=c",
            headerFields: [.accept: "*/*", .cookie: "ä"]
          ),
          body: [0, 1, 255]
        ),
        allowedHosts: ["example.test", "other.test"],
        limits: TransferLimits(bodyBytes: 5, headBytes: 6, idleTime: .milliseconds(1500))
      )
    ),
    .cancel(UInt32.max),
    .event(
      1,
      .head(HTTPResponse(status: .init(code: 404), headerFields: [.server: ""]), expected: 9)
    ),
    .event(1, .head(HTTPResponse(status: .ok), expected: nil)),
    .event(2, .body(Array(repeating: 65, count: 100_000))),
    .end(3),
    .failure(4, .truncated),
    .failure(4, .tooManyRedirects(["/a", "/b"])),
    .failure(4, .unmatched(request: "GET /", nearest: nil)),
    .failure(4, .forbidden(host: "example.test")),
    .failure(4, .other("why")),
  ]

  @Test(arguments: [1, 7, 1000, 1_000_000])
  func `frames are decoded unchanged from any pieces`(size: Int) throws {
    let bytes = Self.frames.flatMap(\.bytes)
    var reader = FrameReader()
    var frames: [FetchFrame] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      reader.append(bytes[start..<min(start + size, bytes.count)])
      while let frame = try reader.next() { frames.append(frame) }
    }
    #expect(frames == Self.frames)
  }

  @Test func `every error without values is decoded unchanged`() throws {
    let errors: [TransportError] = [
      .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure,
      .unresolved, .offline, .unsupportedURL,
    ]
    for error in errors {
      var reader = FrameReader()
      reader.append(FetchFrame.failure(1, error).bytes)
      #expect(try reader.next() == .failure(1, error))
    }
  }

  @Test func `bytes that are not a frame are refused`() {
    let good = Self.frames[0].bytes
    for index in 0..<good.count {
      for change in [UInt8(1), 128, 255] {
        var bytes = good
        bytes[index] &+= change
        var reader = FrameReader()
        reader.append(bytes)
        // The result may be nothing, another frame or an error, but no crash, and no more than the input.
        while (try? reader.next()) ?? nil != nil {}
      }
    }
    var reader = FrameReader()
    reader.append(Array(repeating: 255, count: 9))
    #expect(throws: MalformedMessage.self) { try reader.next() }
  }

  @Test(arguments: [
    ("127.0.0.1:80", nil), ("LOCALHOST", nil), ("[::1]:9", nil), ("example.test:443", nil),
    ("other.test", "other.test"), ("a.example.test", "a.example.test"),
    ("example.test@evil.test", "example.test@evil.test"),
    ("evil.test#@127.0.0.1", "evil.test#@127.0.0.1"),
    ("evil.test\\.localhost", "evil.test\\.localhost"), ("[::1]evil.test", "[::1]evil.test"),
    ("localhost:8.evil.test", "localhost:8.evil.test"),
    ("127.0.0.1.evil.test", "127.0.0.1.evil.test"),
    ("", ""),
  ])
  func `only this machine and allowed hosts may be reached`(authority: String, refused: String?) {
    let head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/")
    let request = FetchRequest(
      RemoteRequest(head),
      allowedHosts: ["Example.test"],
      limits: TransferLimits()
    )
    #expect(request.forbiddenHost == refused)
  }

  @Test func `a path that would change the host is refused`() {
    let head = HTTPRequest(
      method: .get,
      scheme: "http",
      authority: "127.0.0.1",
      path: "@evil.test/"
    )
    let request = FetchRequest(RemoteRequest(head), allowedHosts: [], limits: TransferLimits())
    #expect(request.forbiddenHost == "127.0.0.1")
  }
}
