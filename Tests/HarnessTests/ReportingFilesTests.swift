import FakePerformer
import Foundation
import Synchronization
import Testing
import Timelines

@testable import Harness

/// The output files of reports, which must not be files that a run reads or writes for another purpose.
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
    (["tap=./notes.txt", "notes.txt"], "./notes.txt", "a file that is replayed"),
    (["markdown=plain.md", "plain.md"], "plain.md", "a file that is replayed"),
    (["markdown=t/../t/page.md", "t"], "t/../t/page.md", "a file that is replayed"),
    (["markdown=link.md", "t"], "link.md", "a file that is replayed"),
    (["markdown=u/page.md", "t"], "u/page.md", "a file that is replayed"),
    (["markdown=t/page.md", "--filter", "zzz", "t"], "t/page.md", "a file that is replayed"),
    (["markdown=t/page.md", "notes.txt"], "t/page.md", "a page of transcripts"),
    (["json=./h", "--history", "h", "t"], "./h", "the history of tests"),
    (["json=u/new", "--history", "t/new", "t"], "u/new", "the history of tests"),
    (["json=kf", "--known-flaky", "kf", "t"], "kf", "the list of known flaky transcripts"),
    (["json=x", "--reporter", "tap=u/../x", "t"], "u/../x", "another report"),
  ])
  func `a report that would overwrite another file is refused before anything is played`(
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
        error: \(path): the report would overwrite \(victim)
        hint: name another file for the report, because it overwrites the file

        """
    )
    #expect(try folder.names == ["h", "kf", "link.md", "notes.txt", "plain.md", "t", "u"])
    #expect(try folder.text("t/a.transcript") == Self.good)
    #expect(try folder.text("t/page.md") == Self.page)
    #expect(try folder.text("kf") == Self.list && folder.text("h") == Self.history)
  }

  @Test func `a report replaces an earlier one, even in a folder of transcripts`() throws {
    let folder = try folder()
    let flags = ["markdown=t/report.md", "json=t/all.json", "tap=t/.transcript.tap"]
      .flatMap { ["--reporter", $0] }
    let first = try HostRun(in: folder, flags + ["t"])
    let report = try folder.text("t/report.md")

    #expect(first == HostRun(code: 0, text: "2 passed\n"))
    #expect(try HostRun(in: folder, flags + ["t"]) == first)
    #expect(try folder.text("t/report.md") == report)
  }

  @Test func `coverage is written into separate files`() throws {
    var coverage = CoverageOptions { _ in [] }
    coverage.jsonPath = "out/all.json"
    coverage.diagramPath = "README.md"
    var reporters = Reporters()
    #expect(throws: Never.self) { try ReportFiles(reporters, coverage).checkNames() }
    #expect(throws: ReportFiles.Conflict.self) {
      try ReportFiles(reporters, coverage).check("./README.md", is: "a file that is replayed")
    }
    reporters.chosen = [.init(.json, file: "out/./all.json")]
    #expect(throws: ReportFiles.Conflict.self) {
      try ReportFiles(reporters, coverage).checkNames()
    }
  }

  @Test func `during a run, its report files contain no earlier report`() throws {
    let folder = try TemporaryFolder(["t/a.transcript": "> echo a\n  a\n"])
    let forms = Reporters.Reporter.Form.allCases
    var options = TranscriptRunner.Options()
    options.reporters.chosen = forms.map { .init($0, file: "\(folder.path)/o.\($0.rawValue)") }
    let read = { try forms.map { try folder.text("o.\($0.rawValue)") } }
    let seen = Mutex<[String]>([])
    let runner = TranscriptRunner(options: options) { fixtures, path in
      seen.withLock { $0 += (try? read()) ?? [] }
      return FakePerformer(fixtures, path)
    }

    #expect(runner.runInProcess(paths: [folder.path + "/t"]) { _ in } == .success)
    #expect(seen.withLock(\.self).isEmpty)
    let first = try read()
    #expect(runner.runInProcess(paths: [folder.path + "/t"]) { _ in } == .success)
    let meanwhile = seen.withLock(\.self)
    #expect(meanwhile.count == forms.count)
    #expect(meanwhile.allSatisfy { $0.contains("this run has not ended") })
    #expect(try read() == first)
  }

  /// A run of two files, of which the second was not started.
  private func unfinished(_ problem: String?, _ reporters: Reporters) -> (ProgramExit, String) {
    let bytes = Array("> echo a\n  a\n".utf8)
    let plan = RunPlan(
      contents: ["a", "b"].map { .init(path: $0 + ".transcript", isNamed: true, bytes: bytes) }
    )
    var options = TranscriptRunner.Options()
    options.reporters = reporters
    var text = ""
    let runner = TranscriptRunner(options: options) { FakePerformer($0, $1) }
    let place = { (place: Int) -> FileCounts.AtPlace in (place == 0 ? 1 : 0, 0, place == 0) }
    let exit = runner.finish(plan, [], last: 2, problem: problem, { text += $0 }, place: place)
    return (exit, text)
  }

  @Test(arguments: Reporters.Reporter.Form.allCases)
  func `a file that no worker played fails the run in every form`(
    form: Reporters.Reporter.Form
  ) throws {
    let folder = try TemporaryFolder()
    var reporters = Reporters()
    reporters.chosen = [.init(form, file: folder.path + "/o")]
    let (exit, text) = unfinished("a worker was lost", reporters)

    #expect(exit == .differences)
    for report in [text, try folder.text("o")] {
      #expect(report.contains("only 1 of 2 files were replayed to their end"))
      #expect(report.contains("a worker was lost"))
    }
  }

  @Test func `a worker that ended without a message fails the run`() {
    let (exit, text) = unfinished(nil, Reporters())

    #expect(exit == .differences)
    #expect(
      text.hasSuffix("only 1 of 2 files were replayed to their end\n1 passed, 1 not replayed\n")
    )
  }

  @Test func `a threshold without any coverage is not met`() {
    let known = StateDiagram(title: "m", machine: "m", counts: [:], possible: [])
    let unknown = StateDiagram(title: "u", machine: "u", counts: [:], possible: nil)
    let report = { (diagrams: [StateDiagram]) in
      var coverage = CoverageOptions { _ in diagrams }
      coverage.threshold = 1
      var text = ""
      let exit = Reporters().deliver(.small, coverage: coverage) { text += $0 }
      return (exit, text)
    }

    #expect(report([known]).1.contains("compared") == false)
    #expect(report([known, unknown]).1.contains("note: 'u' is not compared with the threshold: "))
    #expect(report([unknown]).1.contains("error: no machine has a known number of transitions, "))
  }

  @Test func `a list that was deleted during the run is an error in every report`() throws {
    let folder = try TemporaryFolder([
      "a.transcript": "> echo a\n  a\n", "list": "limit 1\n\(0)/a.transcript\n",
    ])
    var options = TranscriptRunner.Options()
    options.knownFlaky = folder.path + "/list"
    options.reporters.chosen = [.init(.json, file: folder.path + "/o")]
    let runner = TranscriptRunner(options: options) { fixtures, path in
      unlink(folder.path + "/list")
      return FakePerformer(fixtures, path)
    }
    var text = ""

    #expect(runner.runInProcess(paths: [folder.path + "/a.transcript"]) { text += $0 } == .usage)
    for report in [text, try folder.text("o")] {
      #expect(report.contains("/list: there is no such file"))
    }
  }
}
