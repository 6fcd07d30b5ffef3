import RehearsalBase

/// The report as JUnit XML, valid by the schemas of both Ant and Jenkins.
///
/// A folder is a suite, a transcript a case. A difference is a `failure`; a crash, a hang or an unreadable file is an
/// `error`. It has no times unless the report has some, so the same run gives the same bytes.
struct JUnitReport {
  let report: RunReport

  var text: String {
    var xml = XMLText(#"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<testsuites>\n")
    let suites = Dictionary(grouping: report.tests, by: \.folder)
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, (folder, tests)) in suites.enumerated() {
      begin(
        folder.isEmpty ? "." : folder,
        id: index,
        counts: (tests.count, tests.count(where: \.isDifference), tests.count(where: \.isError)),
        skipped: tests.count { $0.outcome == .notReplayed || $0.outcome == .knownFlaky },
        time: tests.reduce(.zero) { $0 + ($1.time ?? .zero) },
        to: &xml
      )
      for test in tests { add(test, to: &xml) }
      // JUnit has no element for notes about the whole run.
      end(index == 0 ? remarks : [], to: &xml)
    }
    let notes = suites.isEmpty ? remarks : []
    if !report.problems.isEmpty || !notes.isEmpty { addRun(notes: notes, to: &xml) }
    xml.raw("</testsuites>\n")
    return xml.text
  }

  /// Notes for the whole run. The format has no element for the number of fences of other programs.
  private var remarks: [String] {
    report.remarks
      + report.others.sorted { $0.key < $1.key }.map { program, count in
        "\("code block".counted(count)) left to \(program)"
      }
  }

  private func begin(
    _ name: String,
    id: Int,
    counts: (tests: Int, failures: Int, errors: Int),
    skipped: Int,
    time: Duration,
    to xml: inout XMLText
  ) {
    xml.raw("  <testsuite")
    xml.attribute("name", name)
    xml.attribute("package", report.program)
    xml.attribute("id", "\(id)")
    xml.attribute("tests", "\(counts.tests)")
    xml.attribute("failures", "\(counts.failures)")
    xml.attribute("errors", "\(counts.errors)")
    xml.attribute("skipped", "\(skipped)")
    xml.attribute("time", time == .zero ? "0" : time.inSeconds)
    // The schema requires both attributes; real values would differ from run to run.
    xml.raw(
      #" timestamp="1970-01-01T00:00:00" hostname="localhost">"#
        + "\n    <properties></properties>\n"
    )
  }

  private func end(_ notes: [String], to xml: inout XMLText) {
    xml.raw("    <system-out>")
    xml.content(notes.map { FailureText.visible($0) }.joined(separator: "\n"))
    xml.raw("</system-out>\n    <system-err></system-err>\n  </testsuite>\n")
  }

  /// Adds the problems of the run itself.
  private func addRun(notes: [String], to xml: inout XMLText) {
    let count = report.problems.count
    begin("the run", id: -1, counts: (count, 0, count), skipped: 0, time: .zero, to: &xml)
    for problem in report.problems {
      xml.raw("    <testcase")
      xml.attribute("name", problem)
      xml.raw(#" classname="run" time="0">"# + "\n      <error")
      xml.attribute("message", problem)
      xml.raw(#" type="run"></error>"# + "\n    </testcase>\n")
    }
    end(notes, to: &xml)
  }

  /// Adds a transcript.
  private func add(_ test: TranscriptResult, to xml: inout XMLText) {
    xml.raw("    <testcase")
    xml.attribute("name", test.shortName)
    xml.attribute("classname", test.path)
    xml.attribute("time", test.time.map(\.inSeconds) ?? "0")
    xml.raw(">")
    let skipped: String? =
      switch test.outcome {
      case .notReplayed: test.reason ?? "not replayed"
      case .knownFlaky: (test.flakiness ?? "") + (test.reason.map { ": \($0)" } ?? "")
      case .passed, .updated, .failed, .flaky: nil
      }
    if let skipped {
      xml.raw("\n      <skipped")
      xml.attribute("message", skipped)
      xml.raw("></skipped>\n    ")
    } else if test.isFailure {
      let element = test.isError ? "error" : "failure"
      let first = test.failures.first
      let more = test.failures.count - 1
      var message = first.map { "\($0.place): \($0.problem.sentence)" } ?? test.place
      if more > 0 { message += " (and \(more) more)" }
      if let flakiness = test.flakiness { message += "; \(flakiness)" }
      xml.raw("\n      <\(element)")
      xml.attribute("message", message)
      xml.attribute("type", first?.problem.spelling.word ?? "flaky")
      xml.raw(">")
      let text = FailureText(colour: false, program: test.accepting(report.program))
      xml.content(test.failures.map { text.text(of: $0) }.joined(separator: "\n"))
      xml.raw("</\(element)>\n    ")
    }
    xml.raw("</testcase>\n")
  }
}

extension TranscriptResult {
  fileprivate var folder: String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// The file name without folder and extension, and the transcript's name.
  fileprivate var shortName: String {
    var file = folder.isEmpty ? path[...] : path.dropFirst(folder.count + 1)
    if file.hasSuffix(".transcript") { file = file.dropLast(".transcript".count) }
    return file + (fence > 0 ? " (code block \(fence))" : "") + (name.map { ": \($0)" } ?? "")
  }

  /// Whether the problem is anything but different output.
  fileprivate var isError: Bool {
    isFailure && !failures.isEmpty && !failures.contains(where: \.isAboutOutput)
  }

  fileprivate var isDifference: Bool { isFailure && !isError }
}

extension TranscriptFailure {
  fileprivate var isAboutOutput: Bool {
    switch problem {
    case .differs, .tooLong, .unstable, .endedEarly: true
    default: false
    }
  }
}
