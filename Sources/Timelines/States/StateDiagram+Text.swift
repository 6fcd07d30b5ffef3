import RehearsalBase

/// Writes state diagrams for a terminal, as Mermaid and as JSON.
extension StateDiagram {
  /// Returns the diagram for a terminal, without indentation. Each line is a transition: solid with
  /// a count if it was taken, dotted if not.
  ///
  ///     profile: loadable latest, 2 of 70 transitions taken
  ///     absent   ──1──▶ loading  start
  ///     loading  ──1──▶ loaded   value
  ///     absent   ┄┄┄┄┄▶ absent   restart, cancel
  public func lines(width: Int = 80, style: TextTimeline.Style = .unicode) -> [String] {
    let head = headline.escapingControls.cut(toColumns: width, ellipsis: style.ellipsis)
    return [head] + transitionLines(width: width, style: style)
  }

  /// Returns only the transitions, the taken ones first.
  func transitionLines(width: Int, style: TextTimeline.Style = .unicode) -> [String] {
    let bundles = bundles
    let digits = bundles.map { "\($0.count)".count }.max() ?? 1
    return bundles.flatMap { lines(of: $0, digits: digits, width: width, style) }
  }

  private func lines(
    of bundle: Bundle,
    digits: Int,
    width: Int,
    _ style: TextTimeline.Style
  ) -> [String] {
    let transition =
      padded(word(bundle.from)) + " " + style.transition(bundle.count, digits: digits) + " "
    let head = transition + padded(word(bundle.to))
    if width - head.count < 20 {
      // No room to the right of the arrow.
      return [transition + word(bundle.to)]
        + Self.filled(bundle.words, columns: width - 4).map { "    " + $0 }
    }
    let margin = String(repeating: " ", count: head.count)
    let causes = Self.filled(bundle.words, columns: width - head.count)
    return causes.enumerated().map { ($0 == 0 ? head : margin) + $1 }
  }

  private func padded(_ word: String) -> String {
    word + String(repeating: " ", count: wordColumns - word.count)
  }

  /// The width of the longest phase name, plus two.
  private var wordColumns: Int {
    2 + (Recording.Phase.allCases.map { word($0).count }.max() ?? 0)
  }
}

extension TextTimeline.Style {
  /// Returns `──3──▶`, or `┄┄┄┄┄▶` for a transition never taken; without digits, a short arrow.
  fileprivate func transition(_ count: Int, digits: Int) -> String {
    let (line, gap, head) = self == .unicode ? ("─", "┄", "▶") : ("-", ".", ">")
    let number = count > 0 ? "\(count)" : ""
    let right = count > 0 ? 2 : digits + 4
    let left = count > 0 ? 2 + digits - number.count : 0
    let stroke = count > 0 ? line : gap
    return String(repeating: stroke, count: left) + number
      + String(repeating: stroke, count: right) + head
  }
}

extension StateDiagram {
  /// The diagram as a Mermaid state diagram; lines have no line ends.
  ///
  /// Mermaid has no dashed transitions, so the label says if one was never taken.
  public var mermaid: [String] {
    let title = JSONValue.string(headline.escapingControls.cut(toColumns: 100, ellipsis: "…")).text
    return ["---", "title: \(title)", "---", "stateDiagram-v2", "  direction LR"]
      + mermaidTransitions(prefix: "").map { "  " + $0 }
  }

  /// Returns one Mermaid diagram in which each machine is a state that contains its phases.
  public static func mermaid(_ diagrams: [StateDiagram]) -> [String] {
    if diagrams.count == 1 { return diagrams[0].mermaid }
    var lines = ["stateDiagram-v2"]
    for (index, diagram) in diagrams.enumerated() {
      let name = diagram.headline.escapingControls.cut(toColumns: 100, ellipsis: "…")
      lines.append("  state \"\(name.asMermaidText)\" as m\(index + 1) {")
      lines.append("    direction LR")
      lines += diagram.mermaidTransitions(prefix: "m\(index + 1)_").map { "    " + $0 }
      lines.append("  }")
    }
    return lines
  }

  private func mermaidTransitions(prefix: String) -> [String] {
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

  /// Whether a transition leads in from any phase.
  var drawsAny: Bool { transitions.contains { $0.from == nil } }
}

extension String {
  /// The text escaped for quotes in Mermaid.
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

extension StateDiagram {
  /// Returns the diagrams as JSON, on one line: every transition with its count.
  ///
  ///     {"format": "rehearse-states", "version": 1, "diagrams": [{"title": "profile", …}]}
  public static func json(_ diagrams: [StateDiagram]) -> String {
    JSONValue.object([
      .init(name: "format", value: .string("rehearse-states")),
      .init(name: "version", value: .number("1")),
      .init(name: "diagrams", value: .array(diagrams.map(\.json))),
    ]).text
  }

  private var json: JSONValue {
    func number(_ number: Int?) -> JSONValue { number.map { .number("\($0)") } ?? .null }
    return .object([
      .init(name: "title", value: .string(title)),
      .init(name: "machine", value: .string(machine)),
      .init(name: "taken", value: number(takenCount)),
      .init(name: "possible", value: number(possible?.count)),
      .init(name: "percent", value: number(percent)),
      .init(name: "transitions", value: .array(transitions.map(json))),
    ])
  }

  private func json(_ transition: Transition) -> JSONValue {
    .object([
      .init(name: "from", value: .string(word(transition.from))),
      .init(name: "cause", value: .string(transition.cause.rawValue)),
      .init(name: "to", value: .string(word(transition.to))),
      .init(name: "count", value: .number("\(counts[transition] ?? 0)")),
    ])
  }
}
