import RehearsalBase

/// Draws state diagrams as SVG: phases, arrows with counts, and a table of causes.
extension StateDiagram {
  /// Returns one self-contained SVG with the diagrams one below the other. Taken transitions are
  /// solid and have a count; the others are dashed. A table lists the causes.
  public static func svg(_ diagrams: [StateDiagram]) -> String {
    var drawing = StateDrawing()
    for diagram in diagrams { drawing.draw(diagram) }
    return drawing.text
  }
}

/// An SVG that grows downwards.
struct StateDrawing {
  private static let width = 760
  private static let graphHeight = 360
  private var body: [String] = []
  private var height = 16

  var text: String {
    let size = "\(Self.width) \(height)"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" class="\(Self.root)" viewBox="0 0 \(size)" \
      width="\(Self.width)" height="\(height)" role="img" aria-labelledby="\(Self.root)-title">
      <title id="\(Self.root)-title">State diagram: transitions taken and never taken</title>
      <style>
      \(Self.style)
      </style>
      <defs>
      \(Self.marker("taken"))
      \(Self.marker("never"))
      </defs>
      <rect class="paper" width="100%" height="100%"/>
      \(body.joined(separator: "\n"))
      </svg>

      """
  }

  /// The class name, unique on a page with other pictures.
  private static let root = "rehearse-states"

  private static let style = """
    .\(root) { font: 13px ui-sans-serif, system-ui, sans-serif; --paper: #fff; --ink: #1f2328; \
    --quiet: #6e7781; --line: #0969da; --box: #f6f8fa; }
    @media (prefers-color-scheme: dark) { .\(root) { --paper: #0d1117; --ink: #e6edf3; --quiet: #8b949e; \
    --line: #58a6ff; --box: #161b22; } }
    .\(root) .paper { fill: var(--paper); }
    .\(root) text { fill: var(--ink); }
    .\(root) .head { font-size: 15px; font-weight: 600; }
    .\(root) .quiet { fill: var(--quiet); }
    .\(root) .count { font-weight: 600; paint-order: stroke; stroke: var(--paper); stroke-width: 4px; }
    .\(root) .box { fill: var(--box); stroke: var(--ink); }
    .\(root) .taken { fill: none; stroke: var(--line); stroke-width: 2; }
    .\(root) .never { fill: none; stroke: var(--quiet); stroke-dasharray: 4 4; }
    .\(root) .tip-taken { fill: var(--line); }
    .\(root) .tip-never { fill: var(--quiet); }
    """

  private static func marker(_ name: String) -> String {
    """
    <marker id="\(root)-\(name)" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" \
    markerUnits="userSpaceOnUse" orient="auto"><path class="tip-\(name)" d="M0 0 8 4 0 8z"/></marker>
    """
  }

  mutating func draw(_ diagram: StateDiagram) {
    let head = diagram.headline.escapingControls.cut(toColumns: 90, ellipsis: "…")
    body.append("<g role=\"group\" aria-label=\"\(head.escapingMarkup)\">")
    body.append("<text class=\"head\" x=\"20\" y=\"\(height + 16)\">\(head.escapingMarkup)</text>")
    height += 32
    drawGraph(diagram)
    height += Self.graphHeight
    drawTable(diagram)
    body.append("</g>")
    height += 24
  }

  // MARK: The graph

  private mutating func drawGraph(_ diagram: StateDiagram) {
    var pairs: [StateEdge: [StateDiagram.Bundle]] = [:]
    for bundle in diagram.bundles {
      pairs[StateEdge(from: bundle.from, to: bundle.to), default: []].append(bundle)
    }
    // Taken transitions are drawn over the others.
    let edges = pairs.sorted { left, right in
      let (leftIsTaken, rightIsTaken) = (left.value[0].isTaken, right.value[0].isTaken)
      return leftIsTaken == rightIsTaken ? left.key < right.key : rightIsTaken
    }
    for (edge, bundles) in edges { draw(edge, bundles, of: diagram) }
    for phase in Recording.Phase.allCases {
      let (x, y) = (phase.place.x, phase.place.y + Double(height))
      body.append(
        "<rect class=\"box\" x=\"\((x - 56).inPoints)\" y=\"\((y - 19).inPoints)\" width=\"112\" height=\"38\" rx=\"8\"/>"
      )
      body.append(
        "<text x=\"\(x.inPoints)\" y=\"\((y + 5).inPoints)\" text-anchor=\"middle\">\(diagram.word(phase))</text>"
      )
    }
  }

  private mutating func draw(
    _ edge: StateEdge,
    _ bundles: [StateDiagram.Bundle],
    of diagram: StateDiagram
  ) {
    let curve = edge.curve.moved(down: Double(height))
    let kind = bundles[0].isTaken ? "taken" : "never"
    let words = bundles.map {
      ($0.isTaken ? "\($0.count)× " : "never ") + $0.words.joined(separator: ", ")
    }
    let title =
      "\(diagram.word(edge.from)) → \(diagram.word(edge.to)): "
      + words.joined(separator: "; ")
    body.append(
      "<path class=\"\(kind)\" d=\"\(curve.path)\" marker-end=\"url(#\(Self.root)-\(kind))\"><title>\(title.escapingMarkup)</title></path>"
    )
    let middle = curve.middle
    if bundles[0].isTaken {
      body.append(
        "<text class=\"count\" x=\"\(middle.x.inPoints)\" y=\"\((middle.y + 4).inPoints)\" text-anchor=\"middle\">\(bundles[0].count)</text>"
      )
    }
    if edge.from == nil {
      let y = curve.start.y < curve.end.y ? curve.start.y - 4 : curve.start.y + 13
      body.append(
        "<text class=\"quiet\" x=\"\(curve.start.x.inPoints)\" y=\"\(y.inPoints)\" text-anchor=\"middle\">any</text>"
      )
    }
  }

  // MARK: The table

  private mutating func drawTable(_ diagram: StateDiagram) {
    for bundle in diagram.bundles {
      let kind = bundle.isTaken ? "taken" : "never"
      let text = bundle.isTaken ? "" : " class=\"quiet\""
      let y = height + 14
      body.append(
        "<path class=\"\(kind)\" d=\"M20 \(y - 4)H58\" marker-end=\"url(#\(Self.root)-\(kind))\"/>"
      )
      let count = bundle.isTaken ? "\(bundle.count)×" : "never"
      body.append("<text\(text) x=\"108\" y=\"\(y)\" text-anchor=\"end\">\(count)</text>")
      let from = diagram.word(bundle.from)
      body.append("<text\(text) x=\"120\" y=\"\(y)\">\(from) → \(diagram.word(bundle.to))</text>")
      for line in StateDiagram.filled(bundle.words, columns: 68) {
        body.append("<text\(text) x=\"280\" y=\"\(height + 14)\">\(line)</text>")
        height += 20
      }
    }
  }
}
