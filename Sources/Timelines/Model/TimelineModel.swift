import RehearsalBase

/// A recording prepared for drawing: each lane's attempts as bars, and marks without an attempt.
///
/// Each event with its own position has a number, its *moment*, counted from 0 in the order of
/// events. Moments keep events of one instant apart. Changes of different lanes that follow each
/// other at one instant share a moment, unless the picture is widened.
struct TimelineModel {
  /// The time of each moment, never decreasing.
  var moments: [Duration] = []
  /// The event of each moment, as an index into the recording's events.
  var events: [Int] = []
  var lanes: [Lane] = []
  /// The index of the current event.
  private var current = 0
  /// The events that share the position of the preceding event.
  private let together: Set<Int>
  /// Whether all events of one instant are kept apart.
  private let isWidened: Bool
  /// The lanes of the latest moment, if all its events are changes.
  private var changing: Set<Int> = []
  /// The time of the left edge.
  let start: Duration
  /// The end of the recording.
  let end: Duration
  /// The part that the recording left out before the picture's start.
  private let omitted: Recording.Omission

  struct Lane {
    /// The index of the lane in the recording.
    let index: Int
    let name: String
    /// Whether the lane is an HTTP request.
    let isRequest: Bool
    /// Whether the lane is drawn below the member that sent the request.
    let isOwned: Bool
    /// Whether the lane has the commands of scenes.
    let isCommands: Bool
    /// The kind of values that are bars, nil for none.
    let values: Recording.Lane.Values?
    /// The state at the left edge.
    var initial: String
    /// The bars, in the order of their start.
    var bars: [Bar] = []
    /// The final state, and the moment and bar that set it; nil if nothing changed it.
    var state: String
    var settled: (bar: Int, moment: Int)?
    /// The phase at the left edge, nil if the lane has values instead of states.
    var phase: Recording.Phase?
    /// The phase from each moment on. Before the first one, it is `phase`.
    var phases: [(moment: Int, phase: Recording.Phase)] = []

    init(_ lane: Recording.Lane, index: Int) {
      self.index = index
      name = lane.name
      isRequest = lane.isRequest
      isOwned = lane.owner != nil
      isCommands = lane.isCommands
      values = lane.values
      initial = lane.initial
      phase = lane.phase
      state = lane.initial
    }
  }

  /// One attempt, one value, or a mark without an attempt.
  struct Bar {
    /// The attempt's number, nil for a value and for a mark without an attempt.
    let number: Int?
    /// The kind of process, if there are several, or the name of the value.
    var process: String?
    /// Whether it is a value: `true` or the case of an enum.
    var isValue = false
    var start: Int
    /// The moment of the last mark, nil while the attempt is in flight.
    var end: Int?
    var marks: [Placed] = []
    /// The line style from each moment on.
    var strokes: [(moment: Int, stroke: Stroke)] = []
    /// The time at which the attempt was cancelled, replaced or stopped.
    var released: Duration?
  }

  struct Placed {
    let moment: Int
    let mark: EventMark
    /// A text to write next to the mark, if there is room.
    let label: String?
  }

  /// Creates the model of `excerpt`. The events in `together` share the moment of the preceding
  /// event.
  init(
    _ recording: Recording,
    _ excerpt: Excerpt = Excerpt(),
    together: Set<Int> = [],
    isWidened: Bool = false
  ) {
    self.init(
      recording,
      lanes: recording.drawnLanes(named: excerpt.names),
      from: excerpt.start(in: recording),
      together: together,
      isWidened: isWidened
    )
  }

  /// Creates the model of the lanes at `indices`, in that order, from `start` on.
  init(
    _ recording: Recording,
    lanes indices: [Int],
    from start: Duration = .zero,
    together: Set<Int> = [],
    isWidened: Bool = false
  ) {
    omitted = recording.omitted
    let start = max(start, omitted.until)
    self.start = start
    self.together = together
    self.isWidened = isWidened
    end = recording.end
    var laneIndices = [Int?](repeating: nil, count: recording.lanes.count)
    for index in indices {
      laneIndices[index] = lanes.count
      lanes.append(Lane(recording.lanes[index], index: index))
    }
    var open = [[Int: Int]](repeating: [:], count: lanes.count)
    func addEvents(_ events: Range<Int>) {
      for index in events {
        current = index
        let event = recording.events[index]
        if let lane = laneIndices[event.lane] { self.add(event, lane: lane, open: &open[lane]) }
      }
    }
    let first = recording.events.firstIndex { $0.time >= start } ?? recording.events.count
    addEvents(0..<first)
    let past = moments.count
    for lane in lanes.indices { lanes[lane].initial = lanes[lane].state }
    addEvents(first..<recording.events.count)
    if start > .zero { clip(before: past) }
    lanes.removeAll { $0.isCommands && $0.bars.isEmpty }
  }

  /// Returns a note about events that are missing, nil if there are none.
  func note(inWords: (Duration) -> String = { $0.compact }) -> String? {
    omitted.note(inPictureFrom: start, inWords: inWords)
  }

