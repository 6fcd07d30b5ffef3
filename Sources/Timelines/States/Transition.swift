package import RehearsalBase

/// One way through a state machine: where it stood, what happened, where that took it.
public struct Transition: Sendable, Hashable {
  /// The phase before; nil where it makes no difference: what is set by hand goes anywhere.
  public let from: Recording.Phase?
  /// What happened.
  public let cause: Cause
  /// The phase after.
  public let to: Recording.Phase

  /// The transition between two phases.
  public init(from: Recording.Phase?, cause: Cause, to: Recording.Phase) {
    self.from = from
    self.cause = cause
    self.to = to
  }

  /// What a machine is moved by. What moves nothing, such as a try that fails, is no transition.
  public enum Cause: String, Sendable, CaseIterable {
    /// An attempt began; silently, where that does not show.
    case start
    /// An attempt began and replaced the one in flight.
    case restart
    /// A start has to wait for its turn.
    case queue
    /// A start did nothing, or shared the attempt in flight.
    case refuse
    /// The block handed over a state and went on.
    case yield
    /// The block returned a value.
    case value
    /// The block threw an error.
    case error
    /// The block ended without either: cancelled, or after its yields.
    case end
    /// The block, or an interrupt, asked for a reset.
    case resetting
    /// An interrupt ended the attempt with an error, as a timeout does.
    case timeout
    /// An attempt that was replaced or cancelled wrote the state all the same.
    case late
    /// What an attempt delivered was too late, and changed nothing.
    case dropped
    /// Cancelled from outside.
    case cancel
    /// Reset from outside.
    case reset
    /// Written by hand.
    case set
  }
}

extension Transition: Comparable {
  /// By where they begin, where they lead, and what happens, each in the order in which it is declared.
  public static func < (left: Self, right: Self) -> Bool { left.code < right.code }

  /// The transition as a number of its own, in the order of transitions.
  package var code: Int {
    let phases = Recording.Phase.allCases
    let from = from.flatMap(phases.firstIndex) ?? phases.count
    let cause = Cause.allCases.firstIndex(of: cause) ?? 0
    return (from * phases.count + (phases.firstIndex(of: to) ?? 0)) * Cause.allCases.count + cause
  }

  /// The transition of that number; nil where there is none.
  package init?(code: Int) {
    let (phases, causes) = (Recording.Phase.allCases, Cause.allCases)
    guard code >= 0, code < (phases.count + 1) * phases.count * causes.count else { return nil }
    let from = code / causes.count / phases.count
    self.init(
      from: from < phases.count ? phases[from] : nil,
      cause: causes[code % causes.count],
      to: phases[code / causes.count % phases.count]
    )
  }
}

/// How often each transition was taken, machine by machine.
public struct TransitionCounts: Sendable, Equatable {
  /// By the names of machines, as `Recording.Lane.machine` has them. A machine that took no transition is
  /// not there.
  public private(set) var machines: [String: [Transition: Int]] = [:]

  /// Nothing was taken yet.
  public init() {}

  /// What was taken in a session, or in some of its lanes.
  public init(_ recording: Recording, lanes: Set<Int>? = nil) {
    recording.forEachTransition { lane, machine, transition in
      if lanes?.contains(lane) ?? true { add(transition, of: machine) }
    }
  }

  /// Counts a transition as taken so many times more.
  public mutating func add(_ transition: Transition, of machine: String, times: Int = 1) {
    machines[machine, default: [:]][transition, default: 0] += times
  }

  /// Adds what was counted elsewhere.
  public mutating func merge(_ other: Self) {
    for (machine, transitions) in other.machines {
      machines[machine, default: [:]].merge(transitions, uniquingKeysWith: +)
    }
  }
}

/// How often one machine took each transition: pairs of a transition's number and a count.
package struct MachineTransitions: Codable {
  package let machine: String
  package let counts: [[Int]]
}

