import Foundation
import Testing

@testable import Harness

/// Plays in worker processes. This needs a process with one thread: the host program of the tests.
@Suite struct RunningWorkersTests {
  private typealias Result = HostRun

  private func run(_ folder: TemporaryFolder, _ options: String..., paths: [String] = ["."]) throws
    -> Result
  {
    try Result(in: folder, options + paths)
  }

  private static let good = "> echo a\n  a\n"

  @Test func `a green run prints one line`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good, "b/c.transcript": Self.good])

    #expect(try run(folder) == Result(code: 0, text: "2 passed\n"))
  }

  @Test func `each transcript has its own performer`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "> cat f\n  one\n> folder\n  .\n-- f --\none",
      "b/c.transcript": "> cat f\n  none\n> folder\n  b\n",
    ])

    #expect(try run(folder, "--jobs", "1").text == "2 passed\n")
  }

  @Test func `a crash fails one transcript, with the command and its output`()
    throws
  {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript": "> echo a\n  a\n> abort b\n> echo c\n",
      "c.transcript": Self.good, "d.transcript": "> trap\n",
    ])
    let result = try run(folder, "--jobs", "2")

    #expect(result.code == 1)
    #expect(
      result.text.hasPrefix(
        """
        b.transcript:3: crashed, by an abort
         > abort b
           b
        note: never reached: 1 command, line 4
        hint: if this is intended, end its output with 'error: crashed, by an abort'

        d.transcript:1: crashed, by a trap
        """
      )
    )
    #expect(result.text.contains("Fatal error: on purpose\n"))
    #expect(result.text.hasSuffix("\n2 passed, 2 failed\n"))
  }

  @Test func `a hang ends at the limit, and a flood of output shows its last lines`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "> echo a\n  a\n> hang\n", "b.transcript": "> flood\n",
      "c.transcript": Self.good,
    ])
    let result = try run(folder, "--timeout", "1000", "--jobs", "1")

    #expect(result.code == 1)
    #expect(
      result.text.hasPrefix("a.transcript:3: took longer than 1s\n > hang\nhint: ")
    )
    #expect(
      result.text.contains("b.transcript:1: took longer than 1s\n > flood\n   … (")
    )
    #expect(result.text.hasSuffix("\n1 passed, 2 failed\n"))
  }

  @Test func `the workers of a worker can use the locks of the worker and of the runner`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "> count\n  1\n> tally\n  1\n> nest count\n> nest tally\n"
    ])
    let report = try run(folder).text

    #expect(report.contains("+   > count\n+  +  2\n"))
    #expect(report.contains("+   > tally\n+  +  2\n"))
  }

  @Test func `transcripts are played on the main queue, like typed commands`()
    throws
  {
    let folder = try TemporaryFolder(["a.transcript": "> main\n  main\n> nest main\n"])
    let report = try run(folder).text

    #expect(!report.contains("crashed"))
    #expect(report.contains("+   > main\n+  +  main\n"))
  }

  @Test func `a process that exits during a transcript fails it, with any status`() throws {
    let folder = try TemporaryFolder(["a.transcript": "> exit 0\n", "b.transcript": Self.good])
    let result = try run(folder)

    #expect(result.code == 1)
    #expect(
      result.text
        == "a.transcript:1: ended the process, with status 0\n > exit 0\n"
        + "hint: if this is intended, end its output with 'error: ended the process, with status 0'\n"
        + "\n1 passed, 1 failed\n"
    )
  }

  @Test func `fences after a crashing one are played`() throws {
    let folder = try TemporaryFolder([
      "a.md":
        "```transcript\n> echo 1\n  1\n```\n```transcript\n> abort\n```\n```transcript\n> echo 3\n  3\n```\n"
    ])
    let result = try run(folder)

    #expect(result.text.hasPrefix("a.md:6: crashed"))
    #expect(result.text.hasSuffix("\n2 passed, 1 failed\n"))
  }

  @Test func `the unplayed fences of an interrupted page are named`() throws {
    let fence = { (text: String) in "```transcript\n> \(text)\n```\n" }
    let folder = try TemporaryFolder([
      "a.md": fence("echo") + fence("hang") + fence("echo") + fence("echo")
    ])
    let late = try run(folder, "--total-timeout", "300")
    #expect(late.text.hasPrefix("a.md:5: was running when the run reached its limit of 300ms\n"))
    #expect(late.text.contains("\nnot replayed: a.md (code block 3), a.md (code block 4)\n"))
    #expect(late.text.hasSuffix("\n1 passed, 1 failed, 2 not replayed\n"))

    try folder.write("a.md", fence("echo") + fence("echo x") + fence("echo"))
    for more in [[], ["--in-process"]] {
      let fast = try HostRun(in: folder, ["--fail-fast", "--reporter", "tap"] + more + ["a.md"])
      let words = "\n    ok 3 - code block 3 # SKIP the run ended at the first failure\n"
      #expect(fast.text.contains(words))
      #expect(fast.text.hasSuffix("\n# 1 passed, 1 failed, 1 not replayed\n"))
    }
  }

  @Test func `the number of workers does not change the report`() throws {
    let folder = try TemporaryFolder()
    for index in 0..<60 {
      let text = index % 7 == 3 ? "> echo a\n  b\n" : index % 11 == 5 ? "> abort\n" : Self.good
      try folder.write("t\(index).transcript", text)
    }
    let one = try run(folder, "--jobs", "1")

    #expect(one.code == 1)
    #expect(one == (try run(folder, "--jobs", "4")))
    #expect(
      try run(folder, "--jobs", "1", "--fail-fast") == run(folder, "--jobs", "4", "--fail-fast")
    )
  }

  @Test func `with '--fail-fast' the first failure by path ends the run`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript": "> abort\n", "c.transcript": "> echo a\n",
      "d.transcript": Self.good,
    ])

    #expect(
      try run(folder, "--fail-fast", "--jobs", "3").text
        == "b.transcript:1: crashed, by an abort\n > abort\n"
        + "hint: if this is intended, end its output with 'error: crashed, by an abort'\n\n"
        + "not replayed: c.transcript, d.transcript\n1 passed, 1 failed, 2 not replayed\n"
    )
  }

  @Test func `workers update files, but not the file of a crash`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "> echo a\n", "b.transcript": "> echo b\n> abort\n",
    ])
    let result = try run(folder, "--update")

    #expect(result.code == 1)
    #expect(result.text.hasSuffix("\nupdated a.transcript\n0 passed, 1 updated, 1 failed\n"))
    #expect(try folder.text("a.transcript") == "> echo a\n  a\n")
    #expect(try folder.text("b.transcript") == "> echo b\n> abort\n")
    #expect(try folder.names == ["a.transcript", "b.transcript"])
  }

  @Test func `output of the process is shown with the failing transcript`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "> print from a passing one\n", "b.transcript": "> print hello\n> echo a\n",
    ])
    let result = try run(folder, "--jobs", "1")

    #expect(result.text.contains("+  a\nnote: the process wrote: hello\n"))
    #expect(!result.text.contains("passing"))
  }

  @Test func `of long output of a process, the beginning and the end are shown`() throws {
    let lines = (1...1000).map { "> print line \($0)\n" }.joined()
    let folder = try TemporaryFolder(["a.transcript": lines + "> echo a\n"])
    let result = try run(folder, "--jobs", "1")

    #expect(result.text.contains("note: the process wrote: line 1\n"))
    #expect(result.text.contains("note: the process wrote: … ("))
    #expect(!result.text.contains("note: the process wrote: line 500\n"))
    #expect(result.text.contains("note: the process wrote: line 1000\n"))
  }

  @Test(arguments: [
    ["--filter", "zzz", "."], ["--update", "--ci", "."], ["empty"],
  ])
  func `invalid arguments are reported, and nothing is played`(
    arguments: [String]
  ) throws {
    let folder = try TemporaryFolder(["a.transcript": "> echo a\n", "empty/x.txt": ""])
    let result = try run(folder, paths: arguments)

    #expect(result.code == 2)
    #expect(result.text.hasPrefix("error: "))
    #expect(try folder.text("a.transcript") == "> echo a\n")
  }

  @Test func `a missing path fails, and existing ones are played and reported`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good])
    let result = try run(folder, "--reporter", "plain", "--reporter", "junit=j.xml", ".", "none")

    #expect(result.code == 2)
    #expect(result.text == "none: there is no such file\n\n1 passed, 1 failed\n")
    #expect(try folder.text("j.xml").contains("none: there is no such file"))
    let alone = try run(folder, "none", "--filter", "tag:x")
    let note = "note: only transcripts with the tag 'x' were chosen, from 1 of 2 files\n"
    let missing = "none: there is no such file\n\n"
    #expect(alone == HostRun(code: 2, text: "\(missing)\(note)0 passed, 1 failed\n"))
    let other = try run(folder, "none", "--filter", "zzz").text
    #expect(other == alone.text.replacing("with the tag 'x'", with: "whose path contains 'zzz'"))
    #expect(try run(folder, "none", "--list").code == 2)
  }

  @Test func `Markdown without a transcript fails only when it is named`() throws {
    let folder = try TemporaryFolder(["a.md": "# Nothing\n", "b.transcript": Self.good])

    #expect(try run(folder).text == "1 passed\n")
    #expect(try run(folder, paths: ["a.md"]).code == 1)
  }

  @Test func `an unreadable file is one failure, and the rest is played`() throws {
    let folder = try TemporaryFolder(["b.transcript": Self.good])
    try folder.write("a.transcript", [0x3E, 0x20, 0xFF, 0x0A])
    let result = try run(folder)

    #expect(
      result
        == Result(
          code: 2,
          text: "a.transcript:1: line 1 is not UTF-8\n\n1 passed, 1 failed\n"
        )
    )
  }
}
