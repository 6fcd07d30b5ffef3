import RehearsalBase

/// The marks on one row with their labels. Marks that would overlap become one.
struct SVGRowMarks {
  private let lane: SVGLane
  private let y: Double
  private var groups: [Group] = []

  /// Marks at one position, and the bar of the last one.
  private struct Group {
    let x: Double
    var marks: [(placed: TimelineModel.Placed, slot: SVGRows.Slot)]
  }

  init(_ lane: SVGLane, slots: [SVGRows.Slot], y: Double) {
    self.lane = lane
    self.y = y
    let marks = slots.flatMap { slot in slot.bar.marks.map { (placed: $0, slot: slot) } }
      .filter { $0.placed.mark.shape != nil }
      .sorted { $0.placed.moment < $1.placed.moment }
    for mark in marks {
      let x = lane.place(mark.placed.moment)
      if let last = groups.last, x - last.x < 8 {
        groups[groups.count - 1].marks.append(mark)
      } else {
        groups.append(Group(x: x, marks: [mark]))
      }
    }
  }

  func draw(slots: [SVGRows.Slot], to writer: inout SVGWriter, legend: inout SVGLegend) {
    let folds = lane.scale.folds.map {
      lane.measures.plot.lowerBound + $0.place - PlotScale.foldReach
    }
    let starts = slots.map { lane.place($0.bar.start) }
    var next = 0
    for (index, group) in groups.enumerated() {
      let mark = group.marks.count == 1 ? group.marks[0].placed.mark : .several
      legend.insert(.mark(mark))
      let tone = mark == .several ? Self.tone(of: group) : nil
      writer.mark(mark, tone: tone, x: group.x, y: y, title: title(of: group))
      while next < starts.count, starts[next] <= group.x { next += 1 }
      let nextStart = next < starts.count ? starts[next] : .infinity
      let nextMark = index + 1 < groups.count ? groups[index + 1].x : .infinity
      let fold = folds.first { $0 > group.x } ?? .infinity
      let end = min(nextStart - 2, nextMark - 10, fold, lane.measures.plot.upperBound + 14)
      let before = index > 0 ? groups[index - 1].x + 10 : lane.measures.plot.lowerBound
      write(group, from: group.x + 10, to: end, before: before, on: &writer)
    }
  }

  private static func tone(of group: Group) -> MarkShape.Tone? {
    let tones = Set(group.marks.compactMap { $0.placed.mark.shape?.tone })
    return MarkShape.Tone.allCases.last(where: tones.contains)
  }

  private func title(of group: Group) -> String {
    let shown = group.marks.prefix(5).map { mark in
      let what = mark.placed.mark.meaning ?? ""
      let label = mark.placed.label.map { ": \($0)" } ?? ""
      let tag = mark.slot.bar.tag.isEmpty ? "" : " \(mark.slot.bar.longTag)"
      return "\(lane.moments[mark.placed.moment].compact) \(lane.lane.name)\(tag) \(what)\(label)"
    }
    let rest = group.marks.count - shown.count
    return (shown + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "; ")
  }

  /// Writes the label of the last mark to its right. If a late answer ends the bar, writes it to
  /// the left, above the bar.
  private func write(
    _ group: Group,
    from x: Double,
    to end: Double,
    before start: Double,
    on writer: inout SVGWriter
  ) {
    guard let (placed, slot) = group.marks.last else { return }
    let words = words(beside: placed, of: slot, isAlone: group.marks.count == 1)
    let stroke = slot.bar.strokes.last { $0.moment <= placed.moment }?.stroke
    let columns = Int((end - x) / (11 * 0.605))
    let fitsBefore = start + words.widthInPoints(11) < group.x - 10
    if placed.mark == .performed, columns < words.columns, fitsBefore {
      writer.write(words, "small", x: group.x - 10, y: y + 4, anchor: .end)
    } else if !words.isEmpty, columns >= min(words.columns, 5) {
      let isOnBar = slot.bar.end != placed.moment
      let isInside = isOnBar && stroke == .visible
      // Above a thin bar, which would otherwise cross out the text.
      let line = isOnBar && !isInside ? y - 6 : y + 4
      writer.write(words.cut(toColumns: columns), isInside ? "tag" : "small", x: x, y: line)
    } else if placed.mark == .dropped, fitsBefore {
      writer.write(words, "small", x: group.x - 10, y: y - 7, anchor: .end)
    }
  }

  private func words(beside placed: TimelineModel.Placed, of slot: SVGRows.Slot, isAlone: Bool)
    -> String
  {
    let tag =
      slot.bar.end == placed.moment && slot.tag == .behind
      ? slot.bar.longTag.cut(toColumns: 24) : ""
    let isSettled = placed.moment == lane.lane.settled?.moment && lane.measures.stateX != nil
    let label = isSettled || !isAlone ? "" : placed.label ?? ""
    return [tag, label].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
