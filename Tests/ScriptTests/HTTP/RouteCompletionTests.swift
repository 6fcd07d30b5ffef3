import Testing

@testable import Script

@Suite struct RouteCompletionTests {
  @Test(arguments: [
    ("route GET /x 200 jsn [1]", "did not expect 'jsn' here", "did you mean 'json'?"),
    ("route GET /x 200 gzip jsn [1]", "did not expect 'jsn' here", "did you mean 'json'?"),
    ("route GET /x 200 aftr 1s", "did not expect 'aftr' here", "did you mean 'after'?"),
    ("route GET /x 200 thn cycle", "did not expect 'thn' here", "did you mean 'then'?"),
    ("route GET /x never json 1", "did not expect 'json' here", nil),
  ])
  func `a misspelt word gets a suggestion`(
    text: String,
    sentence: String,
    hint: String?
  ) {
    #expect { try Script.read(text, table: Self.table) } throws: {
      let diagnostic = $0 as? Diagnostic
      return diagnostic?.problem.sentence == sentence
        && (hint == nil || diagnostic?.hint == hint)
    }
  }

  @Test func `an open bracket or quote of a body continues on the next line`() {
    for text in ["route /x 200 json [1,", "route /x 200 text \"a", "route /x 503, 200 {"] {
      #expect(Script.isUnfinished(text, table: Self.table), "\(text)")
    }
    #expect(!Script.isUnfinished("route /x/{id 200", table: Self.table))
  }

  @Test(arguments: [
    ("route ", ["any", "GET", "POST"]), ("route GET /x ", ["refused", "never"]),
    ("route GET /x 200 ", ["json", "text", "gzip", "with", "after", ",", "then", "for"]),
    ("route GET /x 200 json 1 ", ["gzip", "type", "chunked", "cut", "dripping"]),
    ("route GET /x 200 after 1s ", ["to", "json"]),
    ("route GET /x 200 then ", ["repeat", "cycle"]),
    ("route GET /x 200 body ", ["containing", "json"]),
  ])
  func `possible next words are offered`(text: String, words: [String]) {
    let offered = Script.expectations(at: text.utf8.count, in: text, table: Self.table)
    for word in words { #expect(offered.contains(.keyword(word)), "\(word)") }
  }

  @Test func `used words are not offered again`() {
    let text = "route GET /x 200 json 1 after 1s "
    let offered = Script.expectations(at: text.utf8.count, in: text, table: Self.table)
    #expect(!offered.contains(.keyword("text")) && !offered.contains(.keyword("after")))
  }

  private static let table = CommandTable([
    CommandDefinition(
      "route",
      topic: .loading,
      summary: "Routes.",
      arguments: [
        .slot(Slot("route", "ROUTE") { parser throws(Diagnostic) in try parser.route() })
      ],
      examples: []
    )
  ])
}
