/// How often each arrow was taken, machine by machine.
public struct ArrowCounts: Sendable, Equatable {
  /// By the names of machines, as `Recording.Lane.machine` has them. A machine that took no arrow is
  /// not there.
  public private(set) var machines: [String: [Arrow: Int]] = [:]

  /// Nothing was taken yet.
  public init() {}

  /// What was taken in a session, or in some of its lanes.
  public init(_ recording: Recording, lanes: Set<Int>? = nil) {
    recording.forEachArrow { lane, machine, arrow in
      if lanes?.contains(lane) ?? true { add(arrow, of: machine) }
    }
  }

  /// Counts an arrow as taken so many times more.
  public mutating func add(_ arrow: Arrow, of machine: String, times: Int = 1) {
    machines[machine, default: [:]][arrow, default: 0] += times
  }

  /// Adds what was counted elsewhere.
  public mutating func merge(_ other: Self) {
    for (machine, arrows) in other.machines {
      machines[machine, default: [:]].merge(arrows, uniquingKeysWith: +)
    }
  }
}

extension Recording {
  /// Calls `body` with every arrow in the order in which they were taken: its lane, by which machine,
  /// and the arrow. Lanes without states have none.
  package func forEachArrow(_ body: (_ lane: Int, _ machine: String, _ arrow: Arrow) -> Void) {
    var readers = lanes.map { $0.phase.map(ArrowReader.init) }
    var machines = lanes.map(\.machine)
    for (index, event) in events.enumerated() {
      if case .governed(let machine) = event.kind { machines[event.lane] = machine }
      guard let arrow = readers[event.lane]?.read(event), let machine = machines[event.lane],
        index >= omitted.beginnings
      else { continue }
      body(event.lane, machine, arrow)
    }
  }

  /// The machines of a lane, in the order in which they governed it.
  package func machines(of lane: Int) -> [String] {
    var machines = [lanes[lane].machine].compactMap(\.self)
    for event in events where event.lane == lane {
      if case .governed(let machine) = event.kind, !machines.contains(machine) {
        machines.append(machine)
      }
    }
    return machines
  }
}
