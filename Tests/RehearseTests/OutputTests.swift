import Foundation
import LineEditing
import PseudoTerminal
import Testing

/// The output of the program: it is limited, and has escape sequences only on a terminal.
@Suite struct OutputTests {
  private static let escape: UInt8 = 0x1B

  @Test func `output to a pipe or file has no escape sequences`() throws {
    let place = try Workplace()
    let outcome = try place.rehearse(input: "lod\nload\ntimeline\nhelp\n")
    try place.write("a.transcript", "> now\n  1.000s\n")
    let test = try place.rehearse("test", "a.transcript")

    #expect(!outcome.output.utf8.contains(Self.escape))
    #expect(!test.output.utf8.contains(Self.escape))
  }

  @Test(arguments: ["#expect(users.isEmpty)", " #require(users)"])
  func `an expectation of Swift Testing is no comment, but an error`(text: String) throws {
    let outcome = try Workplace().rehearse(input: "now\n\(text)\n# expected: nothing\n")
    let error = "  error: '#' begins a comment, so this checks nothing"
    #expect(outcome.lines.count { $0 == error } == 1, "\(outcome.output)")
    #expect(outcome.code == 1)
  }

  @Test func `the error about an expectation of Swift Testing has the right command`() throws {
    let outcome = try Workplace().rehearse(input: "loadable a\n#expect(a == \"Ann\")\n")
    let hint = "  hint: did you mean 'expect a loaded \"Ann\"'?"
    #expect(outcome.lines.contains { $0 == hint }, "\(outcome.output)")
  }

  @Test(arguments: [
    ("run", "s.rehearse", "> #expect(a == 1)\n  error: "),
    ("explore", "s.rehearse", "error: '#expect(a == 1)' fails in 1 run"),
    ("run", "t.rehearse", "s.rehearse:2: error: "), ("format", "s.rehearse", "s.rehearse:2: "),
  ])
  func `an expectation of Swift Testing is an error in each kind of script`(
    verb: String,
    path: String,
    place: String
  ) throws {
    let folder = try Workplace()
    try folder.write("s.rehearse", "loadable a\n#expect(a == 1)\n")
    try folder.write("t.rehearse", "source s.rehearse\n")
    let outcome = try folder.rehearse(verb, path)
    let text = outcome.output + outcome.errors

    #expect(outcome.code != 0, "\(outcome)")
    #expect(text.contains("'#' begins a comment, so this checks nothing"), "\(outcome)")
    #expect(text.contains(place), "\(outcome)")
  }

  @Test(
    .enabled(if: LineEditor.isBuiltIn, "built without line editing"),
    arguments: [
      ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
    ]
  )
  func `errors are coloured on a terminal, unless colour is off`(
    environment: [String: String],
    isColoured: Bool
  ) throws {
    let terminal = try Workplace().terminal(environment: environment)
    try terminal.enter("lod")
    #expect(try terminal.quit() == 0)
    let text = String(decoding: terminal.written, as: UTF8.self)

    #expect(terminal.screen.text.contains("  error: there is no command 'lod'"))
    #expect(text.contains("\u{1B}[1;31m") == isColoured)
  }

  @Test func `with NO_COLOR, a different transcript is shown without colour`() throws {
    let place = try Workplace()
    try place.write("a.transcript", "> now\n  1.000s\n")
    let terminal = try place.terminal(["test", "a.transcript"], environment: ["NO_COLOR": "1"])

    #expect(try terminal.waitForExit() == 1)
    #expect(terminal.screen.text.contains("0 passed, 1 failed"))
    #expect(!terminal.written.contains(Self.escape))
  }

  @Test func `no command prints more than a thousand lines or very long lines`() throws {
    let value = "[" + String(repeating: "\"abcdefgh\",", count: 10_000) + "1]"
    var script = (0..<1_500).map { "loadable n\($0) = 0\n" }.joined()
    script += "set n0 loaded \(value)\nload n1 \(value)\n"
    for command in ["list", "show", "show n0", "timeline", "log last 1000000", "expect n0 absent"] {
      script += command + "\n"
    }
    let outcome = try Workplace().rehearse(input: script)
    let blocks = outcome.output.components(separatedBy: "\n> ")

    for block in blocks {
      let lines = block.split(separator: "\n").dropFirst()
      #expect(lines.count <= 1_001)
      #expect(lines.allSatisfy { $0.utf8.count < 1_000 }, "\(block.prefix(40))")
    }
    #expect(outcome.output.utf8.count < 1_000_000)
  }
}
