import RehearsalBase

/// A timeline laid out in columns of text: the axis, the lanes, the legend.
struct TextPicture {
  private(set) var lines: [String] = []

  init(
    _ model: TimelineModel,
    width: Int,
    style: TextTimeline.Style,
    pointer: (time: Duration, text: String)? = nil,
    inWords: (Duration) -> String
  ) {
    let names = NameColumn(model.lanes, width: width, style: style)
    let states = model.lanes.map(\.state.escapingControls)
    let stateWidth = Self.stateWidth(states, width: width)
    let plotWidth = width - names.width - (stateWidth > 0 ? stateWidth + 2 : 0)
    let lateWidth = stateWidth > 0 ? model.lanes.map(\.lateWidth).max() ?? 0 : 0
    let scale = TimeScale(
      moments: model.moments,
      start: model.start,
      end: model.drawnEnd,
      width: plotWidth - max(model.numberWidth, lateWidth) - 1
    )
    let plans = model.lanes.map { LanePlan($0, scale: scale) }
    let used = max(scale.width, plans.map(\.width).max() ?? 0)

    var legend = Legend()
    let axis = Axis(scale, width: width - names.width, style: style, inWords: inWords)
    if axis.ruler.contains(style.stretch) { legend.add(note: "\(style.stretch) one instant") }
    lines = [axis.labels, axis.ruler].map { names.blank + $0 }
    if let pointer, let column = scale.column(of: pointer.time) {
      let labelToTheRight = "\(style.pointer) \(pointer.text)"
      let fitsToTheRight = column + labelToTheRight.widthInColumns <= width - names.width
      let line = fitsToTheRight ? labelToTheRight : "\(pointer.text) \(style.pointer)"
      let start = fitsToTheRight ? column : max(0, column + 1 - line.widthInColumns)
      lines.append(names.blank + String(repeating: " ", count: start) + line)
    }
    for (lane, (plan, state)) in zip(model.lanes, zip(plans, states)) {
      var head = names[lane]
      for row in plan.rows.indices {
        let holdsState = row == plan.settledRow && stateWidth > 0
        let room = holdsState ? used : width - names.width
        var line = plan.draw(row, width: room, scale: scale, style: style, legend: &legend)
        if holdsState {
          line.pad(toColumns: used + 2)
          line += state.cut(toColumns: stateWidth, ellipsis: style.ellipsis)
        }
        lines.append(head + line)
        head = names.blank
      }
      if plan.undrawn > 0 {
        lines.append(head + "and \(plan.undrawn) more at the same time")
      }
      if stateWidth == 0 {
        lines.append(head + "= " + state)
      }
    }
    lines += legend.lines(width: width, style: style)
    lines = lines.map {
      $0.trimmingTrailingSpaces.cut(toColumns: width, ellipsis: style.ellipsis)
    }
  }

  /// Returns the width of the column of states at the right, 0 if they fit better below their
  /// lanes.
  private static func stateWidth(_ states: [String], width: Int) -> Int {
    let widest = states.map(\.widthInColumns).max() ?? 0
    return width < 60 ? 0 : min(widest, width * 3 / 10)
  }
}

extension TimelineModel {
  /// Whether an attempt is in flight.
  private var hasAttemptInFlight: Bool {
    lanes.contains { $0.bars.contains { $0.end == nil && !$0.isValue } }
  }

  /// The end of the drawn time.
  var drawnEnd: Duration {
    hasAttemptInFlight || start > .zero ? end : moments.last ?? .zero
  }

  /// The width of the widest attempt number with its `#`.
  fileprivate var numberWidth: Int {
    lanes.reduce(0) { $1.bars.reduce($0) { max($0, $1.tagColumns) } }
  }
}

extension TimelineModel.Lane {
  /// The columns reserved after the bar that settled the lane, for late answers. Its row continues
  /// with the lane's state, so the label has no other position.
  var lateWidth: Int {
    guard let last = settled.flatMap({ bars[$0.bar].marks.last }), last.mark == .dropped else {
      return 0
    }
    let width = last.label?.escapingControls.widthInColumns ?? 0
    return width > 12 ? 0 : width + 1
  }
}

extension String {
  fileprivate mutating func pad(toColumns columns: Int) {
    self += String(repeating: " ", count: max(0, columns - widthInColumns))
  }

  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " {
      text.removeLast()
    }
    return String(text)
  }
}
