import LibC
package import Timelines

/// The options for transition coverage: its table, its files, and the threshold below which a run fails.
package struct CoverageOptions: Sendable {
  /// The JSON file for the coverage.
  package var jsonPath: String?
  /// The file for the state diagrams, in the format of its extension.
  package var diagramPath: String?
  /// The percentage of transitions that each machine must reach if it took any.
  package var threshold: Int?
  /// The width of the table in columns.
  package var columns = 80

  private let machines: [String]
  private let diagrams: @Sendable (TransitionCounts) -> [StateDiagram]

  /// Creates options for a table in the report, without files.
  ///
  /// - Parameters:
  ///   - machines: the machines that the threshold covers.
  ///   - diagrams: draws all machines that took a transition.
  package init(
    machines: [String] = [],
    diagrams: @escaping @Sendable (TransitionCounts) -> [StateDiagram]
  ) {
    (self.machines, self.diagrams) = (machines, diagrams)
  }

  /// Whether a diagram can be written into a file of this name.
  package static func canDraw(into path: String) -> Bool { Format(path) != nil }

  /// The file extensions that `canDraw` accepts.
  package static var formats: [String] { Format.allCases.map { "." + $0.rawValue } }

  private enum Format: String, CaseIterable {
    case svg, md, mmd, mermaid

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

  /// The transitions of each machine that took any.
  func coverage(of counts: TransitionCounts) -> Coverage { Coverage(diagrams(counts)) }

  /// Renders the table as plain text, with line feeds.
  func table(of coverage: Coverage) -> String {
    coverage.lines(width: columns).map { $0 + "\n" }.joined()
  }

  /// Writes the requested files.
  ///
  /// - Returns: a message for each file that could not be written.
  func write(_ coverage: Coverage) -> [String] {
    var files: [(path: String, text: String)] = []
    if let jsonPath { files.append((jsonPath, coverage.json + "\n")) }
    if let diagramPath, let format = Format(diagramPath) {
      files.append((diagramPath, format.text(of: coverage)))
    }
    return files.compactMap { file in
      do throws(FileProblem) {
        try AtomicFile.write(Array(file.text.utf8), to: file.path)
        return nil
      } catch {
        return "cannot write \(FailureText.quoted(file.path)): \(error.sentence)"
      }
    }
  }

  /// Removes the files of an earlier run, so that they are not mistaken for files of this run.
  func removeFiles() {
    for path in [jsonPath, diagramPath].compactMap(\.self) where FileBytes.isOrdinary(path) {
      unlink(path)
    }
  }

  /// Returns a message for each machine below the threshold.
  func problems(of coverage: Coverage) -> [String] {
    guard let threshold, threshold > 0 else { return [] }
    if coverage.diagrams.isEmpty {
      return ["no transition was taken, so there is no coverage to compare"]
    }
    if coverage.diagrams.allSatisfy({ $0.possible == nil }) {
      return ["no machine has a known number of transitions, so there is no coverage to compare"]
    }
    return coverage.diagrams(below: threshold).map { diagram in
      "'\(diagram.machine)' is covered to \(diagram.percent ?? 0)%, less than \(threshold)%"
    }
  }

  /// Returns a note about the machines that cannot be compared with the threshold.
  func notes(of coverage: Coverage) -> [String] {
    guard let threshold, threshold > 0 else { return [] }
    let untaken =
      coverage.diagrams.isEmpty
      ? []
      : machines.filter { machine in
        !coverage.diagrams.contains { $0.machine == machine }
      }
    let names = untaken.map { "'\($0)'" }.joined(separator: ", ")
    return coverage.diagrams.filter { $0.possible == nil }.map { diagram in
      "'\(diagram.machine)' is not compared with the threshold: the number of its transitions is unknown"
    }
      + (untaken.isEmpty
        ? []
        : ["not compared with the threshold, because none of their transitions was taken: \(names)"])
  }
}

extension ProgramExit: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
