import RehearsalBase

/// The transitions of each machine that a run of transcripts took, and those that it never took.
public struct Coverage: Sendable, Equatable {
  /// One diagram for each machine that took at least one transition.
  public let diagrams: [StateDiagram]

  /// Creates the coverage that these diagrams show.
  public init(_ diagrams: [StateDiagram]) {
    self.diagrams = diagrams
  }

  /// Returns the machines with a coverage below `percent`. Machines whose possible transitions are
  /// unknown are never included.
  public func diagrams(below percent: Int) -> [StateDiagram] {
    diagrams.filter { diagram in
      guard let possible = diagram.possible?.count else { return false }
      return diagram.takenCount * 100 < percent * possible
    }
  }

  /// Returns a line for each machine, followed by its transitions: the taken ones with their
  /// counts, then the others.
  public func lines(width: Int = 80) -> [String] {
    if diagrams.isEmpty { return ["coverage: no machine took a transition"] }
    let names = diagrams.map { $0.machine.escapingControls.cut(toColumns: 50, ellipsis: "…") }
    let columns = 2 + (names.map(\.widthInColumns).max() ?? 0)
    var lines = ["coverage:"]
    for (name, diagram) in zip(names, diagrams) {
      let padding = String(repeating: " ", count: columns - name.widthInColumns)
      lines.append("  " + name + padding + diagram.share)
      lines += diagram.transitionLines(width: width - 4).map { "    " + $0 }
    }
    return lines
  }

  /// The coverage as JSON, on one line: see `StateDiagram.json`.
  public var json: String { StateDiagram.json(diagrams) }

  /// Markdown with a section for each machine: a Mermaid state diagram and the transitions never
  /// taken.
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
  /// The text with Markdown syntax escaped.
  fileprivate var asMarkdown: String {
    reduce(into: "") { text, character in
      if "\\`*_{}[]<>()#+-.!|&~".contains(character) { text += "\\" }
      text.append(character)
    }
  }
}
