import Foundation
import Testing

@testable import Harness

/// The selection of a run, its plays, and its known flaky transcripts.
@Suite struct RunningPlansTests {
  private static let good = "> echo a\n  a\n"
  private static let bad = "> echo a\n  b\n"

  private func run(_ folder: TemporaryFolder, _ arguments: String...) throws -> HostRun {
    try HostRun(in: folder, arguments)
  }

  // MARK: Failures

  @Test(arguments: [
    ("hoard", "needed more than 200MB of memory"), ("swallow", "needed more than 200MB of memory"),
    ("overflow", "crashed, by a stack that overflowed"),
    ("kill", "crashed, by a kill (signal 9), perhaps for lack of memory"),
    ("block", "took longer than 2s"),
    ("exit 0", "ended the process, with status 0"),
  ])
  func `a failing transcript does not prevent the others`(
    command: String,
    problem: String
  ) throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good,
      "b.transcript": "> echo before\n  before\n> \(command)\n> echo c\n",
      "c.transcript": Self.good,
    ])
    let result = try run(folder, "--memory", "200MB", "--timeout", "2000", "--jobs", "1", ".")

    #expect(result.code == 1)
    #expect(result.text.hasPrefix("b.transcript:3: \(problem)\n > \(command)\n"))
    #expect(result.text.hasSuffix("\n2 passed, 1 failed\n"))
  }

  @Test func `a run that takes too long ends and names the unplayed files`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript": "> echo x\n  x\n> block\n",
      "c.transcript": Self.good,
    ])
    let result = try run(folder, "--total-timeout", "500", "--jobs", "1", ".")

    #expect(result.code == 1)
    #expect(
      result.text.hasPrefix(
        "b.transcript:3: was running when the run reached its limit of 500ms\n > block\n"
      )
    )
    #expect(result.text.contains("1 passed, 1 failed, 1 not replayed\n"))
  }

  @Test func `a run that is longer than its limit fails, even if everything was played`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good])
    let result = try run(
      folder,
      "--total-timeout",
      "1",
      "--repeat",
      "300",
      "--order-seed",
      "1",
      "."
    )

    #expect(result.code == 1)
    #expect(result.text.contains("1ms"))
  }

  @Test func `repetitions that a time limit prevents are a failure`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good])
    let result = try run(
      folder,
      "--total-timeout",
      "500",
      "--repeat",
      "1000000",
      "--order-seed",
      "1",
      "--jobs",
      "1",
      "."
    )

    #expect(result.code != 0)
    #expect(result.text.contains("error: the run reached its limit of 500ms "))
  }

  @Test func `Ctrl-C ends a run, which reports and stores the results so far`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.bad, "b.transcript": "> echo x\n  y\n> interrupt\n",
      "c.transcript": Self.good,
      "history": "test history 1\nfailed 5 a.transcript\npassed 5 b.transcript\n",
    ])
    let arguments = ["--jobs", "1", "--history", "history", "--reporter", "json=all.json", "."]
    let result = try HostRun(in: folder, arguments)
    let report = try RunReport(json: Array(folder.text("all.json").utf8), path: "all.json")
    let history = try folder.text("history").split(separator: "\n")

    #expect(result.code == 130)
    #expect(result.text.hasPrefix("a.transcript:2: output differs\n"))
    #expect(
      result.text.hasSuffix(
        """

        error: stopped by Ctrl-C in b.transcript; 1 of 3 replayed
        0 passed, 1 failed, 2 not replayed

        """
      )
    )
    #expect(report.tests.map(\.outcome) == [.failed, .notReplayed, .notReplayed])
    #expect(report.problems == ["stopped by Ctrl-C in b.transcript; 1 of 3 replayed"])
    #expect(history.count == 3)
    #expect(history[1].hasPrefix("failed ") && history[2] == "passed 5 b.transcript")
  }

  // MARK: History

  @Test func `'--failed' plays a failed transcript again until it passes`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript": Self.bad, "c.transcript": Self.bad,
    ])
    #expect(try run(folder, "--failed", "--history", "h", ".").code == 2)
    #expect(try run(folder, "--history", "h", ".").text.hasSuffix("1 passed, 2 failed\n"))
    try folder.write("b.transcript", Self.good)
    #expect(
      try run(folder, "--failed", "--history", "h", ".").text.hasSuffix("1 passed, 1 failed\n")
    )
    #expect(
      try run(folder, "--failed", "--history", "h", ".").text.hasSuffix("0 passed, 1 failed\n")
    )
    try folder.write("c.transcript", Self.good)
    #expect(
      try run(folder, "--failed", "--history", "h", ".").text
        == "note: only transcripts that failed last were chosen, from 1 of 3 files\n1 passed\n"
    )

    let nothing = try run(folder, "--failed", "--history", "h", ".")
    #expect(nothing.code == 2)
    #expect(nothing.text.hasPrefix("error: no transcript is known to have failed\n"))
  }

  @Test(arguments: [[], ["--shard", "1/1"], ["--list"]])
  func `a file that is not a history is refused before anything is played`(flags: [String]) throws {
    let folder = try TemporaryFolder(["a.transcript": Self.bad, "notes.txt": "precious\n"])
    let result = try HostRun(in: folder, flags + ["--history", "notes.txt", "."])

    #expect(result.code == 2)
    #expect(
      result.text == """
        error: notes.txt:1: this is not the first line of a test history
        hint: name a file that '--history' wrote, or one that does not exist yet

        """
    )
    #expect(try folder.text("notes.txt") == "precious\n")
  }

  @Test func `a shard only reads its history and does not say that it is replaced`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good, "h": "test history 1\n?"])
    let result = try run(folder, "--shard", "1/1", "--history", "h", ".")

    #expect(
      result.text == "note: h is not a valid test history; it is not used\n1 passed\n"
    )
    #expect(try folder.text("h") == "test history 1\n?")
  }

  // MARK: Options that do not change a report

  @Test func `other reports do not change annotations`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "# A name.\n" + Self.bad, "b.transcript": Self.good,
      "c.md": "```transcript\n# Fine.\n\(Self.good)```\n```transcript\n# Not so.\n\(Self.bad)```\n",
    ])
    let alone = try run(folder, "--reporter", "github", ".")
    let beside = try run(folder, "--reporter", "github", "--reporter", "json=all.json", ".")

    #expect(alone.text.contains("::A name.%0A > echo a%0A"))
    #expect(alone.text.contains("::Not so.%0A > echo a%0A"))
    #expect(alone == beside)
  }

  @Test func `the history does not change the report`() throws {
    let folder = try TemporaryFolder()
    for index in 0..<40 {
      try folder.write("t\(index).transcript", index % 7 == 3 ? Self.bad : Self.good)
    }
    let first = try run(folder, "--jobs", "2", ".")

    #expect(try run(folder, "--history", "h", "--jobs", "2", ".") == first)
    #expect(try run(folder, "--history", "h", "--jobs", "1", ".") == first)
  }

  @Test func `the first failure is the first in playing order, with any number of workers`() throws
  {
    let folder = try TemporaryFolder([
      "a.transcript": Self.bad, "b.transcript": Self.good, "c.transcript": Self.bad,
    ])
    try folder.write("h", "test history 1\npassed 9 a.transcript\nfailed 9 c.transcript\n")
    let history = try folder.text("h")
    let one = try run(folder, "--fail-fast", "--history", "h", "--jobs", "1", ".")
    try folder.write("h", history)
    let three = try run(folder, "--fail-fast", "--history", "h", "--jobs", "3", ".")

    #expect(one.text.hasPrefix("c.transcript:2: output differs\n"))
    #expect(one.text.hasSuffix("0 passed, 1 failed, 2 not replayed\n"))
    #expect(one == three)
  }

  @Test func `a passing fence does not remove the failure of another one from the history`() throws
  {
    let folder = try TemporaryFolder([
      "a.md":
        "```transcript\n# One.\n> echo a\n  b\n```\n```transcript\n# Two.\n> echo a\n  a\n```\n"
    ])
    #expect(try run(folder, "--history", "h", ".").code == 1)
    #expect(
      try run(folder, "--history", "h", "--filter", "name:Two", ".").text.hasSuffix("1 passed\n")
    )
    #expect(try run(folder, "--history", "h", "--failed", ".").code == 1)
  }

  @Test func `if nothing is played, report files say so and contain no earlier report`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good])
    let report = ["--reporter", "json=all.json", "--reporter", "junit=all.xml"]
    _ = try HostRun(in: folder, report + ["."])
    #expect(try folder.text("all.json").contains("\"passed\": 1"))
    let nothing = try HostRun(in: folder, report + ["--filter", "zzz", "."])

    #expect(nothing.code == 2)
    #expect(nothing.text.hasPrefix("error: no transcript whose path contains 'zzz' in: .\n"))
    let merged = try RunReport(mergingFiles: [folder.path + "/all.json"])
    #expect(merged.problems == ["no transcript whose path contains 'zzz' in: ."])
    #expect(merged.exit == .usage && merged.passed == 0)
    #expect(try folder.text("all.xml").contains("errors=\"1\""))
  }

  // MARK: Shards and lists

  @Test func `the shards together play everything once, and one may be empty`() throws {
    let folder = try TemporaryFolder()
    for index in 0..<5 { try folder.write("t\(index).transcript", Self.good) }
    let passed = try (1...9).map { try run(folder, "--shard", "\($0)/9", ".") }

    #expect(passed.allSatisfy { $0.code == 0 })
    let counts = passed.enumerated().compactMap { index, run -> Int? in
      let lines = run.text.split(separator: "\n")
      #expect(lines.first == "note: only shard \(index + 1)/9 was run")
      return lines.last.flatMap { Int($0.prefix(1)) }
    }
    #expect(counts.contains(0))
    #expect(counts.reduce(0, +) == 5)
    #expect(try run(folder, "--shard", "1/9", "--filter", "zzz", ".").code == 2)
  }

  @Test func `shards do not change a shared history`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good])
    try folder.write("h", "test history 1\npassed 9 a.transcript\nfailed 9 c.transcript\n")
    let history = try folder.text("h")
    _ = try run(folder, "--shard", "1/1", "--history", "h", ".")

    #expect(try folder.text("h") == history)
  }

  @Test func `a list names what would be played`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "# What it proves.\n# tags: x, y\n> abort\n",
      "b.md": "\n```transcript\n> echo\n```\n",
    ])

    #expect(
      try run(folder, "--list", ".")
        == HostRun(code: 0, text: "a.transcript  # What it proves.  [x, y]\nb.md:3\n")
    )
  }

  @Test func `a list names what could not be played`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript": "# only this\n",
      "c.transcript": "> echo\nlost\n", "d.md": "\n```transcript\n> # nothing\n```\n",
      "e.md": "text\n",
    ])
    let list = try run(folder, "--list", ".", "e.md")

    #expect(list.code == 2)
    #expect(list.text.contains("a.transcript\n"))
    for line in [
      "b.transcript: no command in this transcript", "c.transcript:2: this line is neither",
      "d.md:2: no command in this transcript",
      "e.md: no code block marked 'transcript' in this file",
    ] {
      #expect(list.text.contains("error: \(line)"))
    }
    #expect(!list.text.contains("\nb.transcript\n"))
  }

  // MARK: Several plays

  @Test
  func `a transcript that does not always pass is flaky, with counts and the first difference`()
    throws
  {
    let folder = try TemporaryFolder(["a.transcript": Self.good, "b.transcript": "> count\n  3\n"])
    let reporters = ["plain", "junit=j", "github=g", "markdown=m", "html=h"]
    let result = try HostRun(
      in: folder,
      ["--repeat", "4", "--order-seed", "5", "--jobs", "1"]
        + reporters.flatMap { ["--reporter", $0] } + ["."]
    )

    #expect(result.code == 1)
    #expect(result.text.hasPrefix("b.transcript:2: output differs\n > count\n-  3\n+  1\n"))
    #expect(!result.text.contains("to accept: "))
    for text in try [result.text] + ["j", "g", "m", "h"].map(folder.text) {
      #expect(text.contains("flaky: passed once, failed 3 times"))
      #expect(text.contains("--order-seed 5"))
    }
    #expect(result.text.contains("'--order-seed 5' repeats it\n"))
    #expect(result.text.hasSuffix("\n1 passed, 1 flaky\n"))
  }

  @Test func `an order seed repeats the order`() throws {
    let folder = try TemporaryFolder()
    for index in 0..<9 { try folder.write("t\(index).transcript", "> count\n  \(index)\n") }
    let run = { (seed: String) in
      try HostRun(in: folder, ["--order-seed", seed, "--jobs", "1", "."]).text
        .replacing(seed, with: "")
    }

    #expect(try run("77") == run("77"))
    #expect(try run("77") != run("88"))
  }

  @Test func `a second play with other output fails, even if a pattern matches`()
    throws
  {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript": "> count\n  [..]\n",
    ])
    let result = try run(folder, "--check-determinism", "--jobs", "1", ".")

    #expect(result.code == 1)
    #expect(
      result.text.hasPrefix(
        "b.transcript:1: printed other output the second time\n > count\n-  1\n+  2\n"
      )
    )
    #expect(result.text.hasSuffix("\n1 passed, 1 failed\n"))
  }

  // MARK: Known flaky transcripts

  @Test func `a known flaky failure is counted and named, and does not fail the run`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": Self.good, "b.transcript": Self.bad,
      "flaky": "limit 1\n# It is late.\nb.transcript\n",
    ])
    let result = try run(folder, "--known-flaky", "flaky", "a.transcript", "b.transcript")

    #expect(result.code == 0)
    #expect(
      result.text
        == "b.transcript: known to be flaky (It is late.)\n1 passed, 1 known to be flaky\n"
    )
    #expect(try run(folder, "--known-flaky", "none", "a.transcript").code == 2)
  }

  @Test func `a stale entry fails the run, and an update removes it`() throws {
    let folder = try TemporaryFolder(["a.transcript": Self.good, "b.transcript": Self.good])
    let list = "limit 2\n# Was slow.\na.transcript\ngone.transcript\n"
    try folder.write("flaky", list)
    let once = try run(folder, "--known-flaky", "flaky", "a.transcript")
    let often = try run(
      folder,
      "--known-flaky",
      "flaky",
      "--repeat",
      "3",
      "--order-seed",
      "1",
      "a.transcript",
      "b.transcript"
    )

    #expect(once.text.contains("flaky:4: gone.transcript is gone; remove this line"))
    #expect(!once.text.contains("flaky:3:"))
    #expect(often.code == 1)
    #expect(often.text.contains("flaky:3: a.transcript passed every time; remove this line"))
    #expect(try folder.text("flaky") == list)

    let update = try run(
      folder,
      "--update",
      "--known-flaky",
      "flaky",
      "--repeat",
      "3",
      "--order-seed",
      "1",
      "a.transcript"
    )
    #expect(update.code == 0)
    #expect(try folder.text("flaky") == "limit 0\n")
  }
}
