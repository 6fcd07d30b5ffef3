/// The requested reports of a run: their forms and places, which of them conflict, and the writing of each.
package struct Reporters: Sendable {
  /// A report in one form, in one place.
  package struct Reporter: Sendable, Equatable {
    package enum Form: String, Sendable, CaseIterable {
      case plain, tap, junit, json, github, markdown, html
    }

    package let form: Form
    /// The output file; nil for standard output.
    package let file: String?

    package init(_ form: Form, file: String? = nil) {
      self.form = form
      self.file = file
    }

    /// If standard output is a file, a report with that path would replace it, and the printed output would be lost.
    private static let namesOfOutput = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

    /// Parses `FORM` or `FORM=FILE`, where `-` is standard output; nil for any other text.
    package init?(_ text: String) {
      let parts = text.unicodeScalars
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let form = Form(rawValue: parts[0]), parts.count == 1 || !parts[1].isEmpty
      else { return nil }
      let file = parts.count == 1 ? "-" : parts[1]
      self.init(form, file: Self.namesOfOutput.contains(file) ? nil : file)
    }
  }

  /// The requested reporters. If none is for standard output, the plain report is printed as well.
  package var chosen: [Reporter] = []
  /// Whether differences on standard output are coloured.
  package var colour = false
  /// Whether reports have real times, which differ from run to run.
  package var tellsTimes = false
  /// The program's version, for reports that name it.
  package var version = ""
  /// Whether JSON lines begin with the program's name and version; false if that line is already written.
  package var saysBeginning = true
  /// The folder of the GitHub workflow's files; nil outside of a workflow.
  package var checkout: Checkout?

  package init() {}

  /// Why the reporters cannot be combined; nil if they can.
  package var conflict: String? {
    if chosen.count(where: { $0.file == nil }) > 1 {
      return "Only one report goes to standard output; give the others a file: FORM=FILE."
    }
    return ReportFiles(self, nil).repeated.map { "Two reports cannot go into one file, '\($0)'." }
  }

  /// The form of the report on standard output.
  var outputForm: Reporter.Form { chosen.first { $0.file == nil }?.form ?? .plain }

  /// Whether standard output has the report for terminals.
  package var arePlain: Bool { outputForm == .plain }

  /// Whether standard output has JSON lines.
  package var areJSON: Bool { outputForm == .json }

  /// Whether passed transcripts are named, too.
  package var namesPassed: Bool {
    chosen.contains { $0.form != .plain && $0.form != .github }
  }

  /// Whether any report can show times.
  package var knowTimes: Bool {
    chosen.contains { [.tap, .junit, .json, .html].contains($0.form) }
  }

  /// The reporters that write files.
  private var inFiles: [Reporter] { chosen.filter { $0.file != nil } }

  /// The output files.
  var files: [String] { chosen.compactMap(\.file) }

  /// Whether any report draws failures.
  package var drawsPictures: Bool {
    chosen.contains { [.json, .markdown, .html].contains($0.form) }
  }

  /// Writes every report and the coverage. Each file is replaced as a whole, before standard output is written.
  ///
  /// - Parameters:
  ///   - report: the result of the run.
  ///   - whole: the report for the files if the run played only a part of it; nil for the same report.
  ///   - coverage: the options for coverage; nil if transitions are not counted.
  ///   - output: standard output.
  /// - Returns: the exit code of the process.
  package func deliver(
    _ report: RunReport,
    whole: RunReport? = nil,
    coverage: CoverageOptions?,
    output: (String) -> Void
  ) -> ProgramExit {
    var isWritten = true
    var reports = [report, whole].compactMap(\.self)
    for index in reports.indices {
      if reports[index].version.isEmpty { reports[index].version = version }
      if !tellsTimes { reports[index].forgetTimes() }
    }
    var report = reports[0]
    if let coverage {
      let counted = coverage.coverage(of: report.transitions)
      let unwritten = coverage.write(counted)
      isWritten = unwritten.isEmpty
      report.coverage = counted
      report.notes += coverage.notes(of: counted).filter { !report.notes.contains($0) }
      report.add(problems: coverage.problems(of: counted) + unwritten)
    }
    var whole = whole == nil ? nil : reports[1]
    let unwritten = write(whole ?? report, inFiles)
    if !unwritten.isEmpty {
      // Every report names the files that could not be written, so the others are written again.
      isWritten = false
      report.add(problems: unwritten)
      whole?.add(problems: unwritten)
      _ = write(whole ?? report, inFiles)
    }
    _ = write(report, [Reporter(outputForm)], output: output)
    if let coverage, let counted = report.coverage, !areJSON {
      beside(coverage.table(of: counted), output)
    }
    return isWritten ? report.exit : max(report.exit, .usage)
  }

  /// Writes reports.
  ///
  /// - Parameters:
  ///   - report: the report of the run.
  ///   - reporters: the forms and places.
  ///   - output: standard output.
  /// - Returns: why some files could not be written.
  private func write(
    _ report: RunReport,
    _ reporters: [Reporter],
    output: (String) -> Void = { _ in }
  ) -> [String] {
    reporters.compactMap { reporter in
      let isOutput = reporter.file == nil
      let text =
        switch reporter.form {
        case .plain: PlainReport(report: report, colour: isOutput && colour).text
        case .tap: TAPReport(report: report).text
        case .junit: JUnitReport(report: report).text
        case .json: report.json(beginning: !isOutput || saysBeginning)
        case .github: GitHubReport(report: report, checkout: checkout).text
        case .markdown: MarkdownReport(report: report).text
        case .html: HTMLReport(report: report).text
        }
      guard let file = reporter.file else {
        output(text)
        return nil
      }
      do throws(FileProblem) {
        try Folder.makeAll(above: file)
        try AtomicFile.write(Array(text.utf8), to: file)
        return nil
      } catch {
        return "cannot write \(FailureText.quoted(file)): \(error.sentence)"
      }
    }
  }

  /// Replaces the reports of an earlier run by reports that say that this run has not ended, and removes its coverage.
  /// If the program is killed, no older report is left that looks like one of this run.
  func begin(_ coverage: CoverageOptions?) {
    coverage?.removeFiles()
    var report = RunReport(problems: ["this run has not ended"], hint: nil)
    report.version = version
    _ = write(report, inFiles.filter { $0.file.map(FileBytes.isOrdinary) == true })
  }

  /// Prints a text that belongs to no report: on standard output if that does not break the format.
  func beside(_ text: String, _ output: (String) -> Void) {
    switch outputForm {
    case .plain, .json, .github: output(text)
    case .tap, .junit, .markdown, .html: try? FileBytes.write(Array(text.utf8), to: 2)
    }
  }
}

extension RunReport {
  fileprivate mutating func forgetTimes() {
    for index in tests.indices { tests[index].time = nil }
  }
}
