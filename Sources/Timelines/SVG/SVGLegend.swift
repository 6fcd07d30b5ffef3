import RehearsalBase

/// The legend of a timeline as SVG, with only those symbols that it uses.
struct SVGLegend {
  private var used: Set<Sign> = []

  enum Sign: Hashable {
    case mark(EventMark)
    case stroke(Stroke)
    /// The colour of a state.
    case phase(Recording.Phase)
    /// A section in which no time passes.
    case instant
  }

  mutating func insert(_ sign: Sign) {
    used.insert(sign)
  }

  private static let order: [Sign] =
    EventMark.allCases.map { .mark($0) } + Stroke.allCases.map { .stroke($0) }
    + Recording.Phase.allCases.map { .phase($0) } + [.instant]

  /// Draws the legend.
  ///
  /// - Returns: its lower edge.
  func draw(from top: Double, in measures: SVGMeasures, to writer: inout SVGWriter) -> Double {
    var (x, y) = (SVGMeasures.margin, top)
    for sign in Self.order where used.contains(sign) {
      guard let words = sign.meaning else { continue }
      let width = words.widthInPoints(11) + 42
      if x + width > measures.width - SVGMeasures.margin, x > SVGMeasures.margin {
        (x, y) = (SVGMeasures.margin, y + 20)
      }
      draw(sign, x: x, y: y, to: &writer)
      writer.write(words, "small", x: x + 24, y: y + 4)
      x += width
    }
    return x > SVGMeasures.margin ? y + 10 : top - 14
  }

  private func draw(_ sign: Sign, x: Double, y: Double, to writer: inout SVGWriter) {
    let line = "M\((x + 2).inPoints) \(y.inPoints)h16"
    switch sign {
    case .mark(let mark): writer.mark(mark, x: x + 10, y: y, title: nil)
    case .stroke(.waiting): writer.path("waiting", line)
    case .stroke(let stroke):
      writer.rect(stroke.style, x: x + 2, y: y - 3, width: 16, height: 6, radius: 3)
    case .phase(let phase): writer.path("phase \(phase)", line)
    case .instant: writer.rect("now", x: x + 2, y: y - 7, width: 16, height: 14, radius: 3)
    }
  }
}

extension SVGLegend.Sign {
  /// Nil for symbols that explain themselves.
  fileprivate var meaning: String? {
    switch self {
    case .mark(.several): "several, too close to separate"
    case .mark(let mark): mark.meaning
    case .stroke(let stroke): stroke.meaning
    case .phase(let phase): phase.meaning
    case .instant: "one instant"
    }
  }
}
