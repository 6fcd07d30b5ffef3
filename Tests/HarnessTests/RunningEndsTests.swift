import Testing

@testable import Harness

/// Transcripts whose last command is expected to end its own process.
@Suite struct RunningEndsTests {
  private func run(_ text: String, _ options: String...) throws -> (HostRun, String) {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", text)
    try folder.write("b.transcript", "> echo b\n  b\n")
    let run = try HostRun(in: folder, options + ["."])
    return (run, try folder.text("a.transcript"))
  }

  /// A file that ends its process as expected, and one that does not.
  private static let passed = HostRun(
    code: 0,
    text: "expects a failure: a.transcript\n2 passed (1 expects a failure)\n"
  )

  @Test(arguments: [
    "> trap\n  error: crashed, by a trap\n",
    "> echo a\n  a\n> abort b\n  b\n  error: crashed, by an abort\n",
    "> abort b\n  [..]\n  error: crashed, by an [..]\n",
    "> exit 3\n  error: ended the process, with status 3\n",
    "> overflow\n  error: crashed, by a stack that overflowed\n",
  ])
  func `an expected end of the process passes`(text: String) throws {
    let (run, after) = try run(text)

    #expect(run == Self.passed)
    #expect(after == text)
  }

  @Test func `an expected hang or memory limit passes`() throws {
    let hang = try run("> hang\n  error: took longer than 500ms\n", "--timeout", "500")
    let hoard = try run("> hoard\n  error: needed more than 1GB of memory\n")

    #expect(hang.0 == Self.passed)
    #expect(hoard.0 == Self.passed)
  }

  @Test(arguments: ["--timeout", "--total-timeout"])
  func `time limits also apply to reading`(limit: String) throws {
    let folder = try TemporaryFolder()
    let page = String(repeating: "```transcript\n> echo a\n  a\n```\n", count: 300_000)
    try folder.write("a.md", page)
    let run = try HostRun(in: folder, [limit, "2", "a.md"])

    #expect(run.code == 1)
    #expect(run.text.contains("a.md: was still being read after 2ms\n"))
    #expect(run.text.contains("0 passed, 1 failed"))
  }

  @Test func `the time limit of a run applies to the selection by tag`() throws {
    let folder = try TemporaryFolder()
    let page = String(repeating: "```transcript\n> echo a\n  a\n```\n", count: 100_000)
    try folder.write("a.md", page)
    let run = try HostRun(in: folder, ["--filter", "tag:x", "--total-timeout", "2", "."])

    #expect(run.code == 2)
    #expect(
      run.text.contains(
        "error: the run reached its limit of 2ms before its transcripts were selected\n"
      )
    )
  }

  @Test func `the time limit may be longer than the expected one`() throws {
    let (longer, _) = try run(
      "> hang\n  error: took longer than 100ms\n",
      "--timeout",
      "500"
    )
    let (shorter, _) = try run(
      "> hang\n  error: took longer than 1s\n",
      "--timeout",
      "500"
    )

    #expect(longer == Self.passed)
    #expect(shorter.code == 1)
    #expect(
      shorter.text.contains(
        "\n-  error: took longer than 1s\n+  error: took longer than 500ms\n"
      )
    )
  }

  @Test func `a command may print much before the end of its process`() throws {
    let lines = String(repeating: "  more and more and more and more\n", count: 30_000)
    let (run, _) = try run("> much 30000\n" + lines + "  error: crashed, by a trap\n")

    #expect(run == Self.passed)
  }

  @Test func `with two plays, the process must end in the same way twice`() throws {
    let (same, _) = try run("> trap\n  error: crashed, by a trap\n", "--check-determinism")
    let (other, _) = try run("> trap once\n  error: crashed, by a trap\n", "--check-determinism")

    #expect(same == Self.passed)
    #expect(other.code == 1)
  }

  @Test(arguments: [
    "> trap\n", "> trap\n  ...\n", "> trap\n  [..]\n", "> trap\n  error: [..]\n",
    "> trap\n  error: crashed, by an abort\n",
    "> trap\n  error: crashed, by a trap\n  and more\n",
  ])
  func `a crash is expected only by its own line`(text: String) throws {
    let (run, _) = try run(text)

    #expect(run.code == 1)
    #expect(run.text.hasPrefix("a.transcript:1: crashed, by a trap\n > trap\n"))
    #expect(
      run.text.contains(
        "hint: if this is intended, end its output with 'error: crashed, by a trap'"
      )
    )
  }

  @Test func `output before the end is compared, and no command may follow`() throws {
    let (run, _) = try run(
      "> echo a\n  b\n> abort c\n  d\n  error: crashed, by an abort\n> echo e\n  e\n"
    )

    #expect(run.code == 1)
    #expect(
      run.text.hasPrefix(
        """
        a.transcript:2: output differs
         > echo a
        -  b
        +  a
        """
      )
    )
    #expect(run.text.contains("a.transcript:4: output differs, perhaps because of line 2\n"))
    #expect(run.text.contains("\n-  d\n+  c\n   error: crashed, by an abort\n"))
    #expect(run.text.contains("a.transcript:6: the session ended before this command\n"))
  }

  @Test func `a command that no longer ends the process differs and can be accepted`() throws {
    let text = "> echo a\n  error: crashed, by a trap\n> echo b\n  b\n"
    let (first, _) = try run(text)
    let (second, after) = try run(text, "--update")

    #expect(first.code == 1)
    #expect(first.text.contains("\n-  error: crashed, by a trap\n+  a\n"))
    #expect(second.code == 0)
    #expect(after == "> echo a\n  a\n> echo b\n  b\n")
  }

  @Test func `a difference before an expected end can be accepted`() throws {
    let (run, after) = try run(
      "> echo a\n  b\n> abort c\n  d\n  error: crashed, by an abort\n",
      "--update"
    )

    #expect(run.code == 0)
    #expect(after == "> echo a\n  a\n> abort c\n  c\n  error: crashed, by an abort\n")
  }

  @Test(arguments: [
    ("> trap\n  [..]\n  error: crashed, by a [..]\n", "> trap\n  error: crashed, by a [..]\n"),
    (
      "> abort c\n  c\n  {{.*}}\n  error: crashed, by an abort\n",
      "> abort c\n  c\n  error: crashed, by an abort\n"
    ),
  ])
  func `an update replaces a pattern above an end`(text: String, updated: String) throws {
    let (run, after) = try run(text, "--update")

    #expect(run.code == 0)
    #expect(after == updated)
    #expect(try self.run(after).0 == Self.passed)
  }

  @Test func `each transcript of a file may end its process`() throws {
    let folder = try TemporaryFolder()
    let fence = "```transcript\n> trap\n  error: crashed, by a trap\n```\n\n"
    try folder.write("a.md", fence + fence + "```transcript\n> echo a\n  a\n```\n" + fence)

    #expect(
      try HostRun(in: folder, ["--jobs", "1", "a.md"])
        == HostRun(
          code: 0,
          text: "expects a failure: a.md (code block 1), a.md (code block 2), a.md (code block 4)\n"
            + "4 passed (3 expect a failure)\n"
        )
    )
  }

  @Test func `in a process with threads, it is not replayed`() {
    let transcript = Transcript(
      path: "a.transcript",
      bytes: Array("> echo a\n  a\n> trap\n  error: crashed, by a trap\n".utf8)
    )
    let failures = transcript.replay { _, _ in preconditionFailure("It is not to be performed.") }

    #expect(failures.map(\.line) == [4])
    #expect(failures.map(\.problem) == [.needsOwnProcess])
  }
}
