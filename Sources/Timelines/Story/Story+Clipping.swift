extension Story {
  /// Leaves out what was over before a moment; what was going on then enters at the left edge.
  mutating func clip(before first: Int) {
    let hasEntering = lanes.contains { $0.bars.contains { $0.isGoingOn(at: first) } }
    moments.replaceSubrange(..<first, with: hasEntering ? [start] : [])
    events.replaceSubrange(..<first, with: hasEntering ? [events[first - 1]] : [])
    for lane in lanes.indices {
      lanes[lane].clip(before: first, shift: hasEntering ? first - 1 : first)
    }
    lanes.removeAll { $0.bars.isEmpty && ($0.isRequest || $0.initial == Self.forgotten) }
  }
}

extension Story.Lane {
  fileprivate mutating func clip(before first: Int, shift: Int) {
    var kept: [Story.Bar] = []
    var settled: (bar: Int, moment: Int)?
    for (index, bar) in bars.enumerated() where bar.end.map({ $0 >= first }) ?? true {
      if let place = self.settled, place.bar == index, place.moment >= first {
        settled = (kept.count, place.moment - shift)
      }
      kept.append(bar.clipped(before: first, shift: shift))
    }
    bars = kept
    if phase != nil { phase = phases.last { $0.moment < first }?.phase ?? phase }
    phases = phases.filter { $0.moment >= first }.map { ($0.moment - shift, $0.phase) }
    self.settled = settled
  }
}

extension Story.Bar {
  fileprivate func isGoingOn(at first: Int) -> Bool {
    start < first && end.map { $0 >= first } ?? true
  }

  /// The bar from the moment on, with all its moments counted anew.
  fileprivate func clipped(before first: Int, shift: Int) -> Self {
    var bar = self
    bar.start = max(0, start - shift)
    bar.end = end.map { $0 - shift }
    bar.marks = marks.compactMap { $0.shifted(by: shift, ifFrom: first) }
    let later = strokes.filter { $0.moment >= first }.map { ($0.moment - shift, $0.stroke) }
    bar.strokes = later
    if isGoingOn(at: first) {
      bar.marks.insert(Story.Placed(moment: 0, mark: .entered, label: nil), at: 0)
      let past = strokes.last { $0.moment < first }
      bar.strokes.insert(contentsOf: past.map { [(0, $0.stroke)] } ?? [], at: 0)
    }
    return bar
  }
}

extension Story.Placed {
  fileprivate func shifted(by shift: Int, ifFrom first: Int) -> Self? {
    moment < first ? nil : Self(moment: moment - shift, mark: mark, label: label)
  }
}
