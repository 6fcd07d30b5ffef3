package import RehearsalBase

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

/// How often one machine took each arrow: pairs of an arrow's number and a count.
package struct MachineArrows: Codable {
  package let machine: String
  package let counts: [[Int]]
}

extension ArrowCounts: Codable {
  /// The counts of each machine, in the order of their names.
  package var list: [MachineArrows] {
    machines.sorted { $0.key < $1.key }.map { machine, arrows in
      let counts = arrows.sorted { $0.key < $1.key }.map { [$0.key.code, $0.value] }
      return MachineArrows(machine: machine, counts: counts)
    }
  }

  /// Encodes a list of machines.
  public func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }

  /// Decodes a list of machines.
  public init(from decoder: any Decoder) throws {
    self.init()
    for machine in try [MachineArrows](from: decoder) { try add(machine) }
  }

  /// Adds the counts of one machine.
  ///
  /// - Throws: `JSONMismatch` for an unknown arrow, and for more than anybody counts.
  package mutating func add(_ machine: MachineArrows) throws(JSONMismatch) {
    for pair in machine.counts {
      guard pair.count == 2, let arrow = Arrow(code: pair[0]),
        (0...10_000_000_000).contains(pair[1])
      else { throw JSONMismatch("counts", .notThis("pairs of an arrow and a count")) }
      add(arrow, of: machine.machine, times: pair[1])
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
