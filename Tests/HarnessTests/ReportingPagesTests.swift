import Foundation
import Testing
import Timelines

@testable import Harness

/// Reports that are documents: JUnit XML, Markdown, HTML.
@Suite struct ReportingPagesTests {
  @Test(arguments: 0..<12)
  func `the XML is valid for any transcript`(seed: UInt64) {
    var report = RunReport.random(count: 40, seed: seed)
    if seed % 2 == 0 { report.problems = ["the run ]]> & \u{0} failed"] }

    #expect(JUnitSchema(checking: JUnitReport(report: report).text).problems == [])
  }

  @Test func `the XML checker finds mistakes`() {
    let text = JUnitReport(report: .small).text
    let broken = [
      text.replacing("failures=\"1\"", with: "failures=\"2\""),
      text.replacing(" hostname=\"localhost\"", with: ""),
      text.replacing("<properties></properties>", with: ""),
      text.replacing(" type=\"differs\"", with: " line=\"5\" type=\"differs\""),
      text.replacing("output differs", with: "<output"),
      text.replacing(
        "<system-out></system-out>\n    <system-err></system-err>",
        with: "<system-err/><system-out/>"
      ),
    ]
    #expect(broken.allSatisfy { !JUnitSchema(checking: $0).problems.isEmpty })
  }

