import Foundation
import Testing

@testable import Harness

/// Where reports are written: never over what a run reads, or writes for another reason.
@Suite struct ReportingFilesTests {
  private static let good = "> echo a\n  a\n"
  private static let page = "# Page\n\n```transcript\n\(good)```\n"
  private static let list = "limit 1\nt/a.transcript\n"
  private static let history = "test history 1\npassed 9 t/a.transcript\n"

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder([
      "t/a.transcript": Self.good, "t/page.md": Self.page, "plain.md": "# No transcript\n",
      "notes.txt": Self.good, "kf": Self.list, "h": Self.history,
    ])
    symlink("t/page.md", folder.path + "/link.md")
    symlink("t", folder.path + "/u")
    return folder
  }

  @Test(arguments: [
    (["tap=t/a.transcript", "plain.md"], "t/a.transcript", "a transcript"),
    (["tap=new.transcript", "t"], "new.transcript", "a transcript"),
    (["tap=t/b.transcript.pending", "t"], "t/b.transcript.pending", "a pending result"),
    (["tap=page.md.pending", "t"], "page.md.pending", "a pending result"),
    (["tap=notes.txt.pending", "notes.txt"], "notes.txt.pending", "a pending result"),
    (["tap=./notes.txt", "notes.txt"], "./notes.txt", "a file that is played"),
    (["markdown=plain.md", "plain.md"], "plain.md", "a file that is played"),
    (["markdown=t/../t/page.md", "t"], "t/../t/page.md", "a file that is played"),
    (["markdown=link.md", "t"], "link.md", "a file that is played"),
    (["markdown=u/page.md", "t"], "u/page.md", "a file that is played"),
    (["markdown=t/page.md", "--filter", "zzz", "t"], "t/page.md", "a file that is played"),
    (["markdown=t/page.md", "notes.txt"], "t/page.md", "a page of transcripts"),
    (["json=./h", "--history", "h", "t"], "./h", "the history of tests"),
    (["json=u/new", "--history", "t/new", "t"], "u/new", "the history of tests"),
    (["json=kf", "--known-flaky", "kf", "t"], "kf", "the list of known flaky transcripts"),
    (["json=x", "--reporter", "tap=u/../x", "t"], "u/../x", "another report"),
  ])
  func `a report that would take the place of something else is refused before anything is played`(
    arguments: [String],
    path: String,
    victim: String
  ) throws {
    let folder = try folder()
    let flags = ["--pending-beside", "--reporter"]
    let result = try HostRun(in: folder, flags + arguments)

    #expect(result.code == 2)
    #expect(
      result.text == """
        error: \(path): a report would take the place of \(victim)
        hint: name another file for the report, which replaces what is there

        """
    )
    #expect(try folder.names == ["h", "kf", "link.md", "notes.txt", "plain.md", "t", "u"])
    #expect(try folder.text("t/a.transcript") == Self.good)
    #expect(try folder.text("t/page.md") == Self.page)
    #expect(try folder.text("kf") == Self.list && folder.text("h") == Self.history)
  }

  @Test func `a report takes the place of an earlier one, also among transcripts`() throws {
    let folder = try folder()
    let flags = ["markdown=t/report.md", "json=t/all.json", "tap=t/.transcript.tap"]
      .flatMap { ["--reporter", $0] }
    let first = try HostRun(in: folder, flags + ["t"])
    let report = try folder.text("t/report.md")

    #expect(first == HostRun(code: 0, text: "2 passed\n"))
    #expect(try HostRun(in: folder, flags + ["t"]) == first)
    #expect(try folder.text("t/report.md") == report)
  }

  @Test func `what was covered has files of its own, too`() throws {
    var coverage = CoverageOptions { _ in [] }
    coverage.jsonPath = "out/all.json"
    coverage.diagramPath = "README.md"
    var reporters = Reporters()
    #expect(throws: Never.self) { try ReportFiles(reporters, coverage).checkNames() }
    #expect(throws: ReportFiles.Conflict.self) {
      try ReportFiles(reporters, coverage).check("./README.md", is: "a file that is played")
    }
    reporters.chosen = [.init(.json, file: "out/./all.json")]
    #expect(throws: ReportFiles.Conflict.self) {
      try ReportFiles(reporters, coverage).checkNames()
    }
  }
}
