import RehearsalBase

/// The report in the Test Anything Protocol, version 14.
///
/// A transcript is a test point; so is a Markdown file, with its fences as a subtest. Problems follow as a YAML block.
/// Readers of version 13 see the subtests as comments.
struct TAPReport {
  let report: RunReport

  var text: String {
    var text = "TAP version 14\n"
    let files = report.tests.grouped { $0.path == $1.path && $0.fence > 0 && $1.fence > 0 }
    if files.isEmpty {
      text += "1..0 # SKIP nothing was replayed\n"
    } else {
      text += "1..\(files.count)\n"
    }
    for (index, file) in files.enumerated() { text += Self.point(of: file, number: index + 1) }
    for note in report.remarks { text += "# \(Self.line(note))\n" }
    for problem in report.problems { text += "Bail out! \(Self.line(problem))\n" }
    return text + "# \(Self.line(report.summary))\n"
  }

  private static func point(of file: ArraySlice<TranscriptResult>, number: Int) -> String {
    guard let first = file.first else { return "" }
    guard first.fence > 0 else {
      return point(first, number: number, title: [first.path, first.name])
    }
    var text = "# Subtest: \(line(first.path))\n    1..\(file.count)\n"
    for (index, test) in file.enumerated() {
      let point = point(test, number: index + 1, title: ["code block \(test.fence)", test.name])
      text += point.split(separator: "\n").map { "    \($0)\n" }.joined()
    }
    let isGood = !file.contains(where: \.isFailure)
    return text + "\(isGood ? "ok" : "not ok") \(number) - \(escaped(first.path))\n"
  }

  private static func point(_ test: TranscriptResult, number: Int, title: [String?]) -> String {
    let title = title.compactMap(\.self).map(escaped).joined(separator: ": ")
    let isGood = test.outcome == .passed || test.outcome == .updated || test.outcome == .notReplayed
    var text = "\(isGood ? "ok" : "not ok") \(number) - \(title)"
    switch test.outcome {
    case .notReplayed: text += " # SKIP " + escaped(test.reason ?? "not replayed")
    case .knownFlaky: text += " # TODO " + escaped(test.reason ?? "known to be flaky")
    case .passed, .updated, .failed, .flaky: break
    }
    return text + "\n" + block(of: test)
  }

  /// Returns the problems as YAML; nothing if there are none.
  private static func block(of test: TranscriptResult) -> String {
    var text = ""
    if let time = test.time { text += "  duration_ms: \(time.inMilliseconds)\n" }
    if let plays = test.plays { text += "  passes: \(plays.passed)\n  fails: \(plays.failed)\n" }
    if let failure = test.failures.first {
      text += "  message: \(quoted(failure.problem.sentence))\n  severity: fail\n"
      text += "  failures:\n" + test.failures.map(item).joined()
    }
    return text.isEmpty ? "" : "  ---\n\(text)  ...\n"
  }

  private static func item(_ failure: TranscriptFailure) -> String {
    var text = "    - message: \(quoted(failure.problem.sentence))\n"
    text += "      file: \(quoted(failure.path))\n"
    if failure.line > 0 { text += "      line: \(failure.line)\n" }
    if let command = failure.command { text += "      command: \(quoted(command))\n" }
    if let hint = failure.problem.hint { text += "      hint: \(quoted(hint))\n" }
    return text + list("diff", failure.shownDiff.map(\.marked)) + list("notes", failure.notes)
  }

  private static func list(_ key: String, _ lines: [String]) -> String {
    if lines.isEmpty { return "" }
    return "      \(key):\n" + lines.map { "        - \(quoted($0))\n" }.joined()
  }

  /// A text on one line.
  private static func line(_ text: String) -> String { FailureText.visible(text) }

  /// A description, in which `#` begins a directive and `\` escapes it.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in line(text).unicodeScalars {
      if character == "#" || character == "\\" { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result
  }

  /// Quotes a text for YAML, and spells out characters that a terminal interprets or that reorder text.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        if scalar.needsEscape {
          let hex = String(scalar.value, radix: 16)
          let (mark, digits) = hex.count > 4 ? ("U", 8) : ("u", 4)
          result += "\\" + mark + String(repeating: "0", count: digits - hex.count) + hex
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
