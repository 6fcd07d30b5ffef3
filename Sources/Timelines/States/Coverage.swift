import RehearsalBase

/// What a run of transcripts took of each machine, and what it never did.
public struct Coverage: Sendable, Equatable {
  /// One for each machine that took a transition at all.
  public let diagrams: [StateDiagram]

  /// The coverage that these diagrams show.
  public init(_ diagrams: [StateDiagram]) {
    self.diagrams = diagrams
  }

  /// The machines of which less than `percent` of a hundred transitions were taken. Of machines whose transitions
  /// nobody knows nothing is asked.
  public func diagrams(below percent: Int) -> [StateDiagram] {
    diagrams.filter { diagram in
      guard let possible = diagram.possible?.count else { return false }
      return diagram.takenCount * 100 < percent * possible
    }
  }

  /// A line for each machine, and below it its transitions: those that were taken with their counts, then those
  /// that never were.
  public func lines(width: Int = 80) -> [String] {
    if diagrams.isEmpty { return ["coverage: no arrow was taken, of no machine"] }
    let names = diagrams.map { $0.machine.escapingControls.cut(toColumns: 50, ellipsis: "…") }
    let columns = 2 + (names.map(\.widthInColumns).max() ?? 0)
    var lines = ["coverage:"]
    for (name, diagram) in zip(names, diagrams) {
      let padding = String(repeating: " ", count: columns - name.widthInColumns)
      lines.append("  " + name + padding + diagram.share)
      lines += diagram.arrowLines(width: width - 4).map { "    " + $0 }
    }
    return lines
  }

  /// The coverage for programs, on one line: see `StateDiagram.json`.
  public var json: String { StateDiagram.json(diagrams) }

  /// Markdown with a section for each machine: its state diagram, in Mermaid, and what it never took.
  public var markdown: String {
    let sections = diagrams.map { diagram in
      let name = diagram.machine.escapingControls.asMarkdown
      return """
        ## \(name)

        \(diagram.share)

        ```mermaid
        \(diagram.mermaid.joined(separator: "\n"))
        ```

        """
    }
    return (["# Coverage\n"] + sections).joined(separator: "\n")
  }
}

extension String {
  /// As plain text in Markdown: signs that mean something are taken at their word.
  fileprivate var asMarkdown: String {
    reduce(into: "") { text, character in
      if "\\`*_{}[]<>()#+-.!|&~".contains(character) { text += "\\" }
      text.append(character)
    }
  }
}
