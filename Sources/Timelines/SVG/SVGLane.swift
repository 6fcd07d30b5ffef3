import RehearsalBase

/// One lane: its name, its rows of bars, the colours of its states and its final state.
struct SVGLane {
  let lane: TimelineModel.Lane
  let about: Recording.Lane
  let measures: SVGMeasures
  let scale: PlotScale
  let moments: [Duration]
  let rows: SVGRows
  /// Its upper edge.
  let top: Double

  var isRequest: Bool { about.owner != nil || about.word == "request" }
  /// Whether the lane is drawn below the member that sent the request.
  var isOwned: Bool { about.owner != nil }
  private var pitch: Double { isRequest ? 18 : 24 }
  private var thickness: Double { isRequest ? 10 : 14 }
  private var hasRibbon: Bool { !isRequest && about.phase != nil }

  var height: Double {
    let least = measures.stateX == nil ? 36.0 : 0
    return max(
      least,
      Double(rows.rows.count) * pitch + (rows.undrawn > 0 ? 16 : 0) + (isRequest ? 6 : 14)
    )
  }

  func place(_ moment: Int) -> Double { measures.plot.lowerBound + scale.places[moment] }

  private func middle(ofRow row: Int) -> Double {
    top + (isRequest ? 3 : 6) + pitch * (Double(row) + 0.5)
  }

  func draw(to writer: inout SVGWriter, legend: inout SVGLegend) {
    writer.open("g")
    writer.title(heading)
    writeWords(to: &writer)
    drawTrack(to: &writer, legend: &legend)
    for (row, slots) in rows.rows.enumerated() {
      for slot in slots {
        draw(slot, y: middle(ofRow: row), to: &writer, legend: &legend)
      }
      SVGRowMarks(self, slots: slots, y: middle(ofRow: row)).draw(
        slots: slots,
        to: &writer,
        legend: &legend
      )
    }
    if rows.undrawn > 0 {
      let words = "and \(rows.undrawn) more at the same time"
      let y = middle(ofRow: rows.rows.count) - 6
      writer.write(words, "small", x: measures.plot.lowerBound, y: y)
    }
    writer.close("g")
  }

  private var heading: String {
    let start = lane.initial.isEmpty ? "" : ", began \(lane.initial)"
    return "\(about.word) \(lane.name)\(start), ends \(lane.state)"
  }

  private func writeWords(to writer: inout SVGWriter) {
    let y = middle(ofRow: 0) + 4
    let x = SVGMeasures.margin + (isOwned ? 14 : 0)
    let name = lane.name.cut(toColumns: measures.nameColumns(indented: isOwned))
    writer.write(name, isRequest ? "sub" : "name", x: x, y: y)
    let state = lane.state.cut(toColumns: measures.stateColumns)
    if let stateX = measures.stateX {
      writer.write(state, isRequest ? "sub" : "", x: stateX, y: y)
    } else {
      writer.write(state, "small", x: x, y: y + 14)
    }
  }

  /// Draws a line in the colours of the lane's states.
  private func drawTrack(to writer: inout SVGWriter, legend: inout SVGLegend) {
    let y = (top + height - 4).inPoints
    guard hasRibbon else { return }
    var changes: [(x: Double, phase: Recording.Phase)] = [
      (measures.plot.lowerBound, lane.phase ?? .resting)
    ]
    for (moment, phase) in lane.phases where phase != changes[changes.count - 1].phase {
      let x = place(moment)
      if x - changes[changes.count - 1].x < 0.5 { changes.removeLast() }
      changes.append((x, phase))
    }
    // A state set at the very end still gets some width.
    let end = measures.plot.lowerBound + scale.width
    for (index, change) in changes.enumerated() {
      let next = index + 1 < changes.count ? changes[index + 1].x : max(end, change.x + 6)
      legend.insert(.phase(change.phase))
      let data = "M\(change.x.inPoints) \(y)H\(next.inPoints)"
      writer.path("phase \(change.phase)", data)
    }
  }

  private func draw(
    _ slot: SVGRows.Slot,
    y: Double,
    to writer: inout SVGWriter,
    legend: inout SVGLegend
  ) {
    let strokes = slot.bar.strokes
    let end = measures.plot.lowerBound + slot.last
    let title = slot.bar.title(name: lane.name, moments: moments)
    for (index, stroke) in strokes.enumerated() {
      let from = place(stroke.moment)
      let isLast = index + 1 == strokes.count
      // A bar that no mark ends gets some width, also at the very end.
      let least = isLast && (slot.bar.end == nil || slot.bar.isValue) ? from + 3 : from
      let to = isLast ? max(end, least) : place(strokes[index + 1].moment)
      guard to > from else { continue }
      legend.insert(.stroke(stroke.stroke))
      draw(stroke.stroke, from: from, to: to, y: y, title: title, on: &writer)
    }
    drawTag(of: slot, y: y, to: &writer)
  }

  private func drawTag(of slot: SVGRows.Slot, y: Double, to writer: inout SVGWriter) {
    guard case .inside(let place, let isLong) = slot.tag, let stroke = slot.bar.firstInFlight else {
      return
    }
    let isVisible = stroke.stroke == .visible
    let x = measures.plot.lowerBound + place + 5
    let tag = isLong ? slot.bar.longTag : slot.bar.tag
    writer.write(tag, isVisible ? "tag" : "small", x: x, y: y + (isVisible ? 4 : -4))
  }

  private func draw(
    _ stroke: Stroke,
    from: Double,
    to: Double,
    y: Double,
    title: String,
    on writer: inout SVGWriter
  ) {
    let height = stroke == .silent ? 5 : stroke == .released ? 7 : thickness
    guard stroke != .waiting else {
      let data = "M\(from.inPoints) \(y.inPoints)H\(to.inPoints)"
      return writer.path("waiting", data, title: title)
    }
    writer.rect(
      stroke.style,
      x: from,
      y: y - height / 2,
      width: to - from,
      height: height,
      radius: min(3, height / 2),
      title: title
    )
  }
}

extension Stroke {
  /// The class name in the style sheet.
  var style: String {
    switch self {
    case .visible: "bar"
    case .silent: "silent"
    case .released: "released"
    case .waiting: "waiting"
    }
  }
}

extension TimelineModel.Bar {
  /// Returns a tooltip: `profile #1 from 0s to 3s, no longer counts after 1s`.
  func title(name: String, moments: [Duration]) -> String {
    let subject = [name, isValue && longTag.isEmpty ? "true" : longTag].filter { !$0.isEmpty }
    var words = "\(subject.joined(separator: " ")) from \(moments[start].compact)"
    words += end.map { " to \(moments[$0].compact)" } ?? ", still going on"
    if let released, end.map({ moments[$0] > released }) ?? true {
      words += ", no longer counts after \(released.compact)"
    }
    return words
  }
}
