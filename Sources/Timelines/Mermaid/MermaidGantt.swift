import RehearsalBase

/// A recording as a Mermaid Gantt diagram: a section for each lane, a bar for each attempt, milestones for other
/// events. These are events within an attempt or without a duration.
///
/// Mermaid counts in milliseconds, so times are rounded down. Long names are cut, because Mermaid
/// leaves no room for them.
struct MermaidGantt {
  private(set) var text: String
  private let model: TimelineModel
  private var tasks = 0
  /// The bytes left. Mermaid rejects texts of more than 50,000 characters.
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
    if left > 0 { text += "  %% \(left) more left out: too long for Mermaid\n" }
  }

  /// Returns an axis that counts from the session's start. Mermaid's other formats depend on the
  /// time zone.
  private static func axisFormat(_ model: TimelineModel) -> String {
    model.end - model.start < .seconds(10) ? "%Qms" : "%ss"
  }

  private mutating func add(_ lane: TimelineModel.Lane, of recording: Recording) {
    let owner = recording.lanes[lane.index].owner.map { recording.lanes[$0].name + " › " } ?? ""
    let section = MermaidText.escape((owner + lane.name).cut(toColumns: 24, ellipsis: "…"))
    if section != latestSection { add("  section " + section) }
    latestSection = section
    for bar in lane.bars {
      if bar.number != nil || bar.isValue { add(bar) }
      for placed in bar.marks
      where bar.number == nil && !bar.isValue || placed.isInBetween { add(placed, of: bar) }
    }
  }

  private mutating func add(_ bar: TimelineModel.Bar) {
    let start = model.moments[bar.start].wholeMilliseconds
    let end = (bar.end.map { model.moments[$0] } ?? model.end).wholeMilliseconds
    let tags = bar.outcome?.tags ?? []
    let words = [bar.isValue ? "is" : nil, bar.summary, bar.fate]
    let name = words.compactMap(\.self).joined(separator: " ")
    if start == end { return add(name, tags: tags + ["milestone"], at: start, for: 0) }
    add(name, tags: tags, at: start, for: end - start)
  }

  private mutating func add(_ placed: TimelineModel.Placed, of bar: TimelineModel.Bar) {
    let words = [bar.longTag, placed.mark.meaning ?? "start", placed.label ?? ""]
    let name = words.filter { !$0.isEmpty }.joined(separator: " ")
    add(name, tags: ["milestone"], at: model.moments[placed.moment].wholeMilliseconds, for: 0)
  }

  /// Adds a task. `name` begins with a word of ours, because a line must not begin with a Mermaid
  /// keyword.
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
  /// Text for an attempt without a result, if no milestone shows that.
  fileprivate var fate: String? {
    switch marks.last?.mark {
    case .dropped?, .replaced?: marks.last?.mark.meaning
    default: nil
    }
  }
}

extension TimelineModel.Placed {
  /// Whether the event neither begins nor ends an attempt.
  fileprivate var isInBetween: Bool {
    switch mark {
    case .yielded, .interrupted, .retrying, .queued, .refused, .cancelled, .reset, .assigned,
      .changed, .performed, .forgotten:
      true
    case .started, .replaced, .restarted, .left, .succeeded, .failed, .empty, .dropped, .entered,
      .open,
      .several:
      false
    }
  }
}

extension EventMark {
  /// The tags from which Mermaid chooses a colour.
  fileprivate var tags: [String] {
    switch self {
    case .failed: ["crit"]
    case .succeeded, .yielded, .empty: ["done"]
    case .open: ["active"]
    default: []
    }
  }
}
