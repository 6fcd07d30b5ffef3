import Foundation
import Testing

/// Tests of `rehearse har`, which converts a browser's recording into routes.
@Suite struct HarTests {
  private static let entries = [
    entry("https://api.example/posts", status: 503, body: "busy"),
    entry("https://api.example/posts", body: #"[{\"id\": 1}]"#, type: "application/json"),
    entry("https://api.example/me?token=abc", body: #"{\"password\": \"x\"}"#, type: "text/json"),
    entry("https://api.example/../../big", body: String(repeating: "x", count: 3000)),
    entry("data:,x"),
  ]

  private static func entry(
    _ url: String,
    status: Int = 200,
    body: String = "",
    type: String = "text/plain"
  ) -> String {
    """
    {"request": {"method": "GET", "url": "\(url)"},
     "response": {"status": \(status), "content": {"mimeType": "\(type)", "text": "\(body)"}},
     "timings": {"wait": 300, "receive": 1}}
    """
  }

  private static let har = #"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#

  private func place() throws -> Workplace {
    let place = try Workplace()
    try place.write("s.har", Self.har)
    return place
  }

  private static let comment = """
    # from s.har
    # 4 requests in 3 routes
    # hosts: api.example
    # left out: 1 not http or https
    # masked: 1 in queries, 1 in body fields

    """

  @Test func `routes are printed as commands after a summary`() throws {
    let outcome = try place().rehearse("har", "s.har")

    #expect(
      outcome.output == Self.comment + """
        route GET /posts 503 text "busy", 200 json [{"id": 1}] after 300ms
        route GET /me?token 200 json {"password": "masked"} type "text/json" after 300ms
        route GET /../../big 200 text "\(String(repeating: "x", count: 3000))" after 300ms

        """
    )
    #expect(outcome.errors == "")
    #expect(outcome.code == 0)
  }

  @Test func `the written file is a script with working routes`() throws {
    let place = try place()

    let written = try place.rehearse("har", "s.har", "--to", "api.rehearse")
    try place.write(
      "try.rehearse",
      place.read("api.rehearse")
        + "loadable n\nload n from /big\nsettle\nload n from /posts\nsettle"
    )
    let run = try place.rehearse("run", "try.rehearse")

    #expect(written.output.hasPrefix("wrote api.rehearse, and 1 file in its folder: 4 requests in"))
    #expect(try place.names() == ["api-001-big.txt", "api.rehearse", "s.har", "try.rehearse"])
    #expect(place.read("api-001-big.txt").utf8.count == 3000)
    #expect(place.read("api.rehearse").hasPrefix(Self.comment))
    #expect(run.code == 0, "\(run.output)")
    #expect(run.output.contains("http 503"))
  }

  @Test func `a body that is too long to print is named, with a hint`() throws {
    let place = try Workplace()
    let large = Self.entry("https://api.example/big", body: String(repeating: "x", count: 100_000))
    try place.write("s.har", #"{"log": {"entries": [\#(large)]}}"#)

    let outcome = try place.rehearse("har", "s.har")

    #expect(outcome.output.contains("route GET /big 200 file traffic-001-big.txt"))
    #expect(
      outcome.errors == """
        warning: traffic-001-big.txt is missing, because the body is too long to print
        hint: '--to' writes the files

        """
    )
    #expect(outcome.code == 0)
  }

  @Test func `a body of bytes is printed as base64`() throws {
    let place = try Workplace()
    let bytes = String(repeating: "AAAA", count: 100)
    let entry = Self.entry("https://api.example/i", body: bytes, type: "image/png")
      .replacing(#""text":"#, with: #""encoding": "base64", "text":"#)
    try place.write("s.har", #"{"log": {"entries": [\#(entry)]}}"#)

    let outcome = try place.rehearse("har", "s.har")

    #expect(outcome.output.contains(#"route GET /i 200 base64 "\#(bytes)" type "image/png""#))
    #expect(outcome.errors == "")
  }

  @Test func `secrets are kept on request`() throws {
    let outcome = try place().rehearse("har", "s.har", "--keep-secrets")

    #expect(outcome.output.contains("/me?token=abc"))
    #expect(outcome.output.contains(#"{"password": "x"}"#))
    #expect(!outcome.output.contains("masked"))
  }

  @Test func `existing files are only replaced with --force`() throws {
    let place = try place()
    for name in ["api.rehearse", "api-001-big.txt"] {
      try place.write(name, "mine")

      let refused = try place.rehearse("har", "s.har", "--to", "api.rehearse")

      #expect(refused.code == 2)
      #expect(
        refused.errors == "error: '\(name)' already exists\nhint: '--force' replaces it\n"
      )
      #expect(place.read(name) == "mine")
      unlink("\(place.path)/\(name)")
      #expect(try place.names() == ["s.har"])
    }
    try place.write("api.rehearse", "mine")

    #expect(try place.rehearse("har", "s.har", "--to", "api.rehearse", "--force").code == 0)
    #expect(place.read("api.rehearse").hasPrefix("# from"))
  }

  @Test func `bodies are not written through links`() throws {
    let place = try place()
    try place.write("precious", "mine")
    symlink("precious", "\(place.path)/api-001-big.txt")

    let outcome = try place.rehearse("har", "s.har", "--to", "api.rehearse", "--force")

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("'api-001-big.txt': it is not a regular file"))
    #expect(place.read("precious") == "mine")
    #expect(place.read("api.rehearse") == "")
  }

  @Test(arguments: [
    (["har"], "file"), (["har", "none"], "cannot read 'none': there is no such file"),
    (["har", "."], "this is a folder"), (["har", "s.har", "--force"], "--force needs --to"),
    (["har", "s.har", "--host", "x"], "hint: the hosts in it are api.example"),
    (["har", "cut.har"], "the file ends inside a value\nhint: save the file again"),
    (
      ["har", "empty.har"],
      "no request that could become a route\nhint: left out: 1 not http or https"
    ),
    (["har", "large.har"], "larger than 100 MB\nhint: filter the requests in the browser"),
  ])
  func `errors are named, and the code is 2`(
    arguments: [String],
    words: String
  ) throws {
    let place = try place()
    try place.write("cut.har", String(Self.har.prefix(100)))
    try place.write("empty.har", #"{"log": {"entries": [\#(Self.entry("data:,x"))]}}"#)
    try place.write("large.har", "{")
    truncate("\(place.path)/large.har", 500 << 20)

    let outcome = try place.rehearse(arguments, input: [])

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: "))
    #expect(outcome.errors.contains(words))
    #expect(outcome.output == "")
  }

  @Test func `a write error leaves no files, and the code is 3`() throws {
    let outcome = try place().rehearse("har", "s.har", "--to", "none/api.rehearse")

    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("cannot write 'none/api.rehearse': there is no folder 'none/'"))
  }

  @Test func `control characters in a name are escaped`() throws {
    let place = try Workplace()
    try place.write("a\u{1B}[2J\n.har", Self.har)

    let outcome = try place.rehearse("har", "a\u{1B}[2J\n.har")

    #expect(outcome.output.hasPrefix("# from a\\u{1B}[2J\\n.har\n# 4 requests"))
  }
}
