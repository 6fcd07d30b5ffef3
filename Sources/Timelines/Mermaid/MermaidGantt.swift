import RehearsalBase

/// A recording as a Gantt diagram of Mermaid: a section for each lane, a bar for each attempt, a milestone
/// for what happened in between and for what took no time.
///
/// Mermaid counts in milliseconds; what is finer is rounded down. It makes no room for long names, so those
/// are cut.
struct MermaidGantt {
  private(set) var text: String
  private let model: TimelineModel
  private var tasks = 0
  /// How many bytes are left, since Mermaid refuses texts that are longer than 50,000 characters.
  private var room = 48_000
  private var left = 0
  private var latestSection = ""

  init(_ recording: Recording, _ excerpt: Excerpt, title: String?) {
    model = TimelineModel(recording, excerpt)
    text = "gantt\n"
    if let title { text += "  title \(MermaidText.escape(title))\n" }
    text += "  dateFormat x\n  axisFormat \(Self.axisFormat(model))\n  todayMarker off\n"
    for lane in model.lanes where !lane.bars.isEmpty { add(lane, of: recording) }
    if let note = model.note() { text += "  %% \(note)\n" }
    if left > 0 { text += "  %% and \(left) more that Mermaid would not draw\n" }
  }

  /// The axis counts from the session's beginning; Mermaid's other formats depend on the time zone.
  private static func axisFormat(_ model: TimelineModel) -> String {
    model.end - model.start < .seconds(10) ? "%Qms" : "%ss"
  }

  private mutating func add(_ lane: TimelineModel.Lane, of recording: Recording) {
    let owner = recording.lanes[lane.index].owner.map { recording.lanes[$0].name + " › " } ?? ""
    let section = MermaidText.escape((owner + lane.name).cut(toColumns: 24, ellipsis: "…"))
    if section != latestSection { add("  section " + section) }
    latestSection = section
    for bar in lane.bars {
      if bar.number != nil { add(bar) }
      for placed in bar.marks where bar.number == nil || placed.isInBetween { add(placed, of: bar) }
    }
  }

  private mutating func add(_ bar: TimelineModel.Bar) {
    let start = model.moments[bar.start].wholeMilliseconds
    let end = (bar.end.map { model.moments[$0] } ?? model.end).wholeMilliseconds
    let tags = bar.outcome?.tags ?? []
    let name = [bar.summary, bar.fate].compactMap(\.self).joined(separator: " ")
    if start == end { return add(name, tags: tags + ["milestone"], at: start, for: 0) }
    add(name, tags: tags, at: start, for: end - start)
  }

  private mutating func add(_ placed: TimelineModel.Placed, of bar: TimelineModel.Bar) {
    let words = [bar.longTag, placed.mark.meaning ?? "start", placed.label ?? ""]
    let name = words.filter { !$0.isEmpty }.joined(separator: " ")
    add(name, tags: ["milestone"], at: model.moments[placed.moment].wholeMilliseconds, for: 0)
  }

  /// A line must not begin with a word of Mermaid's, so `name` begins with one of ours.
  private mutating func add(_ name: String, tags: [String], at start: Int, for duration: Int) {
    tasks += 1
    let data = tags + ["t\(tasks)", "\(start)", "\(duration)ms"]
    let words = MermaidText.escape(name.cut(toColumns: 40, ellipsis: "…"))
    add("    \(words) :" + data.joined(separator: ", "))
  }

  private mutating func add(_ line: String) {
    guard left == 0, line.utf8.count < room else {
      left += 1
      return
    }
    room -= line.utf8.count + 1
    text += line + "\n"
  }
}

extension TimelineModel.Bar {
  /// That it came to nothing, where no milestone says so.
  fileprivate var fate: String? {
    switch marks.last?.mark {
    case .dropped?, .replaced?: marks.last?.mark.meaning
    default: nil
    }
  }
}

extension TimelineModel.Placed {
  /// Whether it is neither how an attempt began nor how it ended.
  fileprivate var isInBetween: Bool {
    switch mark {
    case .yielded, .interrupted, .retrying, .queued, .refused, .cancelled, .reset, .assigned,
      .changed, .forgotten:
      true
    case .started, .replaced, .restarted, .succeeded, .failed, .empty, .dropped, .entered, .open,
      .several:
      false
    }
  }
}

extension EventMark {
  /// By which Mermaid chooses a colour.
  fileprivate var tags: [String] {
    switch self {
    case .failed: ["crit"]
    case .succeeded, .yielded, .empty: ["done"]
    case .open: ["active"]
    default: []
    }
  }
}
