import LibC
import Testing
import Timelines

@testable import Harness

/// Reading and merging of reports.
@Suite struct ReportingMergeTests {
  private typealias Part = (path: String, report: RunReport)

  /// Divides a run into parts, each as if it were read from a separate file.
  private func parts(of whole: RunReport, count: Int, seed: UInt64) throws -> [Part] {
    var numbers = SeededNumbers(seed)
    var parts = (0..<count).map { index in
      var part = RunReport()
      part.version = whole.version
      part.isComplete = true
      part.shard = .init(index: index + 1, of: count, digest: "d")
      return part
    }
    for test in whole.tests {
      // The fences of one file stay together, because a file belongs to one shard.
      let place = test.fence > 0 ? test.path.utf8.reduce(0) { $0 + Int($1) } % count : nil
      parts[place ?? Int.random(in: 0..<count, using: &numbers)].tests.append(test)
    }
    parts[0].others = whole.others
    parts[count - 1].transitions = whole.transitions
    for index in parts.indices { parts[index].settle() }
    return try parts.shuffled(using: &numbers).map { part in
      let name = "shard-\(part.shard?.index ?? 0).json"
      return (name, try RunReport(json: Array(part.json().utf8), path: name))
    }
  }

  private func forms(_ report: RunReport) -> [String] {
    [
      report.json(), PlainReport(report: report, colour: false).text,
      TAPReport(report: report).text,
      JUnitReport(report: report).text, GitHubReport(report: report).text,
      MarkdownReport(report: report).text, HTMLReport(report: report).text,
    ]
  }

  @Test(arguments: 1..<13)
  func `a report survives JSON unchanged`(seed: UInt64) throws {
    let report = RunReport.random(count: 30, seed: seed)
    #expect(try RunReport(json: Array(report.json().utf8), path: "r.json") == report)
  }

  @Test(arguments: 1..<13)
  func `merged parts equal the report of the whole run, byte for byte`(seed: UInt64) throws {
    let whole = RunReport.random(count: 60, seed: seed)
    let parts = try parts(of: whole, count: Int(seed % 7) + 1, seed: seed + 1000)

    let merged = try RunReport(merging: parts)
    #expect(merged == whole)
    #expect(forms(merged) == forms(whole))
  }

  @Test(arguments: [
    (TranscriptProblem.differs(after: nil), "\"kind\": \"differs\"}"),
    (.differs(after: 3), "\"kind\": \"differs\", \"number\": 3}"),
    (.crashed(signal: 6), "\"kind\": \"crashed\", \"number\": 6}"),
    (.stray(.conflictMarker), "\"kind\": \"conflictMarker\"}"),
    (.stray(.conflict(lastLine: 6)), "\"kind\": \"conflict\", \"number\": 6}"),
    (.stray(.outputAlone), "\"kind\": \"outputAlone\"}"),
    (.stray(.repeatedFixture("a")), "\"kind\": \"repeatedFixture\", \"text\": \"a\"}"),
    (.file(.notUTF8(line: 2)), "\"kind\": \"notUTF8\", \"number\": 2}"),
  ])
  func `a problem is encoded as a word, without empty fields`(
    problem: TranscriptProblem,
    ending: String
  ) throws {
    var report = RunReport.small
    report.tests[1].failures = [TranscriptFailure(path: "b", line: 1, problem: problem)]

    let text = report.json()
    let line = try #require(text.split(separator: "\n").first { $0.contains("\"failure\"") })
    #expect(line.hasSuffix(ending))
    #expect(!line.contains("diff\"") && !line.contains("notes"))
    #expect(try RunReport(json: Array(text.utf8), path: "r.json") == report)
  }

  @Test func `a missing shard is named`() throws {
    var parts = try parts(of: .random(count: 20, seed: 3), count: 4, seed: 3)
    parts.removeAll { $0.report.shard?.index == 2 }

    #expect(throws: ReportProblem.missingShards([2], count: 4)) { try RunReport(merging: parts) }
  }

