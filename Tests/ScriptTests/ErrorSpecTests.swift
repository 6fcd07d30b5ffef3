import Testing

@testable import Script

@Suite struct ErrorSpecTests {
  @Test(arguments: [
    ("\"boom\"", ErrorSpec.text("boom")), ("url timedOut", .url("timedOut")),
    ("http 503", .http(503)),
    ("transport refused", .transport("refused")),
    ("transport forbidden", .transport("forbidden")),
    ("transport forbidden \"example.com\"", .transport("forbidden", detail: "example.com")),
    (
      "decoding \"[1].title: expected String, found an Int\"",
      .decoding("[1].title: expected String, found an Int")
    ),
    ("image \"HTML\"", .image("HTML")), ("timeout", .timeout), ("cancellation", .cancellation),
    ("CancelLoadable", .control(.cancelLoadable)),
  ])
  func `an error prints as it is written`(text: String, spec: ErrorSpec) throws {
    #expect(try error(text) == spec)
    #expect(spec.text == text)
  }

  @Test func `every name of an error parses to that error`() throws {
    for code in ErrorSpec.urlCodes { #expect(try error("url \(code.name)") == .url(code.name)) }
    for name in ErrorSpec.transports {
      #expect(try error("transport \(name)") == .transport(name))
    }
    #expect(Set(ErrorSpec.urlCodes.map(\.code)).count == ErrorSpec.urlCodes.count)
  }

  @Test(arguments: [
    (
      "transport refuse", "expected a failed transport, like refused, but found 'refuse'",
      "did you mean 'refused'?"
    ),
    (
      "transport xyzzy", "expected a failed transport, like refused, but found 'xyzzy'",
      "'help errors' lists them"
    ),
    ("transport refused \"x\"", "did not expect '\"' here", nil),
    ("http 99", "'99' is not a whole number from 100 to 599", nil),
    ("image", "expected the format of the body, but the command ends here", nil),
  ])
  func `an unknown error is named`(text: String, sentence: String, hint: String?) {
    #expect { try error(text) } throws: {
      let diagnostic = $0 as? Diagnostic
      return diagnostic?.problem.sentence == sentence && diagnostic?.hint == hint
    }
  }

  @Test func `a transport error without detail matches every detail, and a detail only itself`() {
    let one = ErrorSpec.transport("forbidden", detail: "a")
    #expect(ErrorSpec.transport("forbidden").covers(one) && one.covers(one))
    #expect(
      !one.covers(.transport("forbidden", detail: "b")) && !one.covers(.transport("forbidden"))
    )
    #expect(!ErrorSpec.transport("refused").covers(one) && !ErrorSpec.http(500).covers(.http(503)))
  }

  private func error(_ text: String) throws(Diagnostic) -> ErrorSpec {
    try read(text) { parser throws(Diagnostic) in try parser.error().value }
  }
}
