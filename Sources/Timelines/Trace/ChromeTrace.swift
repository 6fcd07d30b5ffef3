import RehearsalBase

/// A recording in Google's Trace Event Format, for Perfetto and `chrome://tracing`.
///
/// The session is a process. Its commands, each member and each request are tracks. Attempts that
/// overlap get additional tracks below, because slices of one track must nest. Arrows lead from a
/// command to its events.
struct ChromeTrace {
  private let recording: Recording
  private let model: TimelineModel
  private var json = JSONText()
  /// The arrows that leave each command.
  private var flows: [Int: [Int]] = [:]
  private var flowCount = 0

  private static let process = 1
  private static let commands = 1

  init(_ recording: Recording, _ excerpt: Excerpt, title: String?) {
    self.recording = recording
    model = TimelineModel(recording, excerpt)
    var track = Self.commands
    for lane in model.lanes { add(lane, track: &track) }
    let tracks = json
    json = JSONText()
    json.append("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n")
    json.append(
      "{\"ph\": \"M\", \"pid\": \(Self.process), \"name\": \"process_name\", \"args\": {\"name\": "
    )
    json.append(text: title ?? "session")
    json.append("}}")
    if let note = model.note() { label(note) }
    name(Self.commands, "commands")
    for index in recording.records.indices { add(record: index) }
    json.append(tracks)
    json.append("\n]}\n")
  }

  /// The trace, one event a line.
  var text: String { json.text }

  // MARK: Tracks

  private mutating func name(_ track: Int, _ name: String) {
    begin("M", track: track)
    json.append(", \"name\": \"thread_name\", \"args\": {\"name\": ")
    json.append(text: name)
    json.append("}}")
    begin("M", track: track)
    json.append(", \"name\": \"thread_sort_index\", \"args\": {\"sort_index\": \(track)}}")
  }

  /// Adds a label next to the session's name.
  private mutating func label(_ text: String) {
    json.append(",\n{\"ph\": \"M\", \"pid\": \(Self.process), \"name\": \"process_labels\"")
    json.append(", \"args\": {\"labels\": ")
    json.append(text: text)
    json.append("}}")
  }

  private mutating func add(_ lane: TimelineModel.Lane, track: inout Int) {
    let owner = recording.lanes[lane.index].owner.map { recording.lanes[$0].name + " › " } ?? ""
    let rows = TraceRows(lane.bars)
    for row in 0..<rows.count {
      track += 1
      name(track, owner + lane.name + (row == 0 ? "" : " (\(row + 1))"))
      for bar in rows.bars(in: row) { add(bar, track: track) }
    }
  }

  // MARK: Slices

  private mutating func add(record index: Int) {
    let record = recording.records[index]
    let until =
      index + 1 < recording.records.count ? recording.records[index + 1].time : model.end
    guard until >= model.start || flows[index] != nil else { return }
    let start = min(max(record.time, model.start), model.end)
    slice(named: record.command, from: start, to: max(start, until), track: Self.commands)
    json.append(", \"cat\": \"command\", \"args\": {\"output\": ")
    json.append(text: record.output.joined(separator: "\n"))
    json.append("}}")
    // An arrow belongs to the slice above it.
    for flow in flows[index] ?? [] { add(flow: flow, "s", track: Self.commands, at: start) }
  }

  private mutating func add(_ bar: TimelineModel.Bar, track: Int) {
    if bar.number != nil || bar.isValue {
      let end = bar.end.map { model.moments[$0] } ?? model.end
      slice(named: bar.summary, from: model.moments[bar.start], to: end, track: track)
      json.append(", \"cat\": \"\(bar.isValue ? "value" : "attempt")\", \"args\": {\"end\": ")
      json.append(text: bar.outcome?.meaning ?? "")
      json.append(field: "value", bar.marks.last?.label)
      json.append("}}")
    }
    var cause: Int?
    for placed in bar.marks where placed.mark != .entered {
      if placed.mark != .started, placed.mark != .left { add(placed, track: track) }
      let new = recording.events[model.events[placed.moment]].cause
      if let new, new != cause { addFlow(from: new, to: placed, track: track) }
      cause = new ?? cause
    }
  }

  private mutating func add(_ placed: TimelineModel.Placed, track: Int) {
    begin("i", track: track, at: model.moments[placed.moment])
    json.append(", \"s\": \"t\"")
    json.append(field: "name", placed.mark.meaning)
    json.append(field: "cat", "mark")
    if let label = placed.label {
      json.append(", \"args\": {\"value\": ")
      json.append(text: label)
      json.append("}")
    }
    json.append("}")
  }

  /// Adds an arrow from a command to an event that it caused.
  private mutating func addFlow(from cause: Int, to placed: TimelineModel.Placed, track: Int) {
    flowCount += 1
    flows[cause, default: []].append(flowCount)
    add(flow: flowCount, "f", track: track, at: model.moments[placed.moment])
  }

  private mutating func add(flow: Int, _ phase: String, track: Int, at time: Duration) {
    begin(phase, track: track, at: time)
    json.append(", \"id\": \(flow), \"name\": \"cause\", \"cat\": \"cause\"")
    json.append(phase == "f" ? ", \"bp\": \"e\"}" : "}")
  }

  // MARK: JSON

  private mutating func slice(
    named name: String,
    from start: Duration,
    to end: Duration,
    track: Int
  ) {
    begin("X", track: track, at: start)
    json.append(", \"dur\": \((end - start).microseconds), \"name\": ")
    json.append(text: name)
  }

  private mutating func begin(_ phase: String, track: Int, at time: Duration? = nil) {
    json.append(",\n{\"ph\": \"\(phase)\", \"pid\": \(Self.process), \"tid\": \(track)")
    if let time { json.append(", \"ts\": \(time.microseconds)") }
  }
}

extension Duration {
  fileprivate var microseconds: String { decimal(attosecondDigits: 12) }
}