  @Test func `a failure in XML has the text of the terminal`() {
    let xml = JUnitSchema(checking: JUnitReport(report: .small).text)
    #expect(xml.names == ["good: A load settles.", "bad"])
    #expect(
      xml.texts.joined().hasPrefix("b/bad.transcript:5: output differs\n > settle\n")
    )
  }

  @Test func `XML spells out control characters and keeps emoji`() {
    var report = RunReport.small
    report.tests[0].name = "a\u{1}b\u{FFFF} 😀 ]]>"

    let xml = JUnitSchema(checking: JUnitReport(report: report).text)
    #expect(xml.problems == [])
    #expect(xml.names.first == "good: a\\u{1}b 😀 ]]>")
  }

  @Test func `names that differ in invisible characters differ in every document`() {
    let names = ["a\nb", "a b", "a\u{1}b", "ab", "a\u{202E}b", "a\u{A0}b"]
    var report = RunReport()
    report.tests = names.map { TranscriptResult(path: "\($0).transcript", outcome: .failed) }
    let xml = JUnitReport(report: report).text
    let cases = xml.matches(of: /<testcase name="([^"]*)" classname="([^"]*)"/)
    #expect(Set(cases.map(\.1)).count == names.count)
    #expect(Set(cases.map(\.2)).count == names.count)
    #expect(xml.contains(#"name="a\u{a}b" classname="a\u{a}b.transcript""#))
    for text in [MarkdownReport(report: report).text, HTMLReport(report: report).text] {
      #expect(Set(text.matches(of: /<code>([^<]*)<\/code>/).map(\.1)).count == names.count)
    }
    var tab = XMLText()
    tab.attribute("name", "a\tb")
    #expect(tab.text == " name=\"a&#9;b\"")
  }

  @Test func `times are reported only if there are any`() {
    var report = RunReport.small
    #expect(!JUnitReport(report: report).text.contains("time=\"0."))
    report.tests[0].time = .microseconds(12_345)
    #expect(
      JUnitReport(report: report).text.contains("classname=\"a/good.transcript\" time=\"0.012\"")
    )
    #expect(TAPReport(report: report).text.contains("\n  duration_ms: 12.345\n"))
  }

  // MARK: Markdown

  @Test func `a summary has counts, a table, and each failure with its picture`() {
    let text = MarkdownReport(report: .small).text

    #expect(text.hasPrefix("### ❌ rehearse: 1 passed, 1 failed\n"))
    #expect(text.contains("| <code>b/bad.transcript:5</code> | output differs |\n"))
    #expect(text.contains("<details><summary>b/bad.transcript</summary>\n"))
    #expect(text.contains("```diff\n > settle\n"))
    #expect(text.contains("the first difference is at 2.000s:\n\n```mermaid\ngantt\n"))
    #expect(
      text.contains("  section differs\n    from here :crit, milestone, parting, 2000, 0ms\n")
    )
  }

  @Test func `a green summary is one line`() {
    var report = RunReport.small
    report.tests.removeLast()
    #expect(MarkdownReport(report: report).text == "### ✅ rehearse: 1 passed\n")
  }

  @Test(arguments: [10, 200, 2_000])
  func `a summary fits a comment and counts the rest`(count: Int) {
    var report = RunReport.random(count: count, seed: 5)
    for index in report.tests.indices { report.tests[index].outcome = .failed }
    for index in report.tests.indices where report.tests[index].failures.isEmpty {
      report.tests[index].failures = RunReport.small.tests[1].failures
    }

    let text = MarkdownReport(report: report).text
    let told = text.components(separatedBy: "<details>").count - 1
    #expect(text.utf8.count <= 65_536)
    #expect(
      told == count
        || text.hasSuffix("*\(count - told) more do not fit into a comment of 64 kB.*\n")
    )
  }

  @Test func `no text of a transcript ends its fence or mentions a user`() {
    var report = RunReport.small
    report.tests[1].name = "@everyone `<img src=x>` [a](b)"
    report.tests[1].failures[0].diff = [.init(.actual, "```"), .init(.actual, "````` </details>")]

    let text = MarkdownReport(report: report).text
    #expect(text.contains("\n``````diff\n"))
    #expect(!text.contains("@") && !text.contains("<img"))
  }

  // MARK: HTML

  @Test(arguments: 0..<4)
  func `a page loads nothing from the network and executes no text of a transcript`(seed: UInt64) {
    var report = RunReport.random(count: 30, seed: seed)
    report.tests[0].name = "</summary><script>alert(1)</script>"

    let page = HTMLReport(report: report).text
    #expect(page.components(separatedBy: "<script").count == 2)
    let links = page.matches(of: /(src|href)=|url\(|https?:\/\/[^"]*/).map {
      String(page[$0.range])
    }
    #expect(Set(links).subtracting(["http://www.w3.org/2000/svg"]).isEmpty)
    #expect(page.contains("default-src 'none'"))
  }

  @Test func `a page shows failures first, open and drawn`() throws {
    let page = HTMLReport(report: .small).text
    let bad = try #require(page.range(of: "<details class=\"failed\" open>"))
    let good = try #require(page.range(of: "<div class=\"passed\">"))
    let picture = try #require(page.range(of: "<svg "))

    #expect(bad.lowerBound < picture.lowerBound && picture.lowerBound < good.lowerBound)
    #expect(page.contains("<ins>+     <b>2.000s</b>  a  loading #1 → loaded <b>2</b></ins>"))
    #expect(page.contains(">differs</text>"))
  }

  @Test func `a transcript without details is not expandable`() {
    var report = RunReport.random(count: 60, seed: 9)
    report.tests[0] = TranscriptResult(path: "a.transcript", outcome: .flaky)
    let empty = report.tests.filter { $0.failures.isEmpty && $0.reason == nil }

    let page = HTMLReport(report: report).text
    #expect(!page.contains("</summary>\n</details>"))
    #expect(page.components(separatedBy: "<div class=").count == empty.count + 1)
    #expect(page.components(separatedBy: "<details class=").count == 60 - empty.count + 1)
  }

  @Test func `changed words are marked`() {
    var report = RunReport.small
    report.tests[1].failures[0].diff = [
      .init(.expected, "a <b> 1"), .init(.actual, "a <b> 2\u{7}"), .init(.actual, "- new"),
    ]

    let page = HTMLReport(report: report).text
    #expect(page.contains("<del>-  a &lt;b&gt; <b>1</b></del>\n"))
    #expect(page.contains("<ins>+  a &lt;b&gt; <b>2\\u{7}</b></ins>\n<ins>+  - new</ins>\n"))
  }

  @Test func `a failure without events is not drawn`() {
    var report = RunReport.small
    var recording = Recording()
    _ = recording.addLane(.init(name: "a", word: "loadable", initial: "absent", phase: .resting))
    report.tests[1].recording = recording

    #expect(!HTMLReport(report: report).text.contains("<figure>"))
    #expect(!MarkdownReport(report: report).text.contains("What happened"))
  }

  @Test func `a page draws a limited number of failures and names the others`() {
    var report = RunReport.small
    report.tests = Array(repeating: report.tests[1], count: HTMLReport.pictureLimit + 3)

    let page = HTMLReport(report: report).text
    #expect(page.components(separatedBy: "<svg ").count == HTMLReport.pictureLimit + 1)
    #expect(page.components(separatedBy: "Not drawn").count == 4)
  }

  @Test func `documents show the command that accepts, as a terminal does`() {
    var report = RunReport.small
    report.program = "SearchShell"
    report.tests[1].failures[0].acceptance = "accept --pending out b/bad.transcript:5"

    for text in [
      MarkdownReport(report: report).text, HTMLReport(report: report).text,
      GitHubReport(report: report).text, JUnitReport(report: report).text,
    ] { #expect(text.contains("to accept: SearchShell accept --pending out b/bad.transcript:5")) }
  }

  // MARK: Output files

  @Test(arguments: [
    ("tap", Reporters.Reporter(.tap)), ("junit=out/a=b.xml", .init(.junit, file: "out/a=b.xml")),
    ("json=", nil), ("xml", nil), ("", nil), ("tap=-", .init(.tap)),
    ("tap=./-", .init(.tap, file: "./-")),
  ])
  func `a reporter is a form with an optional file`(text: String, reporter: Reporters.Reporter?) {
    #expect(Reporters.Reporter(text) == reporter)
  }

  @Test func `at most one report goes to standard output and to each file`() {
    var reporters = Reporters()
    reporters.chosen = [.init(.tap), .init(.junit, file: "a"), .init(.html, file: "b")]
    #expect(reporters.conflict == nil)
    #expect(Reporters.Reporter("tap=/dev/stdout") == .init(.tap))
    reporters.chosen.append(.init(.json))
    #expect(reporters.conflict?.hasPrefix("Only one report goes to standard output") == true)
    reporters.chosen = [.init(.tap, file: "a"), .init(.junit, file: "a")]
    #expect(reporters.conflict == "Two reports cannot go into one file, 'a'.")
  }

  @Test func `report files get new folders, and times only on request`()
    throws
  {
    let folder = try TemporaryFolder()
    var report = RunReport.small
    report.tests[0].time = .seconds(1)
    var reporters = Reporters()
    reporters.version = "1.0"
    reporters.chosen = [
      .init(.junit, file: folder.path + "/deep/er/j.xml"),
      .init(.json, file: folder.path + "/r.json"),
    ]
    var output = ""

    #expect(reporters.deliver(report, coverage: nil) { output += $0 } == .differences)
    #expect(output == PlainReport(report: report, colour: false).text)
    #expect(try !folder.text("deep/er/j.xml").contains("time=\"1"))
    #expect(try folder.text("r.json") == RunReport.small.json())
    reporters.tellsTimes = true
    _ = reporters.deliver(report, coverage: nil) { _ in }
    #expect(try folder.text("deep/er/j.xml").contains("time=\"1.000\""))
  }

  @Test func `a report file that cannot be written is reported and fails the run`() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    var reporters = Reporters()
    reporters.chosen = [.init(.tap, file: folder.path + "/file/r.tap")]
    var output = ""

    #expect(reporters.deliver(.small, coverage: nil) { output += $0 } == .usage)
    #expect(output.contains("\nerror: cannot write \(folder.path)/file/r.tap: "))
  }
}