extension TransitionCounts: Codable {
  /// The counts of each machine, in the order of their names.
  package var list: [MachineTransitions] {
    machines.sorted { $0.key < $1.key }.map { machine, transitions in
      let counts = transitions.sorted { $0.key < $1.key }.map { [$0.key.code, $0.value] }
      return MachineTransitions(machine: machine, counts: counts)
    }
  }

  /// Encodes a list of machines.
  public func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }

  /// Decodes a list of machines.
  public init(from decoder: any Decoder) throws {
    self.init()
    for machine in try [MachineTransitions](from: decoder) { try add(machine) }
  }

  /// Adds the counts of one machine.
  ///
  /// - Throws: `JSONMismatch` for an unknown transition, and for more than anybody counts.
  package mutating func add(_ machine: MachineTransitions) throws(JSONMismatch) {
    for pair in machine.counts {
      guard pair.count == 2, let transition = Transition(code: pair[0]),
        (0...10_000_000_000).contains(pair[1])
      else { throw JSONMismatch("counts", .notThis("pairs of an arrow and a count")) }
      add(transition, of: machine.machine, times: pair[1])
    }
  }
}

extension Recording {
  /// Calls `body` with every transition in the order in which they were taken: its lane, by which machine,
  /// and the transition. Lanes without states have none.
  package func forEachTransition(
    _ body: (_ lane: Int, _ machine: String, _ transition: Transition) -> Void
  ) {
    var readers = lanes.map { $0.phase.map(TransitionReader.init) }
    var machines = lanes.map(\.machine)
    for (index, event) in events.enumerated() {
      if case .governed(let machine) = event.kind { machines[event.lane] = machine }
      guard let transition = readers[event.lane]?.read(event), let machine = machines[event.lane],
        index >= omitted.beginnings
      else { continue }
      body(event.lane, machine, transition)
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

/// Follows one lane through its events and says which transition each of them is.
///
/// What it remembers of the events so far is all that the transitions of later ones depend on.
package struct TransitionReader: Hashable {
  package private(set) var phase: Recording.Phase
  /// Attempts that were replaced or cancelled, and whose blocks have not ended since.
  package private(set) var late: Set<Int> = []

  /// A lane at its beginning.
  package init(phase: Recording.Phase) {
    self.phase = phase
  }

  /// Takes the next event in; nil where it is no transition.
  package mutating func read(_ event: Recording.Event) -> Transition? {
    defer { follow(event) }
    guard let cause = cause(of: event) else { return nil }
    return Transition(from: cause == .set ? nil : phase, cause: cause, to: event.phase ?? phase)
  }

  private func cause(of event: Recording.Event) -> Transition.Cause? {
    let isLate = event.attempt.map(late.contains) ?? false
    return switch event.kind {
    case .started(let replacing, _): replacing == nil ? .start : .restart
    case .queued: .queue
    case .refused: .refuse
    case .yielded(let dropped): dropped ? .dropped : isLate ? .late : .yield
    case .stopped(let end, _): end == .failed ? .timeout : cause(of: end, event)
    // It obeyed.
    case .ended(.cancelled, true), .ended(.empty, true): nil
    case .ended(_, true): .dropped
    case .ended(.cancelled, false), .ended(.empty, false): .end
    case .ended(let end, false): isLate ? .late : cause(of: end, event)
    case .cancelled: .cancel
    case .reset: .reset
    case .assigned: .set
    case .interrupted, .retrying, .changed, .governed, .forgotten: nil
    }
  }

  private func cause(of end: Recording.End, _ event: Recording.Event) -> Transition.Cause {
    switch end {
    // After its yields a block has nothing to add.
    case .succeeded: event.answer == nil ? .end : .value
    case .failed: .error
    case .cancelled, .empty: .end
    case .reset: .resetting
    }
  }

  private mutating func follow(_ event: Recording.Event) {
    phase = event.phase ?? phase
    switch event.kind {
    case .started(let attempt?, _): late.insert(attempt)
    case .cancelled, .reset, .assigned: event.attempt.map { _ = late.insert($0) }
    case .ended: event.attempt.map { _ = late.remove($0) }
    default: break
    }
  }
}
