import Foundation
import Testing

/// Streams that are closed, limits, and arguments that are no text.
@Suite struct BadStreamsTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  @Test func `a recording is not read as what somebody types where input is closed`() throws {
    let outcome = try place.rehearse("record", "a.transcript", after: " <&- 2>&-")

    #expect(outcome.code == 0)
    #expect(outcome.output == "  recording to a.transcript\n")
    #expect(place.read("a.transcript") == "")
  }

  @Test func `no file is written into by a message where the streams are closed`() throws {
    try place.write("a.transcript", "> now\n  1.000s\n")
    let outcome = try place.rehearse("test", "--update", "a.transcript", after: " <&- >&- 2>&-")

    #expect(outcome.code == 3)
    #expect(place.read("a.transcript") == "> now\n  0.000s\n")
  }

  @Test(arguments: ["json", "tap", "plain"])
  func `reports in files are written where standard output cannot be`(form: String) throws {
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

  @Test func `a limit of sizes is like a full disk: the old file stays, and nothing is beside it`()
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

  @Test func `an argument that is no text is refused, whatever its replacement names`() throws {
    try place.write("b\u{FFFD}.transcript", "> now\n  0.000s\n")
    let outcome = try place.rehearse(
      "test",
      before: "set -- \"$@\" \"$(printf 'b\\377.transcript')\"; "
    )

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: argument 2 is not UTF-8: 'b"))
  }
}
