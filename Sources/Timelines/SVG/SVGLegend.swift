import Script

/// What the signs mean, only those that were used.
struct SVGLegend {
  private var entries: [(Sign, words: String)] = []

  private enum Sign {
    case mark(Mark)
    case stroke(Stroke)
  }

  init(_ marks: Set<Mark>, _ story: Story) {
    for mark in Mark.allCases where marks.contains(mark) {
      let words = mark == .several ? "several, too close to tell apart" : mark.meaning
      if let words { entries.append((.mark(mark), words)) }
    }
    let strokes = Set(story.lanes.lazy.flatMap(\.bars).flatMap(\.strokes).map(\.stroke))
    for stroke in Stroke.allCases where strokes.contains(stroke) {
      if let words = stroke.meaning { entries.append((.stroke(stroke), words)) }
    }
  }

  /// - Returns: where the legend ends.
  func draw(from top: Double, in measures: SVGMeasures, to writer: inout SVGWriter) -> Double {
    guard !entries.isEmpty else { return top - 14 }
    var (x, y) = (SVGMeasures.margin, top)
    for (sign, words) in entries {
      let width = words.widthInPoints(11) + 42
      if x + width > measures.width - SVGMeasures.margin, x > SVGMeasures.margin {
        (x, y) = (SVGMeasures.margin, y + 20)
      }
      draw(sign, x: x, y: y, to: &writer)
      writer.write(words, "small", x: x + 24, y: y + 4)
      x += width
    }
    return y + 10
  }

  private func draw(_ sign: Sign, x: Double, y: Double, to writer: inout SVGWriter) {
    switch sign {
    case .mark(let mark): writer.mark(mark, x: x + 10, y: y, title: nil)
    case .stroke(.waiting): writer.path("waiting", "M\((x + 2).inPoints) \(y.inPoints)h16")
    case .stroke(let stroke):
      writer.rect(stroke.style, x: x + 2, y: y - 3, width: 16, height: 6, radius: 3)
    }
  }
}
