import Foundation
import Testing
import Workers

@testable import Harness

/// Large pages take processor time in proportion to their length.
@Suite struct RunningLinearTests {
  /// Returns the processor time of a run and its workers, in seconds.
  private func seconds(_ folder: TemporaryFolder, _ arguments: [String]) throws -> Double {
    let program = try HostRun.program().path
    let words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\" >/dev/null", folder.path, program]
    let process = try SpawnedProcess(program: "/bin/sh", arguments: words + arguments)
    var usage = rusage()
    #expect(ProcessEnd.wait(for: process.id, blocking: true, usage: &usage) != nil)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }

  /// If the input is four times larger, linear work takes about four times longer and quadratic work sixteen times. The
  /// test compares only processor time, and its limit of eight times is wide.
  @Test(arguments: [
    ("```transcript\n> echo a\n  a\n```\n\n", [], 5_000),
    ("```transcript\n> echo a\n  b\n```\n\n", [], 1_000),
    ("```transcript\n> echo a\n  b\n```\n\n", ["--pending-beside"], 500),
    ("```transcript\n> echo a\n  b\n```\n\n", ["--update"], 500),
    ("<!-- ", [], 100_000), ("<!-- \n\n", [], 40_000), ("- ", [], 60_000), ("~~~\n", [], 40_000),
  ])
  func `a four times larger input takes at most eight times longer`(
    part: String,
    options: [String],
    count: Int
  ) throws {
    let times = try [count, 4 * count].map { count in
      let folder = try TemporaryFolder()
      try folder.write("a.md", String(repeating: part, count: count) + "\n")
      return try seconds(folder, options + ["--timeout", "600000", "--jobs", "1", "a.md"])
    }
    #expect(times[1] < 8 * times[0], "\(times) seconds")
  }

  @Test func `an update of a page writes it once, and all transcripts pass afterwards`() throws {
    let folder = try TemporaryFolder()
    let fence = { (line: String) in "- item\n\n  ~~~transcript\n  > echo a\n    \(line)\n  ~~~\n\n"
    }
    try folder.write("a.md", String(repeating: fence("b"), count: 300) + fence("a"))

    #expect(
      try HostRun(in: folder, ["--update", "--jobs", "1", "a.md"])
        == HostRun(code: 0, text: "updated a.md\n1 passed, 300 updated\n")
    )
    #expect(try folder.text("a.md") == String(repeating: fence("a"), count: 301))
  }

  @Test func `output that would end its fence is never written`() throws {
    let folder = try TemporaryFolder()
    let page = "```transcript\n> echo ```\n  b\n```\n"
    try folder.write("a.md", page)
    let run = try HostRun(in: folder, ["--update", "a.md"])

    #expect(run.code == 1)
    #expect(run.text.contains("not updated"))
    #expect(try folder.text("a.md") == page)
  }
}
