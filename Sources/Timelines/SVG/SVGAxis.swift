import RehearsalBase

/// The time axis above the lanes, with a vertical line for each label.
struct SVGAxis {
  private let scale: PlotScale
  private let measures: SVGMeasures
  private let top: Double
  private let bottom: Double

  init(_ scale: PlotScale, measures: SVGMeasures, top: Double, bottom: Double) {
    self.scale = scale
    self.measures = measures
    self.top = top
    self.bottom = bottom
  }

  func draw(to writer: inout SVGWriter) {
    var taken: [ClosedRange<Double>] = []
    for (place, gap) in scale.folds {
      label("+\(gap.tick)", at: measures.plot.lowerBound + place, taken: &taken, to: &writer)
    }
    var lines = ""
    for tick in scale.ticks(atLeast: 70) {
      let x = measures.plot.lowerBound + tick.place
      guard label(tick.time.tick, at: x, taken: &taken, to: &writer) else { continue }
      lines += "M\(x.inPoints) \((top - 7).inPoints)V\(bottom.inPoints)"
    }
    writer.path("grid", lines)
    let line = "M\(measures.plot.lowerBound.inPoints) \((top - 6).inPoints)"
    writer.path(
      "axis",
      line + "H\((measures.plot.lowerBound + (scale.instants.last?.last ?? 0)).inPoints)"
    )
  }

  /// Writes a label.
  ///
  /// - Returns: whether there was room.
  @discardableResult
  private func label(
    _ words: String,
    at x: Double,
    taken: inout [ClosedRange<Double>],
    to writer: inout SVGWriter
  ) -> Bool {
    let half = words.widthInPoints(11) / 2 + 4
    guard !taken.contains(where: { $0.overlaps(x - half...x + half) }) else { return false }
    taken.append(x - half...x + half)
    writer.write(words, "small", x: x, y: top - 12, anchor: .middle)
    return true
  }
}
