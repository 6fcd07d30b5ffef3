/// The report for terminals: failures first, one block each; the last line has the counts.
struct PlainReport {
  let report: RunReport
  let colour: Bool

  var text: String {
    var text = ""
    let isOfThis = report.program == ProgramName.current
    let program = isOfThis ? ProgramName.command : report.program
    for test in report.failed {
      let failures = FailureText(colour: colour, program: test.accepting(program))
      for failure in test.failures { text += failures.text(of: failure) + "\n" }
      if test.outcome == .flaky { text += Self.sentence(of: test) + "\n" }
    }
    for path in report.updated { text += "updated \(FailureText.quoted(path))\n" }
    for line in report.acceptedFailures { text += FailureText.visible(line) + "\n" }
    for test in report.tests where test.outcome == .knownFlaky {
      text += Self.sentence(of: test)
    }
    text += notReplayed
    if let expected = report.expectedFailures { text += FailureText.visible(expected) + "\n" }
    for note in report.allNotes { text += "note: \(FailureText.visible(note))\n" }
    for problem in report.problems { text += "error: \(FailureText.visible(problem))\n" }
    return text + report.summary + "\n"
  }

  /// Maximum number of files that are named as not played.
  private static let namedFiles = 20

  private var notReplayed: String {
    // After Ctrl-C the list of transcripts that were not played is noise.
    let tests = report.tests.filter { $0.outcome == .notReplayed && $0.reason != RunEnd.stopped }
    guard !tests.isEmpty else { return "" }
    let names = tests.prefix(Self.namedFiles).map { test in
      FailureText.quoted(test.path) + (test.fence > 0 ? " (code block \(test.fence))" : "")
    }.joined(separator: ", ")
    let rest = tests.count - Self.namedFiles
    return "not replayed: \(FailureText.visible(names))" + (rest > 0 ? " and \(rest) more\n" : "\n")
  }

  private static func sentence(of test: TranscriptResult) -> String {
    let reason = test.reason.map { " (\(FailureText.visible($0)))" } ?? ""
    return "\(FailureText.visible(test.place)): \(test.flakiness ?? "")\(reason)\n"
  }
}
