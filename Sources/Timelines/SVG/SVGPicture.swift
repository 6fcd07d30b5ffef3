import RehearsalBase

/// A timeline laid out in points for SVG: the axis, the lanes, the legend.
struct SVGPicture {
  private var writer = SVGWriter()
  private let model: TimelineModel
  private let recording: Recording
  private let options: SVGTimeline
  private let measures: SVGMeasures
  private let scale: PlotScale
  private var lanes: [SVGLane] = []
  private let pointer: Pointer?
  /// The upper edge of the axis.
  private let axisTop: Double
  /// The upper edge of the lanes.
  private let top: Double
  private var bottom: Double
  private var legend = SVGLegend()

  init(_ model: TimelineModel, of recording: Recording, as options: SVGTimeline, pointer: Pointer?)
  {
    self.model = model
    self.recording = recording
    self.options = options
    measures = SVGMeasures(model, width: options.width)
    scale = PlotScale(
      moments: model.moments,
      start: model.start,
      end: model.drawnEnd,
      width: measures.plot.upperBound - measures.plot.lowerBound - 26,
      step: options.isWidened ? SVGMeasures.step : nil
    )
    let place = pointer.flatMap(scale.place(of:))
    self.pointer = place == nil ? nil : pointer
    axisTop = SVGMeasures.margin + (options.title.isEmpty ? 0 : 26) + 26
    top = axisTop + (place == nil ? 0 : 18)
    bottom = top
    for lane in model.lanes {
      let drawn = SVGLane(
        lane: lane,
        about: recording.lanes[lane.index],
        measures: measures,
        scale: scale,
        moments: model.moments,
        rows: SVGRows(lane, scale: scale),
        top: bottom
      )
      lanes.append(drawn)
      bottom += drawn.height
    }
  }

  var text: String {
    var picture = self
    picture.draw()
    return picture.writer.text
  }

  private mutating func draw() {
    var body = SVGWriter()
    swap(&body, &writer)
    drawBands()
    for lane in lanes {
      lane.draw(to: &writer, legend: &legend)
    }
    drawFolds()
    drawPointer()
    if model.moments.isEmpty {
      let words = lanes.isEmpty ? "nothing to draw: no member yet" : "nothing happened yet"
      writer.write(words, "small", x: measures.plot.lowerBound, y: top - 8)
    }
    let legendEnd = legend.draw(from: bottom + 22, in: measures, to: &writer)
    let noteEnd = drawNote(below: legendEnd)
    swap(&body, &writer)
    drawHead(height: noteEnd + SVGMeasures.margin - 6)
    writer.append(body)
    writer.close("svg")
  }

  private mutating func drawHead(height: Double) {
    let (width, height) = (measures.width, height.rounded(.up))
    let size = "\(width.inPoints) \(height.inPoints)"
    writer.open(
      "svg xmlns=\"http://www.w3.org/2000/svg\" class=\"\(SVGStyle.root)\" role=\"img\""
        + " width=\"\(width.inPoints)\" height=\"\(height.inPoints)\" viewBox=\"0 0 \(size)\""
    )
    writer.title(options.title.isEmpty ? "Timeline" : options.title)
    writer.description(description)
    writer.style(SVGStyle(theme: options.theme).text)
    writer.rect("card", x: 0.5, y: 0.5, width: width - 1, height: height - 1, radius: 8)
    writer.write(
      options.title.cut(toColumns: Int(width / 9)),
      "title",
      x: SVGMeasures.margin,
      y: 30
    )
  }

  /// Writes the note about missing events and returns its lower edge.
  private mutating func drawNote(below top: Double) -> Double {
    guard let note = model.note() else { return top }
    writer.write(note, "small", x: SVGMeasures.margin, y: top + 14)
    return top + 20
  }

  /// A description of each lane for screen readers.
  private var description: String {
    let texts = model.lanes.prefix(40).map { lane in
      let attempts = lane.bars.count { $0.number != nil }
      return
        "\(lane.name.escapingControls): \("attempt".counted(attempts)), "
        + "in the end \(lane.state.escapingControls)."
    }
    let rest = model.lanes.count - texts.count
    let count = "lane".counted(model.lanes.count)
    return
      (["\(count), \(recording.end.compact)."] + texts + (rest > 0 ? ["And \(rest) more."] : []))
      .joined(separator: " ")
  }

  /// Draws the layer under the lanes: stretched instants, the axis, lines between lanes.
  private mutating func drawBands() {
    guard !model.moments.isEmpty else { return }
    let stretched = scale.instants.filter { $0.last - $0.first > 1 }
    for instant in stretched where stretched.count <= 200 {
      legend.insert(.instant)
      writer.rect(
        "now",
        x: measures.plot.lowerBound + instant.first - 8,
        y: top - 4,
        width: instant.last - instant.first + 16,
        height: bottom - top + 4,
        radius: 3,
        title: "\(instant.time.compact): one instant, from left to right in order"
      )
    }
    SVGAxis(scale, measures: measures, top: axisTop, bottom: bottom).draw(to: &writer)
    for lane in lanes.dropFirst() where !lane.isOwned {
      let line = "M\(SVGMeasures.margin.inPoints) \(lane.top.inPoints)"
      writer.path("grid", line + "H\((measures.width - SVGMeasures.margin).inPoints)")
    }
  }

  /// Draws the pointer: a line through all lanes, with its label between the axis and the lanes.
  private mutating func drawPointer() {
    guard let pointer, let place = scale.place(of: pointer) else { return }
    let x = measures.plot.lowerBound + place
    let line = "M\(x.inPoints) \((axisTop - 6).inPoints)V\(bottom.inPoints)"
    writer.path("pointer", line, title: "\(pointer.words): \(pointer.time.compact)")
    let fits = x + 6 + pointer.words.widthInPoints(11) < measures.width - SVGMeasures.margin
    let anchor: SVGWriter.Anchor = fits ? .start : .end
    let (at, y) = (x + (fits ? 6 : -6), axisTop + 9)
    writer.write(pointer.words, "pointed", x: at, y: y, anchor: anchor)
  }

  /// Draws the folded gaps over the bars that cross them.
  private mutating func drawFolds() {
    for (place, gap) in scale.folds {
      let x = measures.plot.lowerBound + place
      writer.rect(
        "gap",
        x: x - PlotScale.foldReach,
        y: top - 6,
        width: 2 * PlotScale.foldReach,
        height: bottom - top + 8,
        title: "\(gap.compact) without events"
      )
    }
  }
}
