import Foundation
import PseudoTerminal
import Testing

/// The subcommands `format`, `new` and `import`.
@Suite struct ConvertingTests {
  private let place: Workplace

  init() throws { place = try Workplace() }

  // MARK: format

  @Test func `format rewrites files that are not canonical, and lists them`() throws {
    try place.makeFolder("transcripts")
    try place.write("transcripts/a.transcript", ">  now\n  0.000s\n")
    try place.write("transcripts/b.transcript", "> now\n  0.000s\n")
    try place.write("transcripts/c.rehearse", "wait   1s")
    let outcome = try place.rehearse("format")

    #expect(
      outcome.output == """
        formatted transcripts/a.transcript
        formatted transcripts/c.rehearse
        2 formatted, 1 as they were\n
        """
    )
    #expect(outcome.code == 0)
    #expect(place.read("transcripts/a.transcript") == "> now\n  0.000s\n")
    #expect(place.read("transcripts/c.rehearse") == "wait 1s\n")
    #expect(try place.rehearse("format", "--check").output == "")
  }

  @Test func `format --check names the line, writes nothing, and ends with code 1`() throws {
    try place.write("a.md", "Text  \n\n```transcript\n> now\n  0.000s\n> wait   1s\n```\n")
    let before = place.read("a.md")
    let outcome = try place.rehearse("format", "--check", "a.md")

    #expect(
      outcome.output == """
        a.md:6: not in its canonical spelling
        - > wait   1s
        + > wait 1s
        1 to be formatted, 0 as they were
        hint: 'rehearse format' with the same paths rewrites them\n
        """
    )
    #expect(outcome.code == 1)
    #expect(place.read("a.md") == before)
  }

  @Test func `format reads standard input and writes standard output`() throws {
    #expect(try place.rehearse("format", "-", input: "> now  \n").output == "> now\n")
    #expect(try place.rehearse("format", "-", input: "wait   1s").output == "wait 1s\n")
    #expect(try place.rehearse("format", "-", input: "\u{FEFF}> now  \n").output == "> now\n")
    let markdown = "```transcript\n> wait   1s\n```\n  x\n"
    #expect(
      try place.rehearse("format", "-", input: markdown).output
        == "```transcript\n> wait 1s\n```\n  x\n"
    )
  }

  @Test func `standard input with a stray line is refused`() throws {
    let outcome = try place.rehearse("format", "-", input: "> now\n=======\n")

    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("error: standard input:2: a merge conflict marker\n"))
    #expect(outcome.code == 2)
    let two = try place.rehearse("format", "-", "a", input: "")
    #expect(two.errors.contains("excludes other paths"))
  }

  @Test func `format prints objects for programs`() throws {
    try place.write("a.transcript", ">  now\n")
    let lines = try place.rehearse("format", "--check", "--json", "a.transcript").output
      .split(separator: "\n").dropFirst()

    #expect(
      lines == [
        #"{"type": "file", "path": "a.transcript", "line": 1, "written": false}"#,
        #"{"type": "end", "files": 1, "changed": 1, "problems": 0}"#,
      ]
    )
  }

  @Test(arguments: [
    (["none"], "cannot read 'none': there is no such file"), ([], "there is no folder"),
    (["bytes.transcript"], "bytes.transcript: line 1 is not UTF-8"),
    (["stray.transcript"], "stray.transcript:2: a merge conflict marker"),
    (["empty"], "no transcript and no script in empty"),
  ])
  func `a file that cannot be formatted is named and unchanged, with code 2`(
    paths: [String],
    words: String
  ) throws {
    try place.makeFolder("empty")
    try place.write("bytes.transcript", [0x3E, 0x20, 0xFF])
    try place.write("stray.transcript", "> now  \n<<<<<<< a\n")
    let outcome = try place.rehearse(["format"] + paths, input: [])

    #expect(outcome.errors.contains(words))
    #expect(outcome.code == 2)
    #expect(place.read("stray.transcript") == "> now  \n<<<<<<< a\n")
  }

  @Test func `errors of format have a hint, as text and as JSON`() throws {
    try place.write("a.transcript", ">now\n")
    let hint = "write '> ' or '. ', then the command"

    #expect(
      try place.rehearse("format", "a.transcript").errors
        == "error: a.transcript:1: no space after the prompt\nhint: \(hint)\n"
    )
    let json = try place.rehearse("format", "--json", "a.transcript").output
    #expect(json.contains("\"hint\": \"\(hint)\""))
    let input = try place.rehearse("format", "--check", "-", input: "> now\n>now\n")
    #expect(input.errors.hasPrefix("error: standard input:2: "))
  }

  @Test func `links that form a cycle are followed once`() throws {
    try place.makeFolder("t")
    try place.write("t/a.transcript", ">  now\n")
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "/t/t",
      withDestinationPath: "."
    )

    #expect(
      try place.rehearse("format", "t").output.hasPrefix("formatted t/a.transcript\n1 formatted, 0")
    )
  }

  // MARK: new

  @Test(arguments: ["loadable", "process", "http", "pipe", "empty"])
  func `every template is a canonical transcript that passes`(template: String) throws {
    let made = try place.rehearse("new", "area/first", "--template", template)
    let path = "transcripts/area/first.transcript"

    #expect(made.code == 0)
    #expect(made.output.contains("wrote \(path), "))
    #expect(made.output.hasSuffix("write their output:\n  rehearse test --update \(path)\n"))
    #expect(place.read(path).hasPrefix("# "))
    #expect(!place.read(path).contains("  error: "))
    #expect(try place.rehearse("test").code == 0)
    #expect(try place.rehearse("format", "--check").code == 0)
  }

  @Test func `new can start with a scene of the program`() throws {
    #expect(try place.rehearse("new", "a", "--scene", "store").code == 0)
    #expect(place.read("transcripts/a.transcript").contains("\n> scene store\n  "))
    #expect(try place.rehearse("test").code == 0)
    let outcome = try place.rehearse("new", "b", "--scene", "stor")
    #expect(outcome.code == 2)
    #expect(outcome.errors == "error: there is no scene 'stor'\nhint: did you mean 'store'?\n")
  }

  @Test(arguments: ["../a", "/a", "a//b", "", "a/../b", "a\u{7}", "."])
  func `a name outside of the folder is refused`(name: String) throws {
    let outcome = try place.rehearse("new", name)

    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("is not a valid file name in 'transcripts'"))
    #expect(try place.names() == [])
  }

  @Test(arguments: [".a", "a/.b", ".a/b"])
  func `a name that test would ignore is refused`(name: String) throws {
    let outcome = try place.rehearse("new", name)

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: '\(name)' would not be replayed: "))
    #expect(try place.names() == [])
  }

  @Test func `the help of new has an example with a scene of the program`() throws {
    let help = try place.rehearse("help", "new").output
    let example = try #require(
      help.split(separator: "\n").first { $0.contains(" --scene ") && $0.contains("/first") }
    )
    let words = example.split(separator: " ").map(String.init).dropFirst()

    #expect(try place.rehearse(Array(words), input: []).code == 0)
  }

  @Test func `the command that new prints can be pasted into a shell`() throws {
    let made = try place.rehearse("new", "with blank")
    #expect(
      made.output.hasSuffix("\n  rehearse test --update 'transcripts/with blank.transcript'\n")
    )
  }

  @Test func `new replaces no file, and finds the existing folder`() throws {
    try place.makeFolder("Transcripts")
    try place.write("Transcripts/a.transcript", "mine")
    let outcome = try place.rehearse("new", "Transcripts/a.transcript")

    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("error: 'Transcripts/a.transcript' already exists\n"))
    #expect(place.read("Transcripts/a.transcript") == "mine")
  }

  @Test func `new does not replace a file that appears meanwhile`() throws {
    let place = try Workplace(program: "TroubleShell")
    let outcome = try place.rehearse("new", "taken", "--scene", "squatter")

    #expect(
      outcome.errors == """
        error: 'transcripts/taken.transcript' already exists
        hint: choose another name\n
        """
    )
    #expect(outcome.output == "")
    #expect(outcome.code == 2)
    #expect(place.read("transcripts/taken.transcript") == "mine")
    #expect(try place.names() == ["transcripts"])
  }

  @Test(arguments: [["new"], ["import", "-", "-o"]])
  func `a file that cannot be written leaves no folders`(words: [String]) throws {
    let name = "a/b/" + String(repeating: "n", count: 300) + ".transcript"
    let outcome = try place.rehearse(words + [name], input: Array("> now\n".utf8))

    #expect(outcome.code == 3)
    #expect(outcome.errors.contains("cannot write"))
    #expect(try place.names() == [])
  }

  // MARK: import

  @Test func `on a terminal, import escapes characters that change the direction of text`() throws {
    let place = try Workplace()
    try place.write("paste.txt", "> # \u{202E}a\n> now\n  0.000s\n")
    let terminal = try place.terminal(["import", "paste.txt"])
    #expect(try terminal.waitForExit() == 0)

    let shown = terminal.screen.text.joined(separator: "\n")
    #expect(shown.contains("\\u{202E}a"))
    #expect(!shown.contains("\u{202E}"))
    #expect(try place.rehearse("import", "paste.txt").output.contains("\u{202E}"))
  }

  @Test func `import prints a transcript, and counts matching commands`() throws {
    let paste = "$ rehearse\n> now\n  0.000s\n> wait 1s\n> now\n  2.000s\n"
    let outcome = try place.rehearse("import", input: paste)

    #expect(outcome.output == "# ? $ rehearse\n> now\n  0.000s\n> wait 1s\n> now\n  2.000s\n")
    #expect(
      outcome.errors == """
        imported 3 commands; replayed, 2 of 3 print the same
        note: line 1 not understood; look for '# ?'\n
        """
    )
    #expect(outcome.code == 0)
    let checked = try place.rehearse("import", "--check", input: paste)
    #expect(checked.errors.contains("imported.transcript:6: output differs"))
    #expect(checked.code == 1)
  }

  @Test func `import restores lost blanks from the replay`() throws {
    let shown = try place.rehearse(input: "loadable n\nload n 1 after 1s\nshow n\n").output
    let lost = shown.split(separator: "\n").map { $0.drop { $0 == " " } + "\n" }.joined()
    #expect(lost.contains("\n0.000s  n  absent → loading #1\n> show n\nn\nstate     loading #1\n"))

    let printed = try place.rehearse("import", "--check", input: lost)
    #expect(printed.output == shown)
    #expect(printed.errors == "imported 3 commands; replayed, 3 of 3 print the same\n")
    #expect(printed.code == 0)
    #expect(try place.rehearse("import", "-o", "a.transcript", input: lost).code == 0)
    #expect(place.read("a.transcript") == shown)
    #expect(try place.rehearse("import", "--json", input: lost).output.contains("\"differing\": 0"))
  }

  @Test func `import writes a new file and replaces none`() throws {
    try place.write("paste", "rehearse> now\n  0.000s\n")
    let first = try place.rehearse("import", "paste", "-o", "t/a.transcript")

    #expect(first.output == "")
    #expect(place.read("t/a.transcript") == "> now\n  0.000s\n")
    #expect(try place.rehearse("import", "paste", "-o", "t/a.transcript").code == 2)
    let other = try place.rehearse("import", "paste", "-o", "a.txt")
    #expect(other.errors.hasPrefix("error: 'a.txt' does not end in '.transcript'\nhint: "))
    #expect(other.code == 2)
    let empty = try place.rehearse("import", input: "hello\n")
    #expect(empty.errors.hasPrefix("error: there is no command in standard input\n"))
    #expect(empty.code == 2)
  }

  @Test func `a recording with a damaged line is imported, and the line is named`() throws {
    try place.write(
      "a.cast",
      "{\"version\": 2}\n[broken\n[1, \"o\", \"> now\\r\\n  0.000s\\r\\n\"]\n"
    )
    let outcome = try place.rehearse("import", "a.cast")

    #expect(outcome.output == "> now\n  0.000s\n")
    #expect(outcome.errors.hasPrefix("note: line 2 of the recording cannot be read\nimported 1 "))
    #expect(outcome.code == 0)
  }

  @Test func `a transcript that crashes is still printed and written by import`() throws {
    let paste = "> simulate crash\n  x\n> now\n  0.000s\n"
    let printed = try place.rehearse("import", input: paste)

    #expect(printed.output == paste)
    #expect(
      printed.errors.hasPrefix(
        "imported 2 commands; the replay ended in 'simulate crash': crashed, by "
      )
    )
    #expect(printed.code == 0)
    #expect(try place.rehearse("import", "--check", input: paste).code == 1)
    #expect(try place.rehearse("import", "-o", "a.transcript", input: paste).code == 0)
    #expect(place.read("a.transcript") == paste)
  }

  @Test(arguments: [
    "  error: [..]\n  ...\n", "  {{error.*}}\n  [..]\n", "  error: {{.*}}\n  ...\n",
  ])
  func `format does not change a command whose output may repeat it`(hidden: String) throws {
    let text =
      "> loadable feed\n> load feed 1\n  ...\n> expect feed    loaded   2\n"
      + "\(hidden)                   ^~~~~~~~~~\n"
    try place.write("a.transcript", text)
    #expect(try place.rehearse("test", "a.transcript").code == 0)
    #expect(try place.rehearse("format", "--check", "a.transcript").code == 0)
    try place.write("b.transcript", "> now\n  [..]\n> wait   1s\n")
    _ = try place.rehearse("format", "b.transcript")
    #expect(place.read("b.transcript") == "> now\n  [..]\n> wait 1s\n")
  }
}