  /// Adds an event. `open` has the index of the bar of each attempt that has not ended.
  private mutating func add(_ event: Recording.Event, lane: Int, open: inout [Int: Int]) {
    let bar = event.attempt.flatMap { open[$0] }
    switch event.kind {
    case .governed:
      return  // The events that follow show it.
    case .ended(.cancelled, _) where bar.map { lanes[lane].bars[$0].released == event.time } == true:
      // The block ended at the instant of its cancellation; the mark for that is enough.
      close(event, bar: bar, lane: lane, open: &open)
      note(event, lane: lane, bar: bar)
    case .changed where lanes[lane].values != nil:
      change(event, lane: lane, open: &open)
    case .started(let replacing, let silently):
      start(event, replacing: replacing, silently: silently, lane: lane, open: &open)
    case .queued, .refused, .yielded, .interrupted, .retrying, .stopped, .ended, .cancelled, .reset,
      .assigned, .changed, .forgotten:
      mark(event, bar: bar, lane: lane, open: &open)
    }
  }

  private mutating func start(
    _ event: Recording.Event,
    replacing: Int?,
    silently: Bool,
    lane: Int,
    open: inout [Int: Int]
  ) {
    let moment = newMoment(event)
    if let replaced = replacing.flatMap({ open[$0] }) {
      let mark = Placed(moment: moment, mark: .replaced, label: nil)
      lanes[lane].bars[replaced].marks.append(mark)
      release(replaced, at: moment, lane: lane)
    }
    let bar = bar(of: event, at: moment, lane: lane, open: &open)
    lanes[lane].bars[bar].process = event.process
    lanes[lane].bars[bar].marks.append(Placed(moment: moment, mark: .started, label: nil))
    lanes[lane].bars[bar].strokes.append((moment, silently ? .silent : .visible))
    note(event, lane: lane, bar: bar)
  }

  private mutating func mark(
    _ event: Recording.Event,
    bar: Int?,
    lane: Int,
    open: inout [Int: Int]
  ) {
    let moment = newMoment(event)
    let standsAlone = bar == nil && event.kind != .queued
    let bar = bar ?? self.bar(of: event, at: moment, lane: lane, open: &open)
    let label = event.answer ?? (event.phase == .inFlight ? nil : event.state)
    if case .ended = event.kind, lanes[lane].isRequest {
      removeFirstByte(at: event.time, bar: bar, lane: lane)
    }
    lanes[lane].bars[bar].marks.append(
      Placed(
        moment: moment,
        mark: lanes[lane].isCommands ? .performed : EventMark(event.kind),
        label: label
      )
    )
    if event.kind == .queued {
      lanes[lane].bars[bar].strokes.append((moment, .waiting))
    } else if event.kind.releases {
      release(bar, at: moment, lane: lane)
    }
    if event.kind.ends || standsAlone {
      lanes[lane].bars[bar].end = moment
      event.attempt.map { open[$0] = nil }
    }
    if event.kind == .forgotten { endAll(at: moment, lane: lane, open: &open) }
    note(event, lane: lane, bar: bar)
  }

  /// Removes the mark of the first byte of an answer that is complete at the same instant.
  private mutating func removeFirstByte(at time: Duration, bar: Int, lane: Int) {
    guard let last = lanes[lane].bars[bar].marks.last, last.mark == .yielded,
      moments[last.moment] == time
    else { return }
    lanes[lane].bars[bar].marks.removeLast()
  }

  /// The key of a value's bar among the open bars. No attempt has this number.
  private static let valueKey = Int.min

  /// Ends the bar of the old value and begins one for the new value.
  private mutating func change(_ event: Recording.Event, lane: Int, open: inout [Int: Int]) {
    let moment = newMoment(event)
    let old = lanes[lane].valueBarName(lanes[lane].state)
    let new = event.state.flatMap { lanes[lane].valueBarName($0) }
    if open[Self.valueKey] == nil, let old, moment > 0 {
      // The beginning of the old value was left out of the recording.
      addValue(old, from: 0, mark: .entered, lane: lane, open: &open)
    }
    if let bar = open.removeValue(forKey: Self.valueKey) {
      lanes[lane].bars[bar].end = moment
      if new == nil {
        let mark = Placed(moment: moment, mark: .left, label: nil)
        lanes[lane].bars[bar].marks.append(mark)
      }
    }
    if let new { addValue(new, from: moment, mark: .started, lane: lane, open: &open) }
    note(event, lane: lane, bar: lanes[lane].bars.indices.last)
  }

  private mutating func addValue(
    _ name: String,
    from moment: Int,
    mark: EventMark,
    lane: Int,
    open: inout [Int: Int]
  ) {
    var bar = Bar(number: nil, process: name.isEmpty ? nil : name, isValue: true, start: moment)
    bar.marks = [Placed(moment: moment, mark: mark, label: nil)]
    bar.strokes = [(moment, .visible)]
    lanes[lane].bars.append(bar)
    open[Self.valueKey] = lanes[lane].bars.count - 1
  }

