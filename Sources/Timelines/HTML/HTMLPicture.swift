import RehearsalBase

/// The layout of the page as JSON, for the page's script.
struct HTMLPicture {
  private let model: TimelineModel
  private let pointer: Pointer?
  private let scale: PlotScale
  /// The position of each moment.
  private var places: [Double]

  /// Lays out with room between marks. If it is widened, zooming in shows their order.
  init(
    _ model: TimelineModel,
    pointer: Pointer? = nil,
    isWidened: Bool = false,
    together: Set<Int> = []
  ) {
    self.model = model
    self.pointer = pointer
    let width = max(1000, Double(model.moments.count) * SVGMeasures.step * 3)
    let isOneInstant = model.start == model.drawnEnd
    scale = PlotScale(
      moments: model.moments,
      start: model.start,
      end: model.drawnEnd,
      width: width,
      step: isOneInstant
        ? width / Double(max(1, model.moments.count)) : isWidened ? SVGMeasures.step : nil
    )
    places = scale.places
    for moment in places.indices.dropFirst() where together.contains(model.events[moment]) {
      places[moment] = places[moment - 1]
    }
  }

  var json: String {
    var json = JSONText()
    json.append("{\"width\": \(scale.width.inPoints), \"several\": \(Self.index(of: .several)),\n")
    if let pointer, let place = scale.place(of: pointer) {
      json.append("\"pointer\": {\"place\": \(place.inPoints), \"words\": ")
      json.append(text: pointer.words)
      json.append("},\n")
    }
    json.append("\"colours\": ")
    json.append(list: Palette.light.colours) { $0.append(text: $1.role) }
    json.append(",\n\"signs\": ")
    json.append(list: EventMark.allCases) { $0.append(sign: $1) }
    json.append(",\n\"legend\": ")
    json.append(list: legend) { json, entry in
      json.append("[\"\(entry.kind)\",\"\(entry.words)\"]")
    }
    json.append(",\n\"places\": ")
    json.append(list: places) { $0.append($1.inPoints) }
    json.append(",\n\"events\": ")
    json.append(list: model.events) { $0.append(String($1)) }
    json.append(",\n\"instants\": ")
    json.append(list: scale.instants) { $0.append(instant: $1) }
    json.append(",\n\"lanes\": ")
    json.append(list: model.lanes) { $0.append(lane: $1) }
    json.append("}\n")
    return json.text
  }

  /// The lines and colours in use, each with its meaning.
  private var legend: [(kind: String, words: String)] {
    let strokes = Set(model.lanes.lazy.flatMap(\.bars).flatMap(\.strokes).map(\.stroke))
    let phases = Set(
      model.lanes.flatMap { lane in lane.phase.map { [$0] + lane.phases.map(\.phase) } ?? [] }
    )
    let hasCrowds = scale.instants.contains { $0.last > $0.first }
    return Stroke.allCases.filter(strokes.contains).compactMap { stroke in
      stroke.meaning.map { ("\(stroke)", $0) }
    }
      + Recording.Phase.allCases.filter(phases.contains).map { ($0.rawValue, $0.meaning) }
      + (hasCrowds ? [("instant", "one instant")] : [])
  }

  /// Returns the number by which the page's script knows a mark.
  fileprivate static func index(of mark: EventMark) -> Int { indices[mark] ?? 0 }

  private static let indices = Dictionary(
    uniqueKeysWithValues: zip(EventMark.allCases, EventMark.allCases.indices)
  )
}

extension JSONText {
  fileprivate mutating func append<Element>(
    list elements: [Element],
    each write: (inout JSONText, Element) -> Void
  ) {
    append("[")
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      write(&self, element)
    }
    append("]")
  }

  fileprivate mutating func append(sign mark: EventMark) {
    let shape = mark.shape
    append("\n{\"name\": \"\(mark)\"")
    append(field: "meaning", mark == .several ? "several" : mark.meaning ?? "")
    append(field: "tone", (shape?.tone ?? .ink).rawValue)
    append(field: "rank", MarkShape.Tone.allCases.firstIndex(of: shape?.tone ?? .ink))
    append(field: "ground", shape?.kind ?? "start")
    append(field: "shape", shape?.groundPath ?? "")
    append(field: "strokes", shape?.strokes ?? "")
    append("}")
  }

  /// Appends the time, the first and the last position, and whether the next gap is folded.
  fileprivate mutating func append(instant: PlotScale.Instant) {
    append("[\(instant.time.decimal(attosecondDigits: 18)),\(instant.first.inPoints),")
    append("\(instant.last.inPoints),\(instant.foldsAfter ? 1 : 0)]")
  }

  fileprivate mutating func append(lane: TimelineModel.Lane) {
    append("\n{\"lane\": \(lane.index)")
    append(field: "state", lane.state)
    append(field: "phase", lane.phase?.rawValue)
    append(", \"phases\": ")
    append(list: lane.phases) { $0.append("[\($1.moment),\"\($1.phase.rawValue)\"]") }
    append(", \"bars\": ")
    append(list: lane.bars) { $0.append(bar: $1) }
    append("}")
  }

  /// Appends the number, first and last moment, marks, strokes and kind of process.
  private mutating func append(bar: TimelineModel.Bar) {
    append("[\(bar.number.map(String.init) ?? "null"),\(bar.start),")
    append("\(bar.end.map(String.init) ?? "null"),")
    append(list: bar.marks) { $0.append(placed: $1) }
    append(",")
    append(list: bar.strokes) { $0.append("[\($1.moment),\"\($1.stroke)\"]") }
    if let process = bar.process {
      append(",")
      append(text: process)
    }
    append("]")
  }

  private mutating func append(placed: TimelineModel.Placed) {
    append("[\(placed.moment),\(HTMLPicture.index(of: placed.mark))")
    if let label = placed.label {
      append(",")
      append(text: label)
    }
    append("]")
  }
}

extension MarkShape {
  /// The shape under the strokes, as a path.
  fileprivate var groundPath: String {
    switch ground {
    case .full: "M-7 0A7 7 0 1 0 7 0 7 7 0 1 0-7 0Z"
    case .hollow: "M-6 0A6 6 0 1 0 6 0 6 6 0 1 0-6 0Z"
    case .shape(let data): data
    case .none: ""
    }
  }
}
