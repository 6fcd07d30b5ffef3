import RehearsalBase

extension StateDiagram {
  /// The diagram as Mermaid's state diagram, lines without ends.
  ///
  /// Mermaid knows no dashed arrows in it: what was never taken says so.
  public var mermaid: [String] {
    let title = JSONValue.string(headline.escapingControls.cut(toColumns: 100, ellipsis: "…")).text
    return ["---", "title: \(title)", "---", "stateDiagram-v2", "  direction LR"]
      + mermaidArrows(prefix: "").map { "  " + $0 }
  }

  /// Several diagrams in one: each is a state with its phases in it.
  public static func mermaid(_ diagrams: [StateDiagram]) -> [String] {
    if diagrams.count == 1 { return diagrams[0].mermaid }
    var lines = ["stateDiagram-v2"]
    for (index, diagram) in diagrams.enumerated() {
      let name = diagram.headline.escapingControls.cut(toColumns: 100, ellipsis: "…")
      lines.append("  state \"\(name.asMermaidText)\" as m\(index + 1) {")
      lines.append("    direction LR")
      lines += diagram.mermaidArrows(prefix: "m\(index + 1)_").map { "    " + $0 }
      lines.append("  }")
    }
    return lines
  }

  private func mermaidArrows(prefix: String) -> [String] {
    let phases = Recording.Phase.allCases.map(Optional.some) + (drawsAny ? [nil] : [])
    var lines = phases.map { phase in
      prefix.isEmpty ? word(phase) : "state \"\(word(phase))\" as \(prefix)\(word(phase))"
    }
    if let initial { lines.append("[*] --> \(prefix)\(word(initial))") }
    for bundle in bundles {
      let label = bundle.isTaken ? "\(bundle.count)× " : "never "
      lines.append(
        "\(prefix)\(word(bundle.from)) --> \(prefix)\(word(bundle.to)) : " + label
          + bundle.words.joined(separator: ", ")
      )
    }
    return lines
  }

  /// Whether arrows lead in from anywhere.
  var drawsAny: Bool { arrows.contains { $0.from == nil } }
}

extension String {
  /// As it may stand between quotes in Mermaid: what has a meaning there becomes an entity.
  fileprivate var asMermaidText: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "#", ";", "<", ">", "&", "{", "}", "\\", ":", "%":
        text += "#\(scalar.value);"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
