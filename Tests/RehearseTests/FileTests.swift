import Foundation
import Testing

/// Files that cannot be used: the reason is printed, and the session continues.
@Suite struct FileTests {
  /// Returns a folder with a file of each kind that is not a script.
  private func placeWithBadFiles() throws -> Workplace {
    let place = try Workplace()
    try FileManager.default.createDirectory(
      atPath: place.path + "/folder",
      withIntermediateDirectories: false
    )
    try place.write("latin1", Array("now\ncaf".utf8) + [0xE9, 0x0A])
    symlink("round", place.path + "/round")
    mkfifo(place.path + "/pipe", 0o600)
    try place.write("sealed", "now\n")
    chmod(place.path + "/sealed", 0)
    return place
  }

  private static let reasons = [
    ("missing", "there is no such file"), ("folder", "this is a folder"),
    ("latin1", "line 2 is not UTF-8"), ("round", "the symbolic links form a cycle"),
    ("pipe", "this is not a regular file"),
  ]

  @Test(arguments: reasons)
  func `a script that cannot be read is refused with the reason`(
    name: String,
    reason: String
  ) throws {
    let outcome = try placeWithBadFiles().rehearse("run", name)
    let hint = name == "folder" ? "hint: 'test' replays the transcripts of a folder\n" : ""

    #expect(outcome.errors == "error: cannot read '\(name)': \(reason)\n" + hint)
    #expect(outcome.output == "")
    #expect(outcome.code == 2)
  }

  @Test(arguments: reasons)
  func `a file that cannot be sourced does not change the session`(
    name: String,
    reason: String
  ) throws {
    let outcome = try placeWithBadFiles().rehearse(input: "source \(name)\nnow\n")

    #expect(outcome.output.contains("  error: cannot read '\(name)': \(reason)\n"))
    #expect(outcome.output.hasSuffix("> now\n  0.000s\n"))
    #expect(outcome.code == 1)
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may read everything"))
  func `a file without permission is refused with the reason`() throws {
    let outcome = try placeWithBadFiles().rehearse("run", "sealed")

    #expect(outcome.errors == "error: cannot read 'sealed': permission denied\n")
    #expect(outcome.code == 2)
  }

  @Test func `standard input that is not UTF-8 is refused as a script, and skipped as a line`()
    throws
  {
    let place = try Workplace()
    let bytes = Array("now\ncaf".utf8) + [0xE9, 0x0A] + Array("now\n".utf8)

    let script = try place.rehearse(["run", "-"], input: bytes)
    #expect(script.errors == "error: cannot read '-': line 2 is not UTF-8\n")
    #expect(script.code == 2)

    let lines = try place.rehearse([], input: bytes)
    #expect(
      lines.output == """
        > now
          0.000s
          error: line 2 is not UTF-8 at byte 4; it is skipped
          hint: save the text as UTF-8
        > now
          0.000s

        """
    )
    #expect(lines.code == 1)
  }

  @Test func `saving creates the folders of the path`() throws {
    let place = try Workplace()
    let outcome = try place.rehearse(input: "loadable n\nsave missing/inner/a.transcript\n")

    #expect(outcome.output.contains("saved 1 command to missing/inner/a.transcript"))
    #expect(outcome.code == 0)
    #expect(place.read("missing/inner/a.transcript").contains("> loadable n\n"))
  }

  @Test(arguments: ["folder", "/dev/full"])
  func `a file that cannot be written is refused with the reason`(path: String) throws {
    let place = try placeWithBadFiles()

    for command in ["save", "record"] {
      let outcome = try place.rehearse(input: "loadable n\n\(command) \(path)\nlist\n")
      #expect(outcome.output.contains("  error: cannot write '\(path)': "))
      #expect(outcome.output.hasSuffix("> list\n  n  absent\n"))
      #expect(outcome.code == 1)
    }
  }

  @Test func `a session that cannot be recorded from its start does not begin`() throws {
    let outcome = try Workplace().rehearse("record", "/dev/null/a.transcript", input: "now\n")

    #expect(outcome.output.contains("error: cannot write '/dev/null/a.transcript': "))
    #expect(!outcome.output.contains("> now"))
    #expect(outcome.code == 2)
  }

  @Test func `scripts that source each other are an error`() throws {
    let place = try Workplace()
    try place.write("self", "source self\n")
    try place.write("a", "source b\n")
    try place.write("b", "source ./a\n")
    let outcome = try place.rehearse(input: "source self\nsource a\nnow\n")

    #expect(
      outcome.output == """
        > source self
          self:1: error: 'self' sources itself
            source self
                   ^~~~
          hint: a script must not source a script that sources it
        > source a
          b:1: error: './a' sources itself
            source ./a
                   ^~~
          hint: a script must not source a script that sources it
        > now
          0.000s

        """
    )
  }

  @Test func `a long chain of scripts is an error`() throws {
    let place = try Workplace()
    for index in 0..<100 { try place.write("s\(index)", "source s\(index + 1)\n") }
    let outcome = try place.rehearse(input: "source s0\nnow\n")

    #expect(outcome.output.contains("  s15:1: error: nested deeper than 16 levels\n"))
    #expect(outcome.output.hasSuffix("> now\n  0.000s\n"))
  }
}
