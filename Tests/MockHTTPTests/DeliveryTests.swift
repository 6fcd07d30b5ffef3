import HTTPTypes
import MockHTTP
import RemoteLoading
import Testing

@Suite struct DeliveryTests {
  private func delivery(_ answer: ScriptedAnswer, _ line: String = "GET /a") throws
    -> Exchange.Delivery
  {
    try #require(MockServer(.on(nil, "/a", answer)).receive(line).delivery)
  }

  @Test(
    arguments: [
      (.text("x"), "text/plain; charset=utf-8"), (.json("[]"), "application/json"),
      (.status(200).bytes([1]), "application/octet-stream"),
      (.status(200).bytes([1], type: "image/png"), "image/png"),
      (.status(200).body(.init(.file(name: "a/feed.JSON", bytes: []))), "application/json"),
      (.status(200).body(.init(.file(name: "x", bytes: []))), "application/octet-stream"),
      (.status(200), nil), (.text("x").header("content-type", "text/csv"), "text/csv"),
    ] as [(ScriptedAnswer, String?)]
  )
  func `the body implies the content type, unless the route sets it`(
    answer: ScriptedAnswer,
    type: String?
  ) throws {
    #expect(try delivery(answer).head.headerFields[.contentType] == type)
  }

  @Test func `the length is announced, unless the body is sent in chunks`() throws {
    #expect(try delivery(.text("héllo")).head.headerFields[.contentLength] == "6")
    #expect(try delivery(200).head.headerFields[.contentLength] == "0")
    let chunked = try delivery(.text("hello").chunked())
    #expect(chunked.head.headerFields[.contentLength] == nil)
    #expect(chunked.isChunked)
  }

  @Test(arguments: [101, 204, 304])
  func `some statuses have no body`(status: Int) throws {
    let delivery = try delivery(.status(status).text("x").ending(.closed(afterBytes: 0)))
    #expect(delivery.body.isEmpty)
    #expect(delivery.head.headerFields.isEmpty)
    #expect(delivery.ending == .complete)
  }

  @Test func `framing fields of a route define the framing`() throws {
    let claiming = try delivery(.text("abc").header("Content-Length", "9"))
    #expect(claiming.ending == .claiming(bytes: 9))
    #expect(claiming.head.headerFields[values: .contentLength] == ["9"])
    let chunked = try delivery(.text("abc").header("Transfer-Encoding", "Chunked"))
    #expect(chunked.isChunked)
    #expect(chunked.head.headerFields[.transferEncoding] == nil)
  }

  @Test func `fields of one name are all sent, invalid names are not`() throws {
    let answer = ScriptedAnswer.status(200).header("Set-Cookie", "a=1").header("set-cookie", "b=2")
      .header("no name", "x")
    let fields = try delivery(answer).head.headerFields
    #expect(fields[values: .setCookie] == ["a=1", "b=2"])
    #expect(fields.count == 3)
  }

  @Test(.enabled(if: Gzip.isAvailable))
  func `a compressed body has an encoding and its compressed length`() throws {
    let text = String(repeating: "again ", count: 1_000)
    let delivery = try delivery(.text(text).compressed())
    #expect(delivery.head.headerFields[.contentEncoding] == "gzip")
    #expect(delivery.head.headerFields[.contentLength] == String(delivery.body.count))
    #expect(delivery.body.count < 100)
    #expect(try Gzip.decompress(delivery.body, limit: 10_000) == Array(text.utf8))
  }

  @Test func `filler has the requested length and is always the same`() throws {
    let answer = ScriptedAnswer.status(200).body(.init(.filler(bytes: 30)))
    #expect(
      try String(decoding: delivery(answer).body, as: UTF8.self) == "abcdefghijklmnopqrstuvwxyzabcd"
    )
  }

  @Test(arguments: [(3, [3, 6, 10]), (20, Array(1...10)), (1, [10]), (0, [10])])
  func `pieces are of about the same size, and never empty`(count: Int, ends: [Int]) throws {
    let delivery = try delivery(.text("0123456789").dripping(count, over: .seconds(6)))
    #expect(delivery.pieces.map(\.end) == ends)
    #expect(delivery.pieces.last?.time == .seconds(6))
  }

  @Test func `the number of pieces is bounded`() throws {
    let answer = ScriptedAnswer.status(200).body(.init(.filler(bytes: 1_000_000)))
    let pieces = try delivery(answer.dripping(.max, over: .seconds(1))).pieces
    #expect(pieces.count == 100_000)
    #expect(pieces.last?.end == 1_000_000)
  }
}
