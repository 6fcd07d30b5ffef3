/// Two recordings as one, with two lanes wherever not the same happens.
struct Overlay {
  private(set) var recording = Recording()
  /// Where the lanes of each stand.
  private var places: (a: [Int], b: [Int])
  /// The lanes of the second recording that stand there already, with all that happens in them.
  private var isShared: [Bool]

  init(_ pairs: [LanePair], _ a: Recording, _ b: Recording) {
    places = (a.lanes.map { _ in 0 }, b.lanes.map { _ in 0 })
    isShared = b.lanes.map { _ in false }
    place(pairs)
    addLanes(pairs, a, b)
    merge(a.events, b.events)
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

  /// Those of one instant alternate, so that what is the same in both stands close together.
  private mutating func merge(_ a: [Recording.Event], _ b: [Recording.Event]) {
    let turns = (a: Self.turns(of: a), b: Self.turns(of: b))
    var next = 0
    for (index, event) in a.enumerated() {
      while next < b.count, (b[next].time, turns.b[next]) < (event.time, turns.a[index]) {
        add(b[next])
        next += 1
      }
      recording.append(event.moved(to: places.a[event.lane]))
    }
    for event in b[next...] { add(event) }
  }

  /// How many of the same instant come before each event.
  private static func turns(of events: [Recording.Event]) -> [Int] {
    var turns: [Int] = []
    for (index, event) in events.enumerated() {
      let isFirst = index == 0 || events[index - 1].time < event.time
      turns.append(isFirst ? 0 : turns[index - 1] + 1)
    }
    return turns
  }

  /// Adds an event of the second recording.
  private mutating func add(_ event: Recording.Event) {
    if !isShared[event.lane] { recording.append(event.moved(to: places.b[event.lane])) }
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
      owner: owner
    )
  }
}

extension Recording.Event {
  /// The same in another recording, which does not know what brought it about.
  fileprivate func moved(to lane: Int) -> Self {
    Self(
      time: time,
      lane: lane,
      attempt: attempt,
      kind: kind,
      state: state,
      phase: phase,
      answer: answer,
      process: process
    )
  }
}
