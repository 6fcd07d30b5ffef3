import Timelines

/// The report as a pull request comment: counts, a table of the failures, and each failure in a folded section with
/// its difference and a picture.
///
/// GitHub accepts comments of 64 kB; failures beyond that are counted at the end.
struct MarkdownReport {
  let report: RunReport

  /// Maximum size of a comment in bytes, without the last line.
  private static let limit = 65_000
  /// Maximum number of table rows.
  private static let rowLimit = 100
  /// Maximum number of notes in a report.
  private static let noteLimit = 20
  /// Maximum size in bytes of a Mermaid diagram, and of a picture as text.
  private static let mermaidLimit = 6_000
  private static let textLimit = 6_000

  var text: String {
    var text = heading
    let failed = report.tests.filter { $0.isFailure || $0.outcome == .knownFlaky }
    text += Self.table(of: failed)
    var left = 0
    for test in failed where !test.failures.isEmpty {
      let details = variants(of: test).first { text.utf8.count + $0.utf8.count <= Self.limit }
      if let details { text += details } else { left += 1 }
    }
    if left > 0 { text += "\n*\(left) more do not fit into a comment of 64 kB.*\n" }
    return text
  }

  private var heading: String {
    let sign = report.exit == .success ? "✅" : "❌"
    var text = "### \(sign) \(Self.inline(report.program)): \(Self.inline(report.summary))\n"
    for problem in report.problems { text += "\n**\(Self.inline(problem))**\n" }
    let notes = report.remarks
    for note in notes.prefix(Self.noteLimit) { text += "\n\(Self.inline(note))\n" }
    if notes.count > Self.noteLimit {
      text += "\n*\(notes.count - Self.noteLimit) more notes do not fit here.*\n"
    }
    return text
  }

  private static func table(of tests: [TranscriptResult]) -> String {
    guard !tests.isEmpty else { return "" }
    var text = "\n| Transcript | What is wrong |\n| --- | --- |\n"
    for test in tests.prefix(rowLimit) {
      let place = test.failures.first?.place ?? test.place
      let name = test.name.map { "<br>" + inline($0) } ?? ""
      text += "| \(code(place))\(name) | \(inline(words(for: test))) |\n"
    }
    if tests.count > rowLimit { text += "| … and \(tests.count - rowLimit) more | |\n" }
    return text
  }

  private static func words(for test: TranscriptResult) -> String {
    var words = test.failures.first?.problem.sentence ?? "\(test.outcome.rawValue)"
    if test.failures.count > 1 { words += ", and \(test.failures.count - 1) more" }
    switch test.outcome {
    case .knownFlaky: words = (test.flakiness ?? "") + (test.reason.map { ": \($0)" } ?? "")
    case .flaky: words += "; " + (test.flakiness ?? "")
    case .passed, .updated, .failed, .notReplayed: break
    }
    return words
  }

  // MARK: One failure in detail

  /// The versions of a failure's section, longest first.
  private func variants(of test: TranscriptResult) -> [String] {
    [details(of: test, withPicture: true), details(of: test, withPicture: false)]
  }

  private func details(of test: TranscriptResult, withPicture: Bool) -> String {
    var text = "\n<details><summary>\(XMLText.escaped(FailureText.visible(test.place)))</summary>\n"
    for failure in test.failures {
      text += "\n\(Self.code(failure.place)): \(Self.inline(failure.problem.sentence))\n\n"
      let lines = failure.detailLines(for: test.accepting(report.program))
      if !lines.isEmpty { text += Self.fenced(lines.joined(separator: "\n"), as: "diff") }
    }
    if withPicture, let picture = TestPicture(of: test) { text += Self.text(of: picture) }
    return text + "\n</details>\n"
  }

  private static func text(of picture: TestPicture) -> String {
    var text = "\nWhat happened"
    if let time = picture.parting { text += "; the first difference is at \(time.inSeconds)s" }
    text += ":\n\n"
    if let mermaid = picture.mermaid, mermaid.utf8.count <= mermaidLimit {
      return text + fenced(mermaid, as: "mermaid")
    }
    let lines = picture.text(columns: 100)
    return lines.utf8.count <= textLimit ? text + fenced(lines, as: "text") : ""
  }

  /// Returns a fence that no line of the content closes.
  private static func fenced(_ content: String, as language: String) -> String {
    let longest = content.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\(language)\n\(content)\(content.hasSuffix("\n") ? "" : "\n")\(fence)\n"
  }

  private static func code(_ text: String) -> String {
    "<code>\(inline(text))</code>"
  }

  /// Escapes a text so that Markdown does not format it, on one line.
  private static func inline(_ text: String) -> String {
    var result = ""
    for scalar in XMLText.escaped(FailureText.visible(text)).unicodeScalars {
      switch scalar {
      case "|", "*", "_", "`", "[", "]", "#", "~", "\\", "@":
        // As an entity it is neither a mention nor formatting, even between tags.
        result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
