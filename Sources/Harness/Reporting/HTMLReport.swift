import Timelines

/// The report as one page: no network, light and dark, a filter, keys, and a picture of each failure.
struct HTMLReport {
  let report: RunReport

  var text: String {
    var page = XMLText("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.policy)\">\n")
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
    page.content("\(report.program): \(report.summary)")
    page.raw("</title>\n<style>\(HTMLReportPage.style)</style>\n</head>\n<body>\n")
    addHeader(to: &page)
    page.raw("<main>\n")
    for (index, test) in sorted.enumerated() {
      add(test, isDrawn: index < Self.pictureLimit, to: &page)
    }
    page.raw("<p id=\"nothing\" hidden>Nothing fits the filter.</p>\n</main>\n")
    page.raw("<script>\(HTMLReportPage.script)</script>\n</body>\n</html>\n")
    return page.text
  }

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(SHA256.base64(of: HTMLReportPage.script))'"

  /// Transcripts that are drawn at most; a page of thousands of pictures opens for nobody.
  static let pictureLimit = 200

  /// What failed first, each part by path.
  private var sorted: [TestReport] {
    report.tests.filter { $0.rank == 0 } + report.tests.filter { $0.rank == 1 }
      + report.tests.filter { $0.rank == 2 }
  }

  private func addHeader(to page: inout XMLText) {
    page.raw("<header class=\"\(report.exit == .success ? "good" : "bad")\">\n<h1>")
    page.content(report.summary)
    page.raw("</h1>\n")
    for problem in report.problems {
      page.raw("<p class=\"problem\">")
      page.content(FailureText.visible(problem))
      page.raw("</p>\n")
    }
    for note in report.notes {
      page.raw("<p>")
      page.content(FailureText.visible(note))
      page.raw("</p>\n")
    }
    page.raw(HTMLReportPage.controls)
    page.raw("</header>\n")
  }

  private func add(_ test: TestReport, isDrawn: Bool, to page: inout XMLText) {
    page.raw(
      "<details class=\"\(test.outcome.rawValue)\"\(test.rank == 0 ? " open" : "")>\n<summary>"
    )
    page.raw("<b>\(Self.word(for: test.outcome))</b> <code>")
    page.content(FailureText.visible(test.place))
    page.raw("</code>")
    if let name = test.name { add("span", " " + FailureText.visible(name), to: &page) }
    for tag in test.tags { add("i", FailureText.visible(tag), to: &page) }
    if let time = test.time { add("small", "\(time.inMilliseconds) ms", to: &page) }
    page.raw("</summary>\n")
    if let reason = test.reason { add("p", FailureText.visible(reason), to: &page) }
    for failure in test.failures { add(failure, to: &page) }
    if let picture = TestPicture(of: test) {
      page.raw(isDrawn ? "<figure>\n\(picture.svg)</figure>\n" : Self.undrawn)
    }
    page.raw("</details>\n")
  }

  private func add(_ failure: TranscriptFailure, to page: inout XMLText) {
    page.raw("<h2><code>")
    page.content(FailureText.visible(failure.place))
    page.raw("</code> ")
    page.content(FailureText.visible(failure.problem.sentence))
    page.raw("</h2>\n")
    let lines = failure.detailLines(for: report.program)
    guard !lines.isEmpty else { return }
    page.raw("<pre>")
    for line in lines {
      switch line.utf8.first {
      case UInt8(ascii: "-"): add("del", line, to: &page)
      case UInt8(ascii: "+"): add("ins", line, to: &page)
      default: page.content(line)
      }
      page.raw("\n")
    }
    page.raw("</pre>\n")
  }

  private func add(_ element: String, _ text: String, to page: inout XMLText) {
    page.raw("<\(element)>")
    page.content(text)
    page.raw("</\(element)>")
  }

  private static let undrawn = "<p>Not drawn: only the first \(pictureLimit) are.</p>\n"

  private static func word(for outcome: TestReport.Outcome) -> String {
    switch outcome {
    case .passed: "passed"
    case .updated: "updated"
    case .failed: "failed"
    case .flaky: "flaky"
    case .knownFlaky: "known to be flaky"
    case .notPlayed: "not played"
    }
  }
}

extension TestReport {
  /// 0 for what somebody must look at, 2 for what is well.
  fileprivate var rank: Int {
    switch outcome {
    case .failed, .flaky: 0
    case .updated, .knownFlaky, .notPlayed: 1
    case .passed: 2
    }
  }
}
