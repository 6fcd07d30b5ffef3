import Testing

@testable import Harness

@Suite struct TranscriptsParsingTests {
  @Test func `lines that end in carriage returns alone are reported once for the file`() {
    let failures = failures("> echo a\r  a\r")

    #expect(
      failures.map(\.message)
        == ["the lines of this file end in carriage returns without line feeds"]
    )
    #expect(failures.first?.acceptance == nil)
    #expect(
      HarnessTests.failures("> echo a\r\n  a\r\n> echo b\r").map(\.message) == ["output differs"]
    )
  }

  @Test func `the kind of a line follows from its start`() {
    let kinds = transcript("# why\n\n> one\n. two\n  out\n-- f --\nx\n").lines.map(\.kind)

    #expect(kinds == [.comment, .blank, .command, .continuation, .output, .fixture, .fixture])
  }

  @Test func `a command includes its continuation lines`() {
    let parsed = transcript("> one\n. two\n.\n.   three\n")

    #expect(parsed.blocks.map(parsed.command) == ["one\ntwo\n\n  three"])
  }

  @Test func `output keeps its indentation and trailing text`() {
    let parsed = transcript("> c\n     0.000s  x \t\n")
    let texts = parsed.expected(parsed.blocks[0]).map { String(decoding: $0.text, as: UTF8.self) }

    #expect(texts == ["   0.000s  x \t"])
  }

  @Test func `comments and blanks between lines of output do not end a block`() {
    #expect(failures("> lines a,b\n  a\n# note\n\n  b\n").isEmpty)
  }

  @Test(arguments: ["> echo a\r\n  a\r\n", "\u{FEFF}> echo a\n  a\n", "> echo a\n  a"])
  func `line ends of other systems and a missing last line end are accepted`(text: String) {
    #expect(failures(text).isEmpty)
  }

  @Test(arguments: [
    ("> a\n<<<<<<< mine\n", StrayLine.conflictMarker, 2),
    ("> a\n>>>>>>> theirs\n", .conflictMarker, 2),
    ("> a\n=======\n", .conflictMarker, 2),
    ("> a\n||||||||| base\n", .conflictMarker, 2),
    ("> a\n>>>>>>>>>>> theirs\n", .conflictMarker, 2),
    ("<<<<<<< mine\n> a\n  1\n=======\n> a\n>>>>>>> theirs\n", .conflict(lastLine: 6), 1),
    ("> a\n<<<<<<<<<\n>>>>>>> x\n=======\n>>>>>>>>>\n  1\n", .conflict(lastLine: 5), 2),
    (
      "> a\n<<<<<<< mine\n  1\n||||||| base\n\n=======\n-- f --\n>>>>>>> theirs\n",
      .conflict(lastLine: 8), 2
    ),
    (
      "> a\n<<<<<<< Conflict 1 of 1\n%%%%%%% Changes\n-  1\n+  2\n+++++++ Side\n  3\n>>>>>>> ends\n",
      .conflict(lastLine: 8), 2
    ),
    // Even in a fixture, which may contain any other line.
    ("> a\n-- f --\nx\n<<<<<<< mine\ny\n=======\nz\n>>>>>>> theirs\n", .conflict(lastLine: 8), 4),
    ("> a\nout\n", .unindented, 2),
    ("> a\n\tout\n", .indentedByTab, 2),
    ("> a\n out\n", .indentedByOne, 2),
    ("> a\n#expect(a == 1)\n", .swiftExpectation, 2),
    (">a\n", .joinedPrompt, 1),
    ("> a\n.b\n", .joinedPrompt, 2),
    ("> a\n...\n", .unindented, 2),
    (". b\n> a\n", .continuationAlone, 1),
    ("> a\n  x\n. b\n", .continuationAlone, 3),
    ("  x\n> a\n", .outputAlone, 1),
    ("> a\n-- ../f --\n", .outsideFixture("../f"), 2),
    ("> a\n-- /f --\n", .outsideFixture("/f"), 2),
    ("> a\n-- f --\n-- f --\n", .repeatedFixture("f"), 3),
    ("# as it was\n\nloadable a\nload a\n", .script, 3),
  ])
  func `an invalid line is reported`(text: String, problem: StrayLine, line: Int) {
    let first = failures(text).first

    #expect(first?.problem == .stray(problem))
    #expect(first?.line == line)
  }

  @Test func `a line that only looks like a conflict marker is part of a fixture`() {
    #expect(transcript("> a\n-- f --\n<<<<<<< x\n=======\n").strays.isEmpty)
  }

  @Test func `a transcript with an invalid line is not replayed`() {
    #expect(failures("> echo a\n  b\nstray\n").map(\.line) == [3])
  }

  @Test func `a script instead of a transcript is reported once`() {
    #expect(failures("loadable a\nload a\n").count == 1)
    #expect(failures("loadable a\n-- f --\nx\n").map(\.problem) == [.stray(.unindented)])
    #expect(
      failures("loadable a\n  x\n").map(\.problem) == [.stray(.unindented), .stray(.outputAlone)]
    )
  }

  @Test func `a transcript without a command fails`() {
    #expect(failures("# only a comment\n").map(\.problem) == [.noCommand])
  }

  @Test func `fixture files are kept byte for byte`() {
    let parsed = transcript("> a\n-- f --\none\r\n\n> not a command\n-- d/g --\nlast")

    #expect(parsed.fixtures.names == ["f", "d/g"])
    #expect(parsed.fixtures.bytes(named: "f") == Array("one\r\n\n> not a command\n".utf8))
    #expect(parsed.fixtures.bytes(named: "d/g") == Array("last".utf8))
    #expect(parsed.blocks.count == 1)
  }

  @Test(arguments: [
    ("", false), ("a", true), ("a/b.json", true), ("..", false), ("a/../b", false),
    ("./a", false), ("a//b", false), ("/a", false), ("..a", true),
  ])
  func `a fixture's name stays inside its folder`(name: String, isInside: Bool) {
    #expect(Fixtures.staysInside(name) == isInside)
  }

  @Test(arguments: [("a.transcript", "."), ("x/y/a.transcript", "x/y"), ("/a.transcript", "/")])
  func `a transcript knows its folder`(path: String, folder: String) {
    #expect(transcript("> a\n", path: path).folder == folder)
  }

  @Test func `any bytes can be parsed, and no line is lost`() {
    var state: UInt64 = 7
    let alphabet = Array(">. #-`\n\r\t{}[]x".utf8) + [0xFF, 0x00]
    for _ in 0..<5_000 {
      let bytes = (0..<24).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return alphabet[Int(state >> 33) % alphabet.count]
      }
      let feeds = bytes.count { $0 == 10 }
      let parsed = Transcript(path: "x", bytes: bytes)

      #expect(parsed.lines.count == (bytes.last == 10 ? feeds : feeds + 1))
      _ = MarkdownFences.transcripts(path: "x.md", bytes: bytes)
    }
  }
}
