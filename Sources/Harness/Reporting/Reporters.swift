/// Who tells what a run came to: one on standard output, and any number in files.
package struct Reporters: Sendable {
  /// A report in one form, in one place.
  package struct Reporter: Sendable, Equatable {
    package enum Form: String, Sendable, CaseIterable {
      case plain, tap, junit, json, github, markdown, html
    }

    package let form: Form
    /// Where it is written; nil for standard output.
    package let file: String?

    package init(_ form: Form, file: String? = nil) {
      self.form = form
      self.file = file
    }

    /// If standard output is a file, a report with that path would replace it, and the printed output would be lost.
    private static let namesOfOutput = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

    /// Reads `FORM` or `FORM=FILE`, where `-` is standard output; nil where it is neither.
    package init?(_ text: String) {
      let parts = text.unicodeScalars
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let form = Form(rawValue: parts[0]), parts.count == 1 || !parts[1].isEmpty
      else { return nil }
      let file = parts.count == 1 ? "-" : parts[1]
      self.init(form, file: Self.namesOfOutput.contains(file) ? nil : file)
    }
  }

  /// Those that were asked for. Where none of them is for standard output, the plain one is.
  package var chosen: [Reporter] = []
  /// Whether differences are coloured on standard output.
  package var colour = false
  /// Whether real times are told, which are never the same twice.
  package var tellsTimes = false
  /// The version of the program, for reports that say who wrote them.
  package var version = ""
  /// Whether lines of JSON begin with who reports; false where that was written already.
  package var saysBeginning = true
  /// Where a workflow of GitHub's has its files; nil outside of one.
  package var checkout: Checkout?

  package init() {}

  /// Why they cannot be together; nil where they can.
  package var conflict: String? {
    if chosen.count(where: { $0.file == nil }) > 1 {
      return "Only one report goes to standard output; give the others a file: FORM=FILE."
    }
    return ReportFiles(self, nil).repeated.map { "Two reports cannot go into one file, '\($0)'." }
  }

  /// The form of what is written to standard output.
  var onOutput: Reporter.Form { chosen.first { $0.file == nil }?.form ?? .plain }

  /// Whether standard output is for people, as they read a terminal.
  package var arePlain: Bool { onOutput == .plain }

  /// Whether standard output is for programs that read lines of JSON.
  package var areJSON: Bool { onOutput == .json }

  /// Whether transcripts that passed are named, too.
  package var wantEverything: Bool {
    chosen.contains { $0.form != .plain && $0.form != .github }
  }

  /// Whether any of them has a place for times.
  package var knowTimes: Bool {
    chosen.contains { [.tap, .junit, .json, .html].contains($0.form) }
  }

  /// Those that write a file.
  private var inFiles: [Reporter] { chosen.filter { $0.file != nil } }

  /// The files that are written.
  var files: [String] { chosen.compactMap(\.file) }

  /// Whether failures are drawn.
  package var wantPictures: Bool {
    chosen.contains { [.json, .markdown, .html].contains($0.form) }
  }

  /// Writes every report, those in files first and as a whole, and what was covered.
  ///
  /// - Parameters:
  ///   - report: what the run came to.
  ///   - whole: what goes into files, where the run was about a part of what they tell; nil for the same.
  ///   - coverage: what becomes of the ways between states; nil where nobody counts them.
  ///   - output: standard output.
  /// - Returns: what the process should end with.
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
      // Every report names the missing ones, so those that were written are written again.
      isWritten = false
      report.add(problems: unwritten)
      whole?.add(problems: unwritten)
      _ = write(whole ?? report, inFiles)
    }
    _ = write(report, [Reporter(onOutput)], output: output)
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

  /// Says what belongs to no report: on standard output where that does not spoil it.
  func beside(_ text: String, _ output: (String) -> Void) {
    switch onOutput {
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
