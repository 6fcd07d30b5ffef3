/// The report as GitHub workflow commands: an annotation at the line of each failure.
///
/// No line of the report begins with text from a transcript, because the runner executes lines that begin with `::`,
/// even after spaces.
struct GitHubReport {
  let report: RunReport
  /// The folder of the workflow's files; nil to name paths as they were given.
  var checkout: Checkout?

  var text: String {
    var text = ""
    for test in report.tests {
      switch test.outcome {
      case .failed, .flaky:
        for failure in test.failures { text += annotation(of: failure, in: test) }
        if test.failures.isEmpty {
          text += annotation("error", test.flakiness ?? "", of: test)
        }
      case .knownFlaky:
        text += annotation("warning", test.flakiness ?? "", of: test)
      case .passed, .updated, .notReplayed: break
      }
    }
    for note in report.remarks { text += "::notice::\(Self.data(FailureText.visible(note)))\n" }
    for problem in report.problems {
      text += "::error::\(Self.data(FailureText.visible(problem)))\n"
    }
    return text + report.summary + "\n"
  }

  private func annotation(of failure: TranscriptFailure, in test: TranscriptResult) -> String {
    let place = failure.line > 0 ? ",line=\(failure.line)" : ""
    let title = Self.property(failure.problem.sentence)
    let details = failure.detailLines(for: test.accepting(report.program))
    let lines = [test.name, test.flakiness].compactMap(\.self).map(FailureText.visible) + details
    let message = lines.isEmpty ? failure.problem.sentence : lines.joined(separator: "\n")
    return "::error file=\(file(failure.path))\(place),title=\(title)::"
      + Self.data(message) + "\n"
  }

  private func annotation(_ command: String, _ words: String, of test: TranscriptResult) -> String {
    let line = test.failures.first { $0.line > 0 }.map { ",line=\($0.line)" } ?? ""
    return "::\(command) file=\(file(test.path))\(line),title=\(Self.property(words))::"
      + Self.data(FailureText.visible(test.reason ?? test.place)) + "\n"
  }

  private func file(_ path: String) -> String {
    Self.property(checkout?.path(path) ?? path)
  }

  /// Escapes a message, whose control characters are already visible, for the runner.
  private static func data(_ text: String) -> String {
    escaped(text, ["%": "%25", "\n": "%0A"])
  }

  /// Escapes a property, which ends at a comma or a colon.
  private static func property(_ text: String) -> String {
    escaped(FailureText.visible(text), ["%": "%25", ":": "%3A", ",": "%2C"])
  }

  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let escape = escapes[scalar] {
        result += escape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
