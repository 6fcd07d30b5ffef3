package import Timelines

/// What becomes of the ways between states that a run of transcripts took.
package struct CoverageOptions: Sendable {
  /// The file that gets it all for programs.
  package var jsonPath: String?
  /// The file that gets the state diagrams, in the format that its name ends with.
  package var diagramPath: String?
  /// How many of a hundred arrows must be taken, of each machine that took any.
  package var threshold: Int?
  /// How many columns the table may take.
  package var columns = 80

  private let diagrams: @Sendable (ArrowCounts) -> [StateDiagram]

  /// A table in the report only.
  ///
  /// - Parameter diagrams: makes the diagrams of all machines that took an arrow.
  package init(diagrams: @escaping @Sendable (ArrowCounts) -> [StateDiagram]) {
    self.diagrams = diagrams
  }

  /// Whether a diagram can be written into a file of this name.
  package static func canDraw(into path: String) -> Bool { Format(path) != nil }

  /// The ends of names that `canDraw` takes.
  package static var formats: [String] { Format.allCases.map { "." + $0.rawValue } }

  private enum Format: String, CaseIterable {
    case svg, md, mermaid, mmd

    init?(_ path: String) {
      guard let dot = path.lastIndex(of: ".") else { return nil }
      self.init(rawValue: String(path[path.index(after: dot)...]))
    }

    func text(of coverage: Coverage) -> String {
      switch self {
      case .svg: StateDiagram.svg(coverage.diagrams)
      case .md: coverage.markdown
      case .mermaid, .mmd:
        StateDiagram.mermaid(coverage.diagrams).map { $0 + "\n" }.joined()
      }
    }
  }

  /// Writes what was counted into the report, which may be lines of JSON, and into files.
  ///
  /// - Returns: how the program ends, where it would have ended with `code` without this.
  func report(
    _ counts: ArrowCounts,
    after code: ProgramExit,
    json: Bool,
    output: (String) -> Void
  ) -> ProgramExit {
    let coverage = Coverage(diagrams(counts))
    if json {
      output(JSONLine("coverage").with(fieldsOf: coverage.json).text)
    } else {
      for line in coverage.lines(width: columns) { output(line + "\n") }
    }
    let complain = { (problem: String) in
      output(json ? JSONLine.error(problem).text : "error: \(FailureText.visible(problem))\n")
    }
    var files: [(path: String, text: String)] = []
    if let jsonPath { files.append((jsonPath, coverage.json + "\n")) }
    if let diagramPath, let format = Format(diagramPath) {
      files.append((diagramPath, format.text(of: coverage)))
    }
    for file in files where !write(file.text, to: file.path, complain: complain) { return .usage }
    return isEnough(coverage, complain: complain) ? code : max(code, .differences)
  }

  private func write(_ text: String, to path: String, complain: (String) -> Void) -> Bool {
    do throws(FileProblem) {
      try AtomicFile.write(Array(text.utf8), to: path)
      return true
    } catch {
      complain("cannot write \(FailureText.quoted(path)): \(error.sentence)")
      return false
    }
  }

  private func isEnough(_ coverage: Coverage, complain: (String) -> Void) -> Bool {
    guard let threshold, threshold > 0 else { return true }
    if coverage.diagrams.isEmpty {
      complain("no arrow was taken; a coverage of nothing proves nothing")
      return false
    }
    let missing = coverage.diagrams(below: threshold)
    for diagram in missing {
      let machine = FailureText.visible(diagram.machine)
      complain("'\(machine)' is covered to \(diagram.percent ?? 0)%, less than \(threshold)%")
    }
    return missing.isEmpty
  }
}

extension ProgramExit: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
