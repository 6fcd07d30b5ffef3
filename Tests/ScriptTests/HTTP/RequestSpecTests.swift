import HTTPTypes
import MockHTTP
import Testing

@testable import Script

@Suite struct RequestSpecTests {
  @Test(arguments: [
    ("/posts", "GET /posts"), ("DELETE /posts/1", "DELETE /posts/1"),
    ("/a%20b?q=é", "GET /a%20b?q=%C3%A9"),
    ("https://Example.com/x?y=1", "GET https://example.com/x?y=1"),
    ("http://localhost:8080", "GET http://localhost:8080/"),
    ("http://localhost:8080?a", "GET http://localhost:8080/?a"),
    (
      "/login sending json {\"n\":1.50} with Accept \"text/html\"",
      "POST /login sending json {\"n\": 1.50} with Accept \"text/html\""
    ),
    ("PUT /a over socket sending text \"hi\"", "PUT /a sending text \"hi\" over socket"),
    ("/a sending [1]", "POST /a sending json [1]"),
    ("\"PURGE\" /a", "\"PURGE\" /a"),
  ])
  func `a request prints as it is written, in one order`(text: String, printed: String) throws {
    let spec = try request(text)
    #expect(spec.text == printed)
    #expect(try request(spec.text) == spec)
  }

  @Test func `a request ends before a word that is not one of its clauses`() throws {
    var parser = Parser("GET /posts with A \"b\" timeout 5s", table: CommandTable([]))
    let spec = try parser.requestSpec()
    #expect(spec.span == 0..<21)
    #expect(spec.value.headers.map(\.value) == ["b"])
    #expect(parser.isNext("timeout"))
  }

  @Test(arguments: [
    ("/users/{id}", "{", "not a path or an address: a request has no captures"),
    ("any /x", "any", "there is no method 'any'"),
    ("/x sending 1", "1", "expected 'json' or 'text', but found '1'"),
    ("/x over soket", "soket", "expected 'socket', but found 'soket'"),
    ("/x sending json 1 sending json 2", "sending", "'sending' is given twice"),
    ("/x over socket over socket", "over", "'over' is given twice"),
    ("/%G0", "%G0", "not a path or an address: two hexadecimal digits must follow '%'"),
  ])
  func `a mistake is named with its place`(text: String, place: String, sentence: String) {
    do throws(Diagnostic) {
      _ = try request(text)
      Issue.record("It was accepted.")
    } catch {
      #expect(error.problem.sentence == sentence)
      #expect(String(decoding: Array(text.utf8)[error.span], as: UTF8.self) == place)
    }
  }

  private func request(_ text: String) throws(Diagnostic) -> RequestSpec {
    try read(text) { parser throws(Diagnostic) in try parser.requestSpec().value }
  }
}
