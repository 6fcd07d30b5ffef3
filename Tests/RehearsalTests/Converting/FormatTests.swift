import Converting
import Script
import Testing

@testable import Harness
@testable import Rehearsal

/// The canonical spelling of transcripts and scripts.
@Suite struct FormatTests {
  private func formatted(_ text: String, _ path: String = "a.transcript") throws -> String {
    let kind = try #require(CanonicalText.Kind(ofFile: path))
    let canonical = CanonicalText(
      path: path,
      bytes: Array(text.utf8),
      kind: kind,
      table: ShellCommands.table
    )
    return String(decoding: canonical.bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      ("load   profile\t\"a  b\"  after 1s  ", "load profile \"a  b\" after 1s"),
      ("  load profile 1", "load profile 1"), ("wait 1.50s", "wait 1.5s"),
      ("wait 2.0min", "wait 2m"), ("wait 1000ms", "wait 1000ms"), ("wait 20us", "wait 20us"),
      ("load p {\"a\":1,\"b\" : [ 1,2 ]}", "load p {\"a\": 1, \"b\": [1, 2]}"),
      ("load p \"a,b:c\"", "load p \"a,b:c\""), ("now   #why  not", "now # why  not"),
      ("load p [\n  1,2 \n]", "load p [\n  1, 2\n]"), ("show #1", "show #1"),
      ("at 1s   load  p  1", "at 1s load p 1"), ("no  such command", "no  such command"),
      ("load  p  after", "load  p  after"), ("", ""), ("  # x", "  # x"),
      ("route GET  /a?b=\"c  200", "route GET  /a?b=\"c  200"),
    ]
  )
  func `a command gets its canonical spelling, or stays as it is if it is invalid`(
    text: String,
    expected: String
  ) {
    let spelling = Spelling(of: text, table: ShellCommands.table)

    #expect(spelling.text == expected)
    #expect(Spelling(of: expected, table: ShellCommands.table).replaced.isEmpty)
  }

  @Test func `trailing blanks, carriage returns and superfluous blank lines are removed`() throws {
    let text =
      "\u{FEFF}\r\n\n#Why  \r\n\r\n\r\n>  now  \r\n  0.000s  \r\n \r\n\r\n> wait  1s\n. \n\n"

    #expect(try formatted(text) == "# Why\n\n> now\n  0.000s  \n\n> wait 1s\n.\n")
  }

  @Test func `fixture files stay as they are`() throws {
    let files = "-- a.json --\r\n\r\n\r\n{ }  \r\n> wait   1s"

    #expect(try formatted("> now\n  0.000s\n\n\n\n" + files) == "> now\n  0.000s\n\n" + files)
  }

  @Test func `a command that its output repeats stays as it is`() throws {
    let text = "> cancel   profle\n  error: no member\n    cancel   profle\n             ^~~~~~\n"

    #expect(try formatted(text) == text)
  }

  @Test func `a truncated repetition in the output does not change the whole command`() throws {
    let beginning = "load a \"" + String(repeating: "x", count: 52)
    let undone = "\n> undo\n  undone: \(beginning)…\n"

    #expect(
      try formatted("> \(beginning)xx\"  after   1s" + undone)
        == "> \(beginning)xx\" after 1s" + undone
    )
  }

  @Test(arguments: [
    "> load\ta 1\n> undo\n  undone: load\\ta 1\n",
    "> load  a \"\(String(repeating: "x", count: 60))\"\n> undo\n"
      + "  undone: load  a \"\(String(repeating: "x", count: 50))…\n",
    "> always  a loaded \"\(String(repeating: "x", count: 90))\"\n> load a 1\n"
      + "  error: 'always  a loaded \"\(String(repeating: "x", count: 62))…' is violated at 0.000s: a is 1\n",
    "> load\u{1}a 1\n> undo\n  undone: load\\u{1}a 1\n",
    "> load\ta 1\n  error: no member\n    load\\ta 1\n          ^\n",
    "> load\ta 1\n  [..]load\\t[..]\n", "> load\ta 1\n  {{.*}}load\\ta 1\n",
    "> load p [\n. 1, 2 \n. ]\n> undo\n  undone: load p [\\n1, 2 \\n]\n",
  ])
  func `a command that its output repeats with escaped controls stays as it is`(
    text: String
  ) throws {
    #expect(try formatted(text) == text)
  }

  @Test(arguments: [
    ("  error: [..]\n  ...\n             ^~~~~~\n", false),
    ("  {{.*}}\n  [..]\n             ^~~~~~\n", false), ("  ...\n             ^~~~~~\n", false),
    ("  error: no member\n    cancel   [..]\n  ...\n", false), ("  ...\n", true),
    ("  ...\n  [..]cancel   [..]\n  ...\n", false), ("  ...\n  {{.*}}l   profle\n", false),
    ("  error: [..]\n    cancel [..]\n  ...\n", true), ("  [..]\n", true),
  ])
  func `a command that its output repeats after a pattern stays where that is visible`(
    output: String,
    isFormatted: Bool
  ) throws {
    let formatted = try formatted("> cancel   profle\n" + output)

    #expect(formatted == (isFormatted ? "> cancel profle\n" : "> cancel   profle\n") + output)
  }

  @Test func `only code blocks change in Markdown`() throws {
    let text =
      "a  \r\n\r\n\r\n- b\r\n\r\n  ```transcript\r\n  > now  \r\n\r\n\r\n    0.000s\r\n  ```\r\n  \r\n"
    let expected =
      "a  \r\n\r\n\r\n- b\r\n\r\n  ```transcript\r\n  > now\r\n\r\n    0.000s\r\n  ```\r\n  \r\n"

    #expect(try formatted(text, "a.md") == expected)
    #expect(try formatted("```transcript Other\n>  now\n```\n", "a.md").contains(">  now"))
  }

  @Test func `a script has one command per line, and comments`() throws {
    let text = "\n#!x\n#y\n\n\n  now\nload  p {\n  \"a\":1\n}  #z\n\nload q ["

    #expect(
      try formatted(text, "a.rehearse")
        == "#!x\n# y\n\nnow\nload p {\n  \"a\": 1\n} # z\n\nload q [\n"
    )
  }

  @Test func `a transcript with a stray line is named and stays as it is`() {
    let text = "> now  \n<<<<<<< ours\n"
    let canonical = CanonicalText(
      path: "a",
      bytes: Array(text.utf8),
      kind: .transcript,
      table: ShellCommands.table
    )

    #expect(canonical.bytes == Array(text.utf8))
    #expect(canonical.failures.map(\.line) == [2])
  }

  // MARK: Properties of all transcripts

  @Test(arguments: Transcripts.in("transcripts"))
  func `our transcripts are canonical`(transcript: Transcript) {
    let kind = CanonicalText.Kind.transcript
    let canonical = CanonicalText(
      path: transcript.path,
      bytes: transcript.bytes,
      kind: kind,
      table: ShellCommands.table
    )

    #expect(canonical.bytes == transcript.bytes)
  }

  @Test(arguments: Transcripts.in("transcripts"))
  func `a transcript with careless spelling is formatted to the original`(transcript: Transcript) {
    var random = SeededBlanks(seed: UInt64(transcript.bytes.count))
    let careless = transcript.rewritten { random.careless($0) }
    let canonical = CanonicalText(
      path: transcript.path,
      bytes: careless,
      kind: .transcript,
      table: ShellCommands.table
    )

    #expect(careless != transcript.bytes)
    #expect(
      String(decoding: canonical.bytes, as: UTF8.self)
        == String(decoding: transcript.bytes, as: UTF8.self)
    )
  }
}
