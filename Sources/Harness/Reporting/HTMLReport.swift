import RehearsalBase
import Timelines

/// The report as one page without network access: light and dark, with a filter, keys, and a picture of each failure.
struct HTMLReport {
  let report: RunReport

  var text: String {
    var page = XMLText("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.policy)\">\n")
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
    page.content("\(report.program): \(headline)")
    page.raw("</title>\n<style>\(HTMLReportPage.style)</style>\n</head>\n<body>\n")
    addHeader(to: &page)
    page.raw("<main>\n")
    for (index, test) in sorted.enumerated() {
      add(test, isDrawn: index < Self.pictureLimit, to: &page)
    }
    page.raw("<p id=\"nothing\" hidden>No transcript matches the filter.</p>\n</main>\n")
    page.raw("<script>\(HTMLReportPage.script)</script>\n</body>\n</html>\n")
    return page.text
  }

  /// The summary, with the number of errors that are not those of a transcript.
  private var headline: String {
    let count = report.problems.count
    return count == 0 ? report.summary : "\(report.summary), \("error".counted(count))"
  }

  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(SHA256.base64(of: HTMLReportPage.script))'"

  /// Maximum number of transcripts that are drawn, because browsers cannot open a page with thousands of pictures.
  static let pictureLimit = 200

  /// Failed transcripts first, then by path.
  private var sorted: [TranscriptResult] {
    report.tests.filter { $0.rank == 0 } + report.tests.filter { $0.rank == 1 }
      + report.tests.filter { $0.rank == 2 }
  }

  private func addHeader(to page: inout XMLText) {
    page.raw("<header class=\"\(report.exit == .success ? "good" : "bad")\">\n<h1>")
    page.content(headline)
    page.raw("</h1>\n")
    for problem in report.problems {
      page.raw("<p class=\"problem\">")
      page.content(FailureText.visible(problem))
      page.raw("</p>\n")
    }
    for note in report.remarks {
      page.raw("<p>")
      page.content(FailureText.visible(note))
      page.raw("</p>\n")
    }
    page.raw("</header>\n")
    page.raw(HTMLReportPage.controls)
  }

  private func add(_ test: TranscriptResult, isDrawn: Bool, to page: inout XMLText) {
    var contents = XMLText()
    addContents(of: test, isDrawn: isDrawn, to: &contents)
    // A transcript without contents is not an element that opens.
    let isFolded = !contents.text.isEmpty
    let (row, title) = isFolded ? ("details", "summary") : ("div", "p")
    page.raw(
      "<\(row) class=\"\(test.outcome.rawValue)\"\(isFolded && test.rank == 0 ? " open" : "")>\n"
    )
    page.raw("<\(title) class=\"title\"\(isFolded ? "" : " tabindex=\"-1\"")>")
    addTitle(of: test, to: &page)
    page.raw("</\(title)>\n\(contents.text)</\(row)>\n")
  }

  private func addTitle(of test: TranscriptResult, to page: inout XMLText) {
    page.raw("<b>\(Self.word(for: test.outcome))</b> <code>")
    page.content(FailureText.visible(test.place))
    page.raw("</code>")
    if let name = test.name { add("span", " " + FailureText.visible(name), to: &page) }
    for tag in test.tags { add("i", FailureText.visible(tag), to: &page) }
    if test.expectsFailure { add("i", "expects a failure", to: &page) }
    if let time = test.time { add("small", "\(time.inMilliseconds) ms", to: &page) }
  }

  private func addContents(of test: TranscriptResult, isDrawn: Bool, to page: inout XMLText) {
    if let flakiness = test.flakiness, test.plays != nil { add("p", flakiness, to: &page) }
    if let reason = test.reason { add("p", FailureText.visible(reason), to: &page) }
    for failure in test.failures { add(failure, of: test, to: &page) }
    if let picture = TestPicture(of: test) {
      page.raw(isDrawn ? "<figure>\n\(picture.svg)</figure>\n" : Self.undrawn)
    }
  }

  private func add(_ failure: TranscriptFailure, of test: TranscriptResult, to page: inout XMLText)
  {
    page.raw("<h2><code>")
    page.content(FailureText.visible(failure.place))
    page.raw("</code> ")
    page.content(FailureText.visible(failure.problem.sentence))
    page.raw("</h2>\n")
    let lines = failure.detailLines(for: test.accepting(report.program))
    guard !lines.isEmpty else { return }
    let diff = failure.shownDiff
    // Only changed lines begin with their sign.
    var words = zip(diff, ChangedWords(diff).lines).filter { $0.0.mark != .same }[...]
    page.raw("<pre>")
    for line in lines {
      switch line.utf8.first {
      case UInt8(ascii: "-"): add("del", line, words.popFirst()?.1 ?? [], to: &page)
      case UInt8(ascii: "+"): add("ins", line, words.popFirst()?.1 ?? [], to: &page)
      default: page.content(line)
      }
      page.raw("\n")
    }
    page.raw("</pre>\n")
  }

  /// Adds a line of a difference and marks the changed words if the line was paired with another one.
  private func add(
    _ element: String,
    _ line: String,
    _ words: [ChangedWords.Part],
    to page: inout XMLText
  ) {
    guard words.count > 1 else { return add(element, line, to: &page) }
    page.raw("<\(element)>")
    page.raw(element == "del" ? "-  " : "+  ")
    for word in words {
      let text = FailureText.visible(word.text)
      if word.isChanged { add("b", text, to: &page) } else { page.content(text) }
    }
    page.raw("</\(element)>")
  }

  private func add(_ element: String, _ text: String, to page: inout XMLText) {
    page.raw("<\(element)>")
    page.content(text)
    page.raw("</\(element)>")
  }

  private static let undrawn = "<p>Not drawn: only the first \(pictureLimit) are.</p>\n"

  private static func word(for outcome: TranscriptResult.Outcome) -> String {
    switch outcome {
    case .passed: "passed"
    case .updated: "updated"
    case .failed: "failed"
    case .flaky: "flaky"
    case .knownFlaky: "known to be flaky"
    case .notReplayed: "not replayed"
    }
  }
}

extension TranscriptResult {
  /// 0 for a result that needs attention, 2 for a good one.
  fileprivate var rank: Int {
    switch outcome {
    case .failed, .flaky: 0
    case .updated, .knownFlaky, .notReplayed: 1
    case .passed: 2
    }
  }
}
