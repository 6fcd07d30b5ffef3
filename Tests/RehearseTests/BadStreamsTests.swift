import Foundation
import Testing

/// Closed streams, limits, and arguments that are not UTF-8.
@Suite struct BadStreamsTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `with input closed, a recording is not read as input`() throws {
    let outcome = try place.rehearse("record", "a.transcript", after: " <&- 2>&-")

    #expect(outcome.code == 0)
    #expect(outcome.output == "  recording to a.transcript\n")
    #expect(place.read("a.transcript") == "")
  }

  @Test func `with closed streams, messages do not overwrite files`() throws {
    try place.write("a.transcript", "> now\n  1.000s\n")
    let outcome = try place.rehearse("test", "--update", "a.transcript", after: " <&- >&- 2>&-")

    #expect(outcome.code == 3)
    #expect(place.read("a.transcript") == "> now\n  0.000s\n")
  }

  @Test(arguments: ["json", "tap", "plain"])
  func `reports in files are written if standard output is closed`(form: String) throws {
    try place.write("a.transcript", "> now\n  0.000s\n")
    let outcome = try place.rehearse(
      ["test", "--reporter", form, "--reporter", "junit=all.xml", "a.transcript"],
      input: [],
      after: " >&-"
    )

    #expect(outcome.code == 3)
    #expect(outcome.errors.hasPrefix("error: cannot write the output: "))
    #expect(place.read("all.xml").contains(" tests=\"1\" failures=\"0\""))
  }

  @Test func `a file size limit keeps the old file and leaves no temporary file`()
    throws
  {
    let text = "> now\n  1.000s\n" + String(repeating: "> now\n  0.000s\n", count: 200)
    try place.write("a.transcript", text)
    let outcome = try place.rehearse(
      "test",
      "--no-history",
      "--update",
      "a.transcript",
      before: "ulimit -f 1; "
    )

    #expect(outcome.code == 3)
    #expect(outcome.output.hasPrefix("a.transcript: file too large\n"))
    #expect(place.read("a.transcript") == text)
    #expect(try place.names().filter { $0.hasSuffix(".new") } == [])
  }

  @Test func `an argument that is not UTF-8 is refused`() throws {
    try place.write("b\u{FFFD}.transcript", "> now\n  0.000s\n")
    let outcome = try place.rehearse(
      "test",
      before: "set -- \"$@\" \"$(printf 'b\\377.transcript')\"; "
    )

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: argument 2 is not UTF-8: 'b"))
  }
}