  @Test func `the same shard twice is refused`() throws {
    var parts = try parts(of: .random(count: 20, seed: 3), count: 1, seed: 3)
    parts.append(("again.json", parts[0].report))

    #expect(
      throws: ReportProblem.repeatedShard("shard-1.json", "again.json", index: 1, count: 1)
    ) { try RunReport(merging: parts) }
  }

  @Test func `the same transcript twice is refused`() throws {
    let report = RunReport.small

    #expect(throws: ReportProblem.repeated(transcript: "a/good.transcript", "1", "2")) {
      try RunReport(merging: [("1", report), ("2", report)])
    }
  }

  @Test(arguments: ["./a/good.transcript", "b/../a/good.transcript", "a//good.transcript"])
  func `the same transcript by another path is refused`(path: String) throws {
    var other = RunReport.small
    other.tests = [TranscriptResult(path: path, outcome: .passed)]

    #expect(throws: ReportProblem.repeated(transcript: path, "1", "2")) {
      try RunReport(merging: [("1", .small), ("2", other)])
    }
  }

  @Test func `the same transcript by a link is refused, unless one report has both`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.transcript", "> echo a\n")
    #expect(symlink("a.transcript", folder.path + "/b.transcript") == 0)
    let reports = ["a", "b"].map { name in
      var report = RunReport()
      report.version = RunReport.small.version
      report.tests = [TranscriptResult(path: "\(folder.path)/\(name).transcript", outcome: .passed)]
      return report
    }
    let path = reports[1].tests[0].path

    #expect(throws: ReportProblem.repeated(transcript: path, "1", "2")) {
      try RunReport(merging: [("1", reports[0]), ("2", reports[1])])
    }
    var both = reports[0]
    both.tests += reports[1].tests
    #expect(try RunReport(merging: [("1", both), ("2", .small)]).passed == 3)
  }

  @Test func `merged whole runs are not one whole run, and the report says so`() throws {
    var other = RunReport()
    other.version = RunReport.small.version
    other.tests = [TranscriptResult(path: "c.transcript", outcome: .passed)]
    let merged = try RunReport(merging: [("1", .small), ("2", other)])

    #expect(merged.notes == ["merged from 2 reports of whole runs, not of shards"])
    for form in forms(merged) { #expect(form.contains("from 2 reports of whole runs")) }
    #expect(try RunReport(merging: [("1", .small)]).notes.isEmpty)
  }

  @Test func `shards that read different contents of a file are refused`() throws {
    var parts = try parts(of: .random(count: 20, seed: 3), count: 2, seed: 3)
    parts[0].report.readings = ["t/a.rehearse": "1", "t/b.rehearse": "2"]
    parts[1].report.readings = ["t/b.rehearse": "2"]
    let json = parts[0].report.json()

    #expect(try RunReport(json: Array(json.utf8), path: "r").readings == parts[0].report.readings)
    #expect(try RunReport(merging: parts).readings.isEmpty)
    parts[1].report.readings["t/a.rehearse"] = "3"
    #expect(
      throws: ReportProblem.mixedReadings("t/a.rehearse", parts[0].path, parts[1].path)
    ) { try RunReport(merging: parts) }
  }

  @Test func `a report with coverage and one without are refused`() throws {
    var other = RunReport.small
    other.tests = []
    other.countsTransitions = true

    #expect(throws: ReportProblem.mixedCoverage("1", "2")) {
      try RunReport(merging: [("1", .small), ("2", other)])
    }
  }

  @Test func `shards fail if nothing passed or nothing was replayed`() throws {
    var parts = try parts(of: .random(count: 0, seed: 1), count: 2, seed: 1)
    let nothing = try RunReport(merging: parts)
    #expect(nothing.exit == .usage)
    #expect(nothing.problems.first?.hasPrefix("no transcript to replay") == true)

    parts[0].report.tests = [TranscriptResult(path: "a", outcome: .knownFlaky)]
    let forgiven = try RunReport(merging: parts)
    #expect(forgiven.exit == .differences)
    #expect(forgiven.problems.first?.hasPrefix("no transcript passed") == true)
    for form in forms(forgiven) { #expect(form.contains("no transcript passed")) }
  }

  @Test func `every report names its shard and the number of omitted notes`() throws {
    var part = RunReport.small
    part.shard = .init(index: 2, of: 3, digest: "d")
    part.notes = (1...30).map { "note \($0)" }

    for form in forms(part).dropFirst() { #expect(form.contains("only shard 2/3 was run")) }
    #expect(part.json().contains("{\"type\": \"shard\", \"index\": 2, \"count\": 3"))
    #expect(MarkdownReport(report: part).text.contains("*11 more notes do not fit here.*"))
  }

  @Test func `reports of two versions are refused`() throws {
    var other = RunReport.small
    other.version = "2.0"

    #expect(throws: ReportProblem.mixedVersions("1", "2")) {
      try RunReport(merging: [("1", .small), ("2", other)])
    }
  }

  @Test func `shards of different counts are refused`() throws {
    var (one, two) = (RunReport.small, RunReport.small)
    one.shard = .init(index: 1, of: 2, digest: "d")
    two.shard = .init(index: 2, of: 3, digest: "d")

    #expect(throws: ReportProblem.mixedShards("1", "2")) {
      try RunReport(merging: [("1", one), ("2", two)])
    }
  }

  @Test func `shards of different selections are refused`() throws {
    var (one, two) = (RunReport.small, RunReport.small)
    one.shard = .init(index: 1, of: 2, digest: "c")
    two.shard = .init(index: 2, of: 2, digest: "d")

    #expect(throws: ReportProblem.mixedSelections("1", "2")) {
      try RunReport(merging: [("1", one), ("2", two)])
    }
  }

  @Test func `a shard without a digest of its selection is refused`() throws {
    var report = RunReport.small
    report.shard = .init(index: 1, of: 2, digest: "d")
    let text = report.json().replacing(", \"digest\": \"d\"", with: "")

    #expect(throws: ReportProblem.noDigest("r")) {
      try RunReport(json: Array(text.utf8), path: "r")
    }
  }

  @Test(arguments: 1..<5)
  func `a report with missing or additional lines is refused`(seed: UInt64) throws {
    let report = RunReport.random(count: 20, seed: seed)
    let lines = report.json().split(separator: "\n")
    for index in lines.indices {
      var (fewer, more) = (lines, lines)
      fewer.remove(at: index)
      more.insert(lines[index], at: index)
      for text in [fewer, more].map({ $0.joined(separator: "\n") }) {
        #expect(throws: ReportProblem.self, "line \(index + 1)") {
          try RunReport(merging: [("r", RunReport(json: Array(text.utf8), path: "r"))])
        }
      }
    }
  }

  @Test(arguments: [
    ("\"ok\": false", "\"ok\": true", "'ok' does not agree with the lines above"),
    ("\"passed\": 1", "\"passed\": 2", "it counts 2 'passed', but lists 1"),
    ("\"failed\": 1", "\"failed\": 0", "it counts 0 'failed', but lists 1"),
    ("\"notReplayed\": 0", "\"notReplayed\": 1", "it counts 1 'notReplayed', but lists 0"),
    ("\"lines\": 5", "\"lines\": 4", "it counts 4 lines, but has 5"),
    (", \"lines\": 5", "", "'lines' is missing or invalid"),
    (
      "\"outcome\": \"failed\"", "\"outcome\": \"passed\"",
      "a failure that follows no failed transcript"
    ),
  ])
  func `counts that differ from the lines are refused`(
    old: String,
    new: String,
    reason: String
  ) throws {
    let text = RunReport.small.json()
    #expect(text.contains(old))
    let problem = #expect(throws: ReportProblem.self) {
      try RunReport(json: Array(text.replacing(old, with: new).utf8), path: "r")
    }
    #expect(problem?.sentence.hasSuffix(": \(reason)") == true)
  }

  @Test func `a truncated report is refused`() throws {
    let lines = RunReport.small.json().split(separator: "\n").dropLast().joined(separator: "\n")

    #expect(throws: ReportProblem.unfinished("r")) {
      try RunReport(json: Array(lines.utf8), path: "r")
    }
  }

  @Test func `two concatenated reports are refused`() throws {
    let whole = RunReport.small.json()
    let cut = whole.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    for text in [whole + whole, cut + whole] {
      let line = text.split(separator: "\n").count - whole.split(separator: "\n").count + 1
      #expect(
        throws: ReportProblem.badLine(
          "r",
          line: line,
          reason: "another report begins; name a file for each"
        )
      ) { try RunReport(json: Array(text.utf8), path: "r") }
    }
    let behind = whole + "{\"type\": \"note\", \"text\": \"x\"}\n"
    #expect(throws: ReportProblem.self) { try RunReport(json: Array(behind.utf8), path: "r") }
  }

  @Test(arguments: ["", "{}", "not JSON", "{\"type\": \"begin\"}", "[1]"])
  func `a file that is not a report is refused`(text: String) {
    #expect(throws: ReportProblem.self) { try RunReport(json: Array(text.utf8), path: "r") }
  }

  @Test func `no text of a report reaches a terminal as an escape sequence`() {
    let awkward = "\u{1B}[31m"
    let problems: [ReportProblem] = [
      .repeated(transcript: awkward, "a", "b"), .badLine("a", line: 2, reason: awkward),
    ]
    #expect(problems.allSatisfy { !$0.sentence.contains("\u{1B}") })
  }

  @Test func `a damaged line is reported with its number`() throws {
    let lines = RunReport.small.json().split(separator: "\n").map(String.init)
    let text = ([lines[0], "{\"type\": \"transcript\"}"] + lines.dropFirst()).joined(
      separator: "\n"
    )

    #expect(
      throws: ReportProblem.badLine(
        "r",
        line: 2,
        reason: "'outcome' is missing or invalid"
      )
    ) { try RunReport(json: Array(text.utf8), path: "r") }
  }

  @Test(arguments: [
    ("\"shard\", \"index\": 1, \"count\": 1000000000", "there is no shard 1/1000000000"),
    ("\"shard\", \"index\": 1, \"count\": 0", "there is no shard 1/0"),
    ("\"shard\", \"index\": 99, \"count\": 3", "there is no shard 99/3"),
    ("\"shard\", \"index\": -9223372036854775808, \"count\": 3", nil),
    ("\"end\", \"others\": {\"other\": 9223372036854775807}", nil),
    ("\"end\", \"others\": {\"other\": -1}", "'other' is -1, which is out of range"),
    ("\"end\", \"others\": {\"other\": \"1\"}", "'other' is missing or invalid"),
    ("\"end\", \"notReplayed\": 9223372036854775807", nil),
    ("\"transitions\", \"machine\": \"m\", \"counts\": [[0, 9223372036854775807]]", nil),
    ("\"transcript\", \"path\": \"a\", \"outcome\": \"flaky\", \"passes\": -1, \"fails\": 1", nil),
    (
      "\"transcript\", \"path\": \"a\", \"outcome\": \"passed\", \"time\": 9223372036854775807",
      "'time' is longer than any run"
    ),
  ])
  func `an impossible number is refused with its line`(fields: String, reason: String?) {
    let begin = RunReport.small.json().split(separator: "\n")[0]
    let problem = #expect(throws: ReportProblem.self) {
      try RunReport(json: Array("\(begin)\n{\"type\": \(fields)}\n".utf8), path: "r")
    }

    guard case .badLine("r", line: 2, let told) = problem else {
      Issue.record("\(problem?.sentence ?? "it was taken")")
      return
    }
    #expect(reason == nil || told == reason)
  }

  @Test func `an unknown signal is shown as a number`() {
    #expect(TranscriptProblem.crashed(signal: .max).sentence == "crashed, by signal \(Int.max)")
  }

  @Test func `lines of a newer version are skipped`() throws {
    let lines = RunReport.small.json().split(separator: "\n").map(String.init)
    let text = ([lines[0], "{\"type\": \"weather\", \"sun\": 3}"] + lines.dropFirst())
      .joined(separator: "\n").replacing("\"lines\": 5", with: "\"lines\": 6")

    #expect(try RunReport(json: Array(text.utf8), path: "r") == .small)
  }
}
