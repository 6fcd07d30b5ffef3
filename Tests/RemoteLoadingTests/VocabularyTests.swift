import Loading
import RemoteLoading
import Staging
import Testing

@Suite struct VocabularyTests {
  static let plain: [TransportError] = [
    .refused, .reset, .empty, .truncated, .malformed, .timedOut, .cancelled, .insecure, .unresolved,
    .offline, .unsupportedURL,
  ]

  @Test(arguments: plain) func `a plain failure prints as its case`(
    error: TransportError
  ) {
    #expect(error.description == error.name)
    #expect(describe(error) == error.name)
    #expect(describe(RemoteError.transport(error)) == "transport \(error.name)")
  }

  @Test(arguments: plain.filter { $0 != .truncated })
  func `a URLError code survives the round trip`(error: TransportError) {
    #expect(error.urlErrorCode.flatMap { TransportError(urlErrorCode: $0) } == error)
  }

  @Test func `a failure with details prints them`() {
    #expect(
      "\(TransportError.tooManyRedirects(["/a", "/b", "/a"]))" == "tooManyRedirects: /a → /b → /a"
    )
    #expect("\(TransportError.forbidden(host: "x.test"))" == "forbidden: x.test is not allowed")
    #expect("\(TransportError.other("odd"))" == "other: odd")
    #expect(
      "\(TransportError.unmatched(request: "GET /pots", nearest: "GET /posts (path differs)"))"
        == "unmatched: no route for GET /pots; nearest is GET /posts (path differs)"
    )
    #expect(
      "\(TransportError.unmatched(request: "GET /pots", nearest: nil))"
        == "unmatched: no route for GET /pots"
    )
  }

  struct Row: Sendable {
    let error: RemoteError
    let name: String
    let code: Int?
    let message: String
    let description: String
  }

  @Test(arguments: [
    Row(
      error: .transport(.refused),
      name: "transport",
      code: -1004,
      message: "the connection was refused",
      description: "transport refused"
    ),
    Row(
      error: .status(503),
      name: "status",
      code: 503,
      message: "service unavailable",
      description: "http 503"
    ),
    Row(
      error: .status(799),
      name: "status",
      code: 799,
      message: "status 799",
      description: "http 799"
    ),
    Row(
      error: .decoding(path: "[1].title", expected: "String", found: "an Int"),
      name: "decoding",
      code: nil,
      message: "[1].title: expected String, found an Int",
      description: "decoding [1].title: expected String, found an Int"
    ),
    Row(
      error: .decoding(path: "", expected: "[Post]", found: "nothing"),
      name: "decoding",
      code: nil,
      message: "expected [Post], found nothing",
      description: "decoding expected [Post], found nothing"
    ),
    Row(
      error: .image(found: "HTML"),
      name: "image",
      code: nil,
      message: "expected an image, found HTML",
      description: "image found HTML"
    ),
  ])
  func `each failure has a name, a code and a message`(row: Row) {
    #expect(row.error.name == row.name)
    #expect(row.error.code == row.code)
    #expect(row.error.message == row.message)
    #expect(row.error.description == row.description)
  }

  @Test func `control characters from outside are spelled out`() {
    let text = "\(RemoteError.decoding(path: "a\u{1b}[2J", expected: "Int", found: "\u{202e}x\n"))"
    #expect(text == #"decoding a\u{1B}[2J: expected Int, found \u{202E}x\n"#)
  }

  @Test func `two different failures are never the same`() {
    #expect(!isSameError(RemoteError.transport(.refused), RemoteError.transport(.reset)))
    #expect(isSameError(RemoteError.status(404), RemoteError.status(404)))
  }

  @Test(arguments: [true, false])
  func `a cancelled request cancels its load, if the policy knows cancellation`(knows: Bool) {
    let stage = Stage()
    stage.enter {
      var policy = LoadingPolicy.latest
      policy.knowsPlatformCancellation = knows
      let driver = LoadDriver<LoadableState<Int>>(policy: policy, clock: stage.clock)
      driver.start(()) { _ in throw TransportError.cancelled }
      #expect(stage.settle() == .idle)
      #expect(driver.state.isAbsent == knows)
      #expect(driver.state.isError == !knows)
    }
    #expect(isCancellation(TransportError.cancelled))
    #expect(isCancellation(RemoteError.transport(.cancelled)))
    #expect(!isCancellation(TransportError.timedOut))
  }
}