  /// Ends the bars of a member that was forgotten.
  private mutating func endAll(at moment: Int, lane: Int, open: inout [Int: Int]) {
    for bar in open.values.sorted() {
      lanes[lane].bars[bar].marks.append(Placed(moment: moment, mark: .cancelled, label: nil))
      lanes[lane].bars[bar].end = moment
    }
    open = [:]
  }

  private mutating func close(
    _ event: Recording.Event,
    bar: Int?,
    lane: Int,
    open: inout [Int: Int]
  ) {
    guard let bar else { return }
    lanes[lane].bars[bar].end = lanes[lane].bars[bar].marks.last?.moment
    event.attempt.map { open[$0] = nil }
  }

  /// Returns the index of the event's attempt, adding a bar if there is none.
  private mutating func bar(
    of event: Recording.Event,
    at moment: Int,
    lane: Int,
    open: inout [Int: Int]
  ) -> Int {
    if let known = event.attempt.flatMap({ open[$0] }) {
      return known
    }
    lanes[lane].bars.append(Bar(number: event.attempt, start: moment))
    let bar = lanes[lane].bars.count - 1
    event.attempt.map { open[$0] = bar }
    return bar
  }

  private mutating func release(_ bar: Int, at moment: Int, lane: Int) {
    lanes[lane].bars[bar].strokes.append((moment, .released))
    lanes[lane].bars[bar].released = moments[moment]
  }

  /// Records the state that the event set, if it has one.
  private mutating func note(_ event: Recording.Event, lane: Int, bar: Int?) {
    if let phase = event.phase, event.state != nil {
      lanes[lane].phases.append((moments.count - 1, phase))
    }
    if lanes[lane].isCommands, event.kind != .forgotten { return }
    guard let state = event.kind == .forgotten ? Self.forgotten : event.state else { return }
    lanes[lane].state = state
    lanes[lane].settled = bar.flatMap { bar in
      lanes[lane].bars[bar].marks.last.map { (bar, $0.moment) }
    }
  }

  /// The state of a lane whose member was forgotten.
  static let forgotten = "forgotten"

  private mutating func newMoment(_ event: Recording.Event) -> Int {
    let (time, lane) = (event.time, event.lane)
    if together.contains(current), let last = events.last, last == current - 1 {
      return moments.count - 1
    }
    if event.kind == .changed, !isWidened {
      if !changing.isEmpty, moments.last == time, changing.insert(lane).inserted {
        return moments.count - 1
      }
      changing = [lane]
    } else {
      changing = []
    }
    moments.append(time)
    events.append(current)
    return moments.count - 1
  }
}

extension TimelineModel {
  /// Removes bars that ended before a moment. Attempts in flight enter at the left edge.
  mutating func clip(before first: Int) {
    let hasEntering = lanes.contains { $0.bars.contains { $0.isInFlight(at: first) } }
    moments.replaceSubrange(..<first, with: hasEntering ? [start] : [])
    events.replaceSubrange(..<first, with: hasEntering ? [events[first - 1]] : [])
    for lane in lanes.indices {
      lanes[lane].clip(before: first, shift: hasEntering ? first - 1 : first)
    }
    lanes.removeAll { $0.bars.isEmpty && ($0.isRequest || $0.initial == Self.forgotten) }
  }
}

extension TimelineModel.Lane {
  /// Returns the name of the bar of a value, empty if the lane's name says it; nil if the value has
  /// no bar.
  fileprivate func valueBarName(_ state: String) -> String? {
    switch values {
    case .flag?: return state == "true" ? "" : nil
    case .cases?:
      guard state != "null" else { return nil }
      let isQuoted = state.utf8.count > 2 && state.first == "\"" && state.last == "\""
      return isQuoted ? String(state.dropFirst().dropLast()) : state
    case nil: return nil
    }
  }

  fileprivate mutating func clip(before first: Int, shift: Int) {
    var kept: [TimelineModel.Bar] = []
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

extension TimelineModel.Bar {
  fileprivate func isInFlight(at first: Int) -> Bool {
    start < first && end.map { $0 >= first } ?? true
  }

  /// Returns the bar from the moment on, with its moments renumbered.
  fileprivate func clipped(before first: Int, shift: Int) -> Self {
    var bar = self
    bar.start = max(0, start - shift)
    bar.end = end.map { $0 - shift }
    bar.marks = marks.compactMap { $0.shifted(by: shift, ifFrom: first) }
    let later = strokes.filter { $0.moment >= first }.map { ($0.moment - shift, $0.stroke) }
    bar.strokes = later
    if isInFlight(at: first) {
      bar.marks.insert(TimelineModel.Placed(moment: 0, mark: .entered, label: nil), at: 0)
      let past = strokes.last { $0.moment < first }
      bar.strokes.insert(contentsOf: past.map { [(0, $0.stroke)] } ?? [], at: 0)
    }
    return bar
  }
}

extension TimelineModel.Placed {
  fileprivate func shifted(by shift: Int, ifFrom first: Int) -> Self? {
    moment < first ? nil : Self(moment: moment - shift, mark: mark, label: label)
  }
}
