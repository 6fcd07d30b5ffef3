import HTTPTypes
import Loading
import MockHTTP
import RehearsalBase
import RemoteLoading
import Testing

/// Files that are not HAR or are damaged.
@Suite struct TrafficProblemTests {
  private func problem(_ text: String) throws -> HARProblem {
    let error = #expect(throws: HARProblem.self) { try Traffic(har: Array(text.utf8)) }
    return try #require(error)
  }

  @Test(arguments: [
    ("", "the file is empty"), (" \n", "the file is empty"),
    ("hello", "line 1, column 1: expected a JSON value, but found 'hello'"),
    ("[]", "line 1, column 1: expected an object, found an array"),
    ("{}", "line 1, column 1: not a HAR file: there is no 'log'"),
    (#"{"log": {}}"#, "line 1, column 9 (log): not a HAR file: there is no 'log.entries'"),
    (
      "{\"log\": {\n \"entries\": 7}}",
      "line 2, column 13 (log.entries): expected an array, found a number"
    ),
    (
      #"{"log": {"entries": [{}]}}"#,
      "line 1, column 22 (log.entries[0]): not a HAR file: there is no 'request'"
    ),
    (
      #"{"log": {"entries": [{"request": {"method": "GET"}}]}}"#,
      "line 1, column 34 (log.entries[0].request): not a HAR file: there is no 'request.url'"
    ),
    (
      #"{"log": {"entries": [{"request": {"method": 1}}]}}"#,
      "line 1, column 45 (log.entries[0].request.method): expected a text, found a number"
    ),
    (
      #"{"é": 1, "log": {"entries": [}"#,
      "line 1, column 30 (log.entries[0]): expected a JSON value, but found '}'"
    ),
    (#"{"log": {"entries": []}} x"#, "column 26: unexpected text after the value"),
    (#"{"a": tru}"#, "expected a JSON value, but found 'tru'"),
    (#"{"log": 01}"#, "expected an object, found a number"),
    (#"{"a": 01}"#, "'01' is not a number"),
    (#"{"a": "\x"}"#, "there is no escape '\\x'"),
    (#"{"a": "\u12g4"}"#, "'\\u' must be followed by four hexadecimal digits"),
    ("{\"a\": \"\n\"}", "a text contains a control character"),
    (#"{"a" 1}"#, "expected ':' between name and value"),
    (#"{"a": 1 "b": 2}"#, "expected ',' or '}'"),
    (#"{a: 1}"#, "a field name must be in quotes"),
  ])
  func `a mistake has a location`(text: String, sentence: String) throws {
    #expect(try problem(text).description.contains(sentence))
  }

  @Test func `a body that is not base64 in the only entry is a mistake with a location`() throws {
    let content = #"{"text": "a*b", "encoding": "base64"}"#
    let text = String(decoding: HAR.log(HAR.entry(content: content)), as: UTF8.self)

    let problem = try problem(text)

    #expect(problem.place?.path == "log.entries[0].response.content")
    #expect(problem.reason == .malformed("the body is not base64, although 'encoding' says so"))
  }

  @Test(arguments: [
    HAR.entry(content: #"{"text": "a*b", "encoding": "base64"}"#), "{}", "7",
    #"{"request": {"method": 1, "url": {"a": [1, "]"]}}}"#,
  ])
  func `a malformed entry is skipped`(entry: String) throws {
    let traffic = try Traffic(har: HAR.log(HAR.entry("PUT"), entry, HAR.entry("POST")))

    #expect(traffic.exchanges.map(\.request.head.method) == [.put, .post])
    #expect(traffic.leftOut == [.unreadable: 1])
  }

  @Test func `many malformed entries take linear time`() throws {
    let start = #"{"log": {"entries": [{"request": {"method": "GET", "url": "http://a/"}}"#
    let bytes = Array((start + String(repeating: ",{}", count: 50_000) + "]}}").utf8)

    let traffic = try Traffic(har: bytes)

    #expect(traffic.leftOut[.unreadable] == 50_000)
  }

  @Test func `a mistake after a malformed entry has a location`() throws {
    let text = #"{"log": {"entries": [{}, {"a" 1}]}}"#

    #expect(try problem(text).description.contains("column 31 (log.entries[1]): expected ':'"))
  }

  @Test func `a truncated file is never read as complete`() throws {
    let whole = HAR.log(
      HAR.entry(
        headers: "[\(HAR.field("a", "b"))]",
        content: #"{"size": 2, "text": "\u00e9", "encoding": null}"#
      )
    )
    for length in 1..<whole.count {
      let error = #expect(throws: HARProblem.self) { try Traffic(har: Array(whole[..<length])) }
      #expect(error?.reason == .truncated, "cut after \(length) bytes")
      #expect(error?.hint == "save the file again: it is incomplete")
    }
  }

  @Test(arguments: ["[", "{\"a\":"])
  func `nesting is bounded`(opening: String) throws {
    let text = "{\"a\": " + String(repeating: opening, count: 100_000)

    #expect(try problem(text).reason == .nestedTooDeep(limit: 512))
  }

  @Test func `another encoding is named in the problem`() throws {
    let bytes: [UInt8] = [0xFF, 0xFE] + "{\"log\"".utf8.flatMap { [$0, 0] }

    let error = #expect(throws: HARProblem.self) { try Traffic(har: bytes) }

    #expect(error?.reason == .encoding("UTF-16"))
  }

  @Test func `a file that is too large is rejected before reading`() throws {
    let bytes = [UInt8](repeating: 0x20, count: Traffic.limitInBytes + 1)

    let error = #expect(throws: HARProblem.self) { try Traffic(har: bytes) }

    #expect(error?.description == "larger than 100 MB")
    #expect(error?.hint?.contains("filter") == true)
  }

  /// Every mutation of a good file ends in a result or a problem.
  @Test func `a damaged file is read or rejected without a crash`() {
    var random = SplitMix64(seed: 7)
    let whole = HAR.log(
      HAR.entry("POST", post: #"{"text": "a=b"}"#, content: HAR.json(#"{"a": ["\u00e9", 1.5e3]}"#)),
      HAR.entry(status: 302, content: #"{"text": "aGk=", "encoding": "base64"}"#)
    )
    var refused = 0
    for _ in 0..<1000 {
      var bytes = whole
      for _ in 0...random.next() % 3 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      do throws(HARProblem) {
        let result = try Traffic(har: bytes).makeRoutes()
        #expect(result.routes.allSatisfy { !$0.answers.isEmpty })
      } catch { refused += 1 }
    }
    #expect((1..<1000).contains(refused))
  }
}
