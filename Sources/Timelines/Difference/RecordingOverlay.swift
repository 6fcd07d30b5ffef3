/// Two recordings in one, with two lanes wherever the events differ.
struct RecordingOverlay {
  private(set) var recording = Recording()
  /// The events of the second recording that share the position of the preceding event, because the
  /// same event has that position in the first recording.
  private(set) var together: Set<Int> = []
  /// The lane indices of each recording in the overlay.
  private var places: (a: [Int], b: [Int])
  /// The lanes of the second recording that the overlay shares with the first.
  private var isShared: [Bool]

  init(_ pairs: [LanePair], _ a: Recording, _ b: Recording) {
    places = (a.lanes.map { _ in 0 }, b.lanes.map { _ in 0 })
    isShared = b.lanes.map { _ in false }
    place(pairs)
    addLanes(pairs, a, b)
    merge(a, b)
    recording.advance(to: max(a.end, b.end))
  }

  private mutating func place(_ pairs: [LanePair]) {
    var count = 0
    for pair in pairs {
      if let lane = pair.lanes.a {
        places.a[lane] = count
        count += 1
      }
      guard let lane = pair.lanes.b else { continue }
      isShared[lane] = pair.isSame
      places.b[lane] = pair.isSame ? count - 1 : count
      if !pair.isSame { count += 1 }
    }
  }

  private mutating func addLanes(_ pairs: [LanePair], _ a: Recording, _ b: Recording) {
    for pair in pairs {
      if let lane = pair.lanes.a.map({ a.lanes[$0] }) {
        let owner = lane.owner.map { places.a[$0] }
        _ = recording.addLane(lane.named(lane.name + (pair.isSame ? "" : " a"), owner: owner))
      }
      if let lane = pair.lanes.b.map({ b.lanes[$0] }), !pair.isSame {
        let owner = lane.owner.map { places.b[$0] }
        _ = recording.addLane(lane.named(lane.name + " b", owner: owner))
      }
    }
  }

  /// Merges the events. Events of one instant alternate, so that equal events are close together.
  private mutating func merge(_ a: Recording, _ b: Recording) {
    let turns = (a: a.events.map(\.time).turns, b: b.events.map(\.time).turns)
    let origins = (a: a.origins, b: b.origins)
    let records = MergedCommandRecords(a, b)
    /// The next event of each recording.
    var indices: (a: [Int], b: [Int]) = ([], [])
    func addSecond(_ index: Int) {
      let event = b.events[index]
      indices.b.append(recording.events.count)
      guard !isShared[event.lane] else { return }
      let cause = origins.b[index].map { records.places.b[$0] }
      recording.append(event.moved(to: places.b[event.lane], cause: cause))
    }
    for (index, event) in a.events.enumerated() {
      while indices.b.count < b.events.count,
        (b.events[indices.b.count].time, turns.b[indices.b.count]) < (event.time, turns.a[index])
      {
        addSecond(indices.b.count)
      }
      indices.a.append(recording.events.count)
      let cause = origins.a[index].map { records.places.a[$0] }
      recording.append(event.moved(to: places.a[event.lane], cause: cause))
      let next = indices.b.count
      if next < b.events.count,
        (b.events[next].time, turns.b[next]) == (event.time, turns.a[index])
      {
        if !isShared[b.events[next].lane] { together.insert(recording.events.count) }
        addSecond(next)
      }
    }
    while indices.b.count < b.events.count { addSecond(indices.b.count) }
    add(records, indices)
  }

  private mutating func add(_ records: MergedCommandRecords, _ indices: (a: [Int], b: [Int])) {
    var first = 0
    for record in records.list {
      let indices = record.isOfFirst ? indices.a : indices.b
      let isBeforeEnd = record.record.firstEvent < indices.count
      let event = isBeforeEnd ? indices[record.record.firstEvent] : recording.events.count
      first = max(first, event)
      _ = recording.begin(record.command, at: record.record.time, firstEvent: first)
      for line in record.record.output { recording.print(line) }
    }
  }
}

extension Recording.Lane {
  fileprivate func named(_ name: String, owner: Int?) -> Self {
    Self(
      name: name,
      word: word,
      initial: initial,
      phase: phase,
      machine: machine,
      owner: owner,
      values: values
    )
  }
}

extension Recording.Event {
  /// Returns the same event for another recording's lane and cause.
  fileprivate func moved(to lane: Int, cause: Int?) -> Self {
    Self(
      time: time,
      lane: lane,
      attempt: attempt,
      kind: kind,
      state: state,
      phase: phase,
      answer: answer,
      process: process,
      cause: cause
    )
  }
}
