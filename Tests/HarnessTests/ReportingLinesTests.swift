import Testing

@testable import Harness

/// Reports that consist of lines: TAP, annotations and the plain report.
@Suite struct ReportingLinesTests {
  @Test func `TAP has a point for each transcript and YAML for each failure`() {
    #expect(
      TAPReport(report: .small).text == """
        TAP version 14
        1..2
        ok 1 - a/good.transcript: A load settles.
        not ok 2 - b/bad.transcript
          ---
          message: "output differs"
          severity: fail
          failures:
            - message: "output differs"
              file: "b/bad.transcript"
              line: 5
              command: "settle"
              diff:
                - "      0.000s  a  absent → loading #1"
                - "-     1.000s  a  loading #1 → loaded 1"
                - "+     2.000s  a  loading #1 → loaded 2"
          ...
        # 1 passed, 1 failed

        """
    )
  }

  @Test func `notes about a crash are not a difference in TAP`() {
    var report = RunReport.small
    report.tests[1].failures[0].diff = []
    report.tests[1].failures[0].notes = ["the process wrote: \"Fatal\""]

    let text = TAPReport(report: report).text
    #expect(!text.contains("diff:"))
    #expect(
      text.contains("\n      notes:\n        - \"the process wrote: \\\"Fatal\\\"\"\n  ...\n")
    )
  }

  @Test func `TAP spells out characters that reorder text`() {
    var report = RunReport.small
    report.tests[1].failures[0].command = "\u{202E}b\u{E0001}"

    #expect(TAPReport(report: report).text.contains(#"command: "\u202eb\U000e0001""#))
  }

  @Test func `TAP shows the fences of a file as its subtest`() {
    var report = RunReport()
    report.tests = [1, 2].map { TranscriptResult(path: "README.md", fence: $0, outcome: .passed) }
    report.tests[1].outcome = .failed
    report.tests.append(TranscriptResult(path: "z.transcript", outcome: .passed))
    report.settle()

    #expect(
      TAPReport(report: report).text == """
        TAP version 14
        1..2
        # Subtest: README.md
            1..2
            ok 1 - code block 1
            not ok 2 - code block 2
        not ok 1 - README.md
        ok 2 - z.transcript
        # 2 passed, 1 failed

        """
    )
  }

  @Test func `no name looks like a TAP directive`() {
    var report = RunReport.small
    report.tests[0].name = "50 # SKIP \\ all\n1..9"

    let text = TAPReport(report: report).text
    #expect(text.contains("ok 1 - a/good.transcript: 50 \\# SKIP \\\\ all\\\\u{a}1..9\n"))
  }

  @Test func `TAP marks known flaky and unplayed transcripts`() {
    var report = RunReport.small
    report.tests[0].outcome = .notReplayed
    report.tests[0].reason = "time was up"
    report.tests[1].outcome = .knownFlaky
    report.problems = ["the list of flaky ones is too long"]

    let lines = TAPReport(report: report).text.split(separator: "\n")
    #expect(lines[2] == "ok 1 - a/good.transcript: A load settles. # SKIP time was up")
    #expect(lines[3] == "not ok 2 - b/bad.transcript # TODO known to be flaky")
    #expect(lines.contains("Bail out! the list of flaky ones is too long"))
  }

  @Test func `an empty run is an empty plan`() {
    #expect(TAPReport(report: RunReport()).text.contains("\n1..0 # SKIP nothing was replayed\n"))
  }

  @Test func `an annotation of GitHub is at the failing line`() {
    #expect(
      GitHubReport(report: .small).text == """
        ::error file=b/bad.transcript,line=5,title=output differs:: > settle%0A      0.000s  a  absent → \
        loading #1%0A-     1.000s  a  loading #1 → loaded 1%0A+     2.000s  a  loading #1 → loaded 2%0A\
        to accept: rehearse test --update b/bad.transcript
        1 passed, 1 failed

        """
    )
  }

  @Test func `the warning about a known flaky transcript is at the line that differs`() {
    var report = RunReport.small
    report.tests[1].outcome = .knownFlaky
    report.tests[1].reason = "The socket is slow."

    let line = GitHubReport(report: report).text.split(separator: "\n")[0]
    #expect(
      line
        == "::warning file=b/bad.transcript,line=5,title=known to be flaky::The socket is slow."
    )
  }

  @Test func `annotations escape their delimiters`() {
    var report = RunReport.small
    report.tests[1].path = "a,b:c%.transcript"
    report.tests[1].name = "100%\r\nsure"
    report.tests[1].failures = [
      TranscriptFailure(path: "a,b:c%.transcript", line: 0, problem: .noCommand)
    ]

    let line = GitHubReport(report: report).text.split(separator: "\n")[0]
    #expect(
      line
        == "::error file=a%2Cb%3Ac%25.transcript,title=no command in this transcript::100%25\\u{d}\\u{a}sure%0A"
        + (TranscriptProblem.noCommand.hint.map { "hint: " + $0 } ?? "")
        || line.hasSuffix("::100%25\\u{d}\\u{a}sure")
    )
  }

  @Test func `no escape sequence in a path, a name or a note reaches a log`() {
    var report = RunReport.small
    let awkward = "\u{1B}[31mred\r\n::error::x"
    report.tests[0] = TranscriptResult(path: awkward, outcome: .knownFlaky)
    report.tests[0].reason = awkward
    report.tests[1].path = awkward
    report.tests[1].failures = [
      TranscriptFailure(path: awkward, line: 1, problem: .stray(.repeatedFixture(awkward)))
    ]
    (report.notes, report.problems) = ([awkward], [awkward])

    for text in [GitHubReport(report: report).text, TAPReport(report: report).text] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" })
      #expect(!text.contains("\n::error::x"))
    }
  }

  @Test(arguments: 0..<20)
  func `no line of a transcript reaches GitHub as a command`(seed: UInt64) {
    let report = RunReport.random(count: 40, seed: seed)
    for line in GitHubReport(report: report).text.split(separator: "\n") {
      let isOurs = ["::error file=", "::warning file=", "::notice::expects a failure: "].contains {
        line.hasPrefix($0)
      }
      #expect(isOurs || line == report.summary)
    }
  }

  @Test func `the plain report of a green run is one line`() {
    var report = RunReport()
    report.passed = 12
    #expect(PlainReport(report: report, colour: false).text == "12 passed\n")
  }

  @Test(arguments: [
    ("a.transcript", "sub/a.transcript"), ("/w/sub/t/a.md", "sub/t/a.md"), ("../a.md", "a.md"),
    ("/elsewhere/a.md", "/elsewhere/a.md"), ("../../a.md", "../../a.md"), ("/wide/a", "/wide/a"),
  ])
  func `annotations use paths relative to the checkout`(path: String, file: String) {
    var report = RunReport.small
    report.tests[1].failures = [TranscriptFailure(path: path, line: 5, problem: .noCommand)]
    let checkout = Checkout("/w/", current: "/w/sub")
    let text = GitHubReport(report: report, checkout: checkout).text

    #expect(text.hasPrefix("::error file=\(file),line=5,"))
  }

  @Test func `files that are not read again for lack of time are counted`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.md", "b.md", "c.md"] {
      try folder.write(name, "```transcript\n> echo a\n  a\n```\n")
    }
    let entries = TranscriptSelection(paths: [folder.path]).entries
    let finished = FileCounts(passes: 1, plays: 1, transcripts: 1, isFinished: true)
    var stopped = finished
    stopped.isFinished = false
    var left = 1
    let report = RunReport(
      entries,
      [],
      [finished, finished, stopped],
      reason: "time was up",
      isComplete: true,
      hasTimes: false,
      mayRead: {
        left -= 1
        return left >= 0
      }
    )

    #expect(report.unreadFiles == 2)
    #expect(report.passed == 3)
    #expect(report.notReplayed == 1)
    #expect(report.tests.map(\.outcome) == [.passed, .notReplayed])
  }
}
