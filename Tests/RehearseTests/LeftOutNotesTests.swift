import LibC
import LineEditing
import PseudoTerminal
import Testing

/// Work that is left out for an unusual reason is named: after an error, a `?`, a crash, an update.
@Suite struct LeftOutNotesTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  // MARK: Explore

  @Test func `a script that sources two files is explored`() throws {
    try place.write("x.rehearse", "loadable a\n")
    try place.write("y.rehearse", "loadable b\n")
    try place.write("s.rehearse", "source x.rehearse\nsource y.rehearse\nload a 1\nload b 1\n")
    let outcome = try place.rehearse("explore", "s.rehearse")

    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains(" runs of s.rehearse"), "\(outcome)")
  }

  @Test func `explore names a command that only lists its continuations`() throws {
    try place.write("s.rehearse", "loadable b\nload b 1 or fail \"x\" after 1s to 2s ?\nload b 1\n")
    let outcome = try place.rehearse("explore", "s.rehearse")

    #expect(
      outcome.output.contains("'load b 1 or fail \"x\" after 1s to 2s ?' has done nothing: '?'"),
      "\(outcome)"
    )
  }

  @Test(arguments: ["test", "explore"])
  func `what a sourced file does not perform after an error is named`(way: String) throws {
    try place.write("i.rehearse", "loadable a\nload a 5\nexpect a loaded 3\nexpect a loaded 77\n")
    try place.write(
      "s.transcript",
      """
      > source i.rehearse
           0.000s  a  absent → loading #1
           0.000s  a  loading #1 → loaded 5
        i.rehearse:3: error: expected a loaded 3, but it is loaded 5
        ...

      """
    )
    let outcome = try place.rehearse(way, "s.transcript")

    #expect(outcome.code == 0, "\(outcome)")
    let note = "i.rehearse ended at an error: 1 command is never performed: line 4"
    #expect((outcome.output + outcome.errors).contains(note), "\(outcome)")
  }

  @Test(arguments: ["run", "explore"])
  func `typing that is replaced is named`(way: String) throws {
    try place.write(
      "s.rehearse",
      "input a\nnever a \"abc\"\nenter a \"abc\" every 1s\nin 1500ms enter a \"x\"\nsettle\n"
    )
    let outcome = try place.rehearse(way, "s.rehearse")

    #expect(outcome.code == 0, "\(outcome)")
    let note = "1 key of 'a' never came, because of 'in 1500ms enter a \"x\"'"
    #expect((outcome.output + outcome.errors).contains(note), "\(outcome)")
  }

  @Test(arguments: ["run", "explore"])
  func `a part that no value has had is named`(way: String) throws {
    try place.write(
      "s.rehearse",
      "loadable a\nnever a map nmae loaded 1\nload a {\"name\": 1} after 1s\nsettle\n"
    )
    let outcome = try place.rehearse(way, "s.rehearse")

    let note = "no value has had the part of 'never a map nmae loaded 1'"
    #expect((outcome.output + outcome.errors).contains(note), "\(outcome)")
  }

  @Test func `a 'sometimes' that is forgotten before it held is named`() throws {
    try place.write(
      "s.rehearse",
      "loadable a\nsometimes a error\nforget assertion 1\nload a 1 or 2\n"
    )
    let outcome = try place.rehearse("explore", "s.rehearse")

    #expect(
      outcome.output.contains(
        "\nin the default schedule, 'sometimes a error' was forgotten before it held\n"
      ),
      "\(outcome)"
    )
  }

  @Test func `the report of a search has the notes about its corpus`() throws {
    try place.write("s.rehearse", "loadable a\n")
    try place.makeFolder("sessions/older")
    let search = ["explore", "s.rehearse", "--generate", "--schedules", "3"]
    let outcome = try place.rehearse(search + ["--corpus", "sessions", "--json"], input: [])
    try place.write("report.jsonl", outcome.output)
    let report = try place.rehearse("report", "report.jsonl")

    #expect(report.output.contains("sessions/older/ is not replayed"), "\(report)")
  }

  @Test func `a shorter script keeps the values of the command that fails`() throws {
    try place.write(
      "s.rehearse",
      "loadable cart: Int\nload cart 1 or 2 or 3 or 40 after 10ms\nsettle\nexpect cart not loaded 40\n"
    )
    let choice = try place.rehearse("explore", "s.rehearse")
    try place.write(
      "t.rehearse",
      """
      loadable profile
      load profile "Ann" after 100ms
      in 100ms cancel profile
      in 100ms load profile "Bob" after 50ms
      settle
      expect profile loaded "Ann"

      """
    )
    let plain = try place.rehearse("explore", "t.rehearse")

    #expect(choice.output.contains("\n> load cart 1 or 40\n"), "\(choice)")
    #expect(choice.output.contains("\n> expect cart not loaded 40\n"), "\(choice)")
    #expect(plain.output.contains("\n> expect profile loaded \"Ann\"\n"), "\(plain)")
  }

  // MARK: Test

  @Test(arguments: [
    ("in 5s expect a loaded 3", "'in 5s expect a loaded 3' was never performed"),
    ("eventually a loaded 3", "'eventually a loaded 3' was still open"),
    ("load a 1 after 1s interrupt after 1s do expect a loaded 3", "'expect a loaded 3' was never"),
  ])
  func `a transcript that expects a crash names what it has not performed`(
    command: String,
    text: String
  ) throws {
    let lines = "> loadable a\n> \(command)\n  ...\n> simulate crash\n  error: crashed, by a trap\n"
    try place.write("a.transcript", lines)
    let outcome = try place.rehearse("test", "a.transcript")

    #expect(outcome.code == 0, "\(outcome)")
    #expect((outcome.output + outcome.errors).contains("note: a.transcript: \(text)"), "\(outcome)")
  }

  @Test func `an update keeps the notes about a transcript`() throws {
    try place.write("a.transcript", "> loadable a\n> expect a loaded 3 ?\n  ...\n> load a 1\n")
    let outcome = try place.rehearse("test", "--update", "a.transcript")

    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("updated a.transcript"))
    #expect(
      (outcome.output + outcome.errors).contains("'expect a loaded 3 ?' has checked nothing"),
      "\(outcome)"
    )
  }

  @Test func `dots do not hide that a replayed transcript begins to fail`() throws {
    try place.write("b.transcript", "> now\n  1s\n")
    try place.write("a.transcript", "> test b.transcript\n  ...\n")
    let hidden = try place.rehearse("test", "a.transcript")
    #expect(hidden.code == 1)
    #expect(hidden.output.contains("no expected line shows it: 0 passed, 1 failed"), "\(hidden)")

    try place.write("a.transcript", "> test b.transcript\n  ...\n  0 passed, 1 failed\n")
    #expect(try place.rehearse("test", "a.transcript").code == 0)
  }

  @Test(arguments: ["...", "[..]", "{{ID}}"])
  func `a failure that only a pattern covers is not shown`(pattern: String) throws {
    let lines = "> loadable a\n> load a 1\n  ...\n> expect a loaded 2\n"
    try place.write("a.transcript", lines + "  \(pattern)\n  ...\n")
    for command in [["picture", "a.transcript", "-o", "a.svg"], ["explore", "a.transcript"]] {
      let outcome = try place.rehearse(command, input: [])
      #expect(outcome.code == 1, "\(outcome)")
    }
  }

  // MARK: The shell

  @Test(.enabled(if: LineEditor.isBuiltIn, "built without line editing"))
  func `the quit key ends the shell, even if Swift would write a backtrace`() throws {
    let terminal = try place.terminal(environment: ["SWIFT_BACKTRACE": "enable=yes"])
    try terminal.type("now\r")
    try terminal.wait(forLine: "  0.000s")
    try terminal.type("\u{1C}")
    #expect(try terminal.waitForExit() == -SIGQUIT)
  }
}
