import Loading
import RemoteLoading
import Testing

@testable import Rehearsal
@testable import Script

@Suite struct ErrorMatchingTests {
  private static let decoding = RemoteError.decoding(
    path: "[1].title",
    expected: "String",
    found: "an Int"
  )

  @Test(arguments: [
    (RemoteError.status(503), "http 503"),
    (.transport(.refused), "transport refused"),
    (.transport(.forbidden(host: "example.com")), "transport forbidden \"example.com\""),
    (
      .transport(.tooManyRedirects(["/a", "/b", "/a"])),
      "transport tooManyRedirects \"/a → /b → /a\""
    ),
    (
      .transport(.unmatched(request: "GET /pots", nearest: "GET /posts (path differs)")),
      "transport unmatched \"GET /pots; nearest is GET /posts (path differs)\""
    ),
    (.transport(.tooManyRedirects([])), "transport tooManyRedirects"),
    (decoding, "decoding \"[1].title: expected String, found an Int\""),
    (.image(found: "HTML"), "image \"HTML\""),
  ])
  func `a failure over HTTP prints in script syntax, and matches it`(
    error: RemoteError,
    text: String
  ) throws {
    #expect(errorText(error) == text)
    var parser = Parser(text, table: CommandTable([]))
    let spec = try parser.error().value
    #expect(spec.describes(error))
    #expect(errorText(spec.error) == text)
  }

  @Test func `no failure matches another one`() {
    let errors: [any Error] =
      [
        RemoteError.status(503), RemoteError.status(500), Self.decoding,
        RemoteError.decoding(path: "", expected: "Int", found: "null"),
        RemoteError.image(found: "HTML"), RemoteError.image(found: "JSON"), TimeoutError(),
        CancellationError(), InjectedError(spec: .text("http 503")),
        InjectedError(spec: .url("timedOut")),
      ] + ErrorSpec.transports.map { ErrorSpec.transport($0).error }
    for (index, error) in errors.enumerated() {
      let described = errors.indices.filter { ErrorSpec(error)?.describes(errors[$0]) == true }
      #expect(described == [index], "\(errorText(error))")
    }
  }

  @Test func `an injected failure over HTTP is the error that the library throws`() {
    #expect(ErrorSpec.http(503).error as? RemoteError == .status(503))
    for name in ErrorSpec.transports {
      guard case .transport(let error)? = ErrorSpec.transport(name).error as? RemoteError else {
        Issue.record("\(name)")
        continue
      }
      #expect(error.name == name)
    }
  }

  @Test func `URLSession errors print by their names`() {
    struct Failed: Error {
      var _domain: String { "NSURLErrorDomain" }
      var _code: Int { -1001 }
    }
    #expect(errorText(Failed()) == "url timedOut")
    #expect(ErrorSpec.url("timedOut").describes(Failed()))
    #expect(!ErrorSpec.url("cancelled").describes(Failed()))
  }

  @Test func `a cancelled transport is a cancellation`() {
    #expect(isCancellation(ErrorSpec.transport("cancelled").error))
    #expect(!isCancellation(ErrorSpec.transport("refused").error))
  }
}
