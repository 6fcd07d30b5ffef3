package import RehearsalBase

/// One transition of a state machine: the phase before, the cause, the phase after.
public struct Transition: Sendable, Hashable {
  /// The phase before. Nil for any phase, because setting the state leads anywhere.
  public let from: Recording.Phase?
  /// The cause.
  public let cause: Cause
  /// The phase after.
  public let to: Recording.Phase

  /// Creates the transition between two phases.
  public init(from: Recording.Phase?, cause: Cause, to: Recording.Phase) {
    self.from = from
    self.cause = cause
    self.to = to
  }

  /// The cause of a transition. Events that change no phase, such as a failed try, are not
  /// included.
  public enum Cause: String, Sendable, CaseIterable {
    /// An attempt began, possibly silently (without a change of state).
    case start
    /// An attempt began and replaced the one in flight.
    case restart
    /// A start was queued.
    case queue
    /// A start had no effect, or joined the attempt in flight.
    case refuse
    /// The block yielded a state and continued.
    case yield
    /// The block returned a value.
    case value
    /// The block threw an error.
    case error
    /// The block ended without a value or an error: cancelled, or after its yields.
    case end
    /// The block or an interrupt requested a reset.
    case resetting
    /// An interrupt, such as a timeout, ended the attempt with an error.
    case timeout
    /// An attempt that was replaced or cancelled still wrote the state.
    case late
    /// An attempt's result came too late and changed nothing.
    case dropped
    /// A caller cancelled.
    case cancel
    /// A caller reset the state.
    case reset
    /// A caller set the state.
    case set
  }
}

extension Transition: Comparable {
  /// Orders by the phase before, the phase after, and the cause, each in order of declaration.
  public static func < (left: Self, right: Self) -> Bool { left.code < right.code }

  /// A unique number, in the order of transitions.
  package var code: Int {
    let phases = Recording.Phase.allCases
    let from = from.flatMap(phases.firstIndex) ?? phases.count
    let cause = Cause.allCases.firstIndex(of: cause) ?? 0
    return (from * phases.count + (phases.firstIndex(of: to) ?? 0)) * Cause.allCases.count + cause
  }

  /// Creates the transition with this number, or nil if there is none.
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

/// The number of times each transition was taken, by machine.
public struct TransitionCounts: Sendable, Equatable {
  /// The counts by machine name, as in `Recording.Lane.machine`. Machines without a transition are
  /// missing.
  public private(set) var machines: [String: [Transition: Int]] = [:]

  /// Creates empty counts.
  public init() {}

  /// Counts the transitions of a session, or of some of its lanes.
  public init(_ recording: Recording, lanes: Set<Int>? = nil) {
    recording.forEachTransition { lane, machine, transition in
      if lanes?.contains(lane) ?? true { add(transition, of: machine) }
    }
  }

  /// Adds `times` to the count of a transition.
  public mutating func add(_ transition: Transition, of machine: String, times: Int = 1) {
    machines[machine, default: [:]][transition, default: 0] += times
  }

  /// Adds the counts of another value.
  public mutating func merge(_ other: Self) {
    for (machine, transitions) in other.machines {
      machines[machine, default: [:]].merge(transitions, uniquingKeysWith: +)
    }
  }
}

/// The transitions of one machine, as pairs of a transition's number and a count.
package struct MachineTransitions: Codable {
  package let machine: String
  package let counts: [[Int]]
}

extension TransitionCounts: Codable {
  /// The counts of each machine, sorted by name.
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
  /// - Throws: `JSONMismatch` for an unknown transition or a count that is out of range.
  package mutating func add(_ machine: MachineTransitions) throws(JSONMismatch) {
    for pair in machine.counts {
      guard pair.count == 2, let transition = Transition(code: pair[0]),
        (0...10_000_000_000).contains(pair[1])
      else { throw JSONMismatch("counts", .notThis("pairs of a transition and a count")) }
      add(transition, of: machine.machine, times: pair[1])
    }
  }
}

extension Recording {
  /// Calls `body` with the lane, machine and transition of every transition, in the order of
  /// events. Lanes without states have none.
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

  /// Returns the machines of a lane, in the order in which they governed it.
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

/// A reader that follows one lane's events and derives the transition of each.
///
/// Its stored state is all that the transitions of later events depend on.
package struct TransitionReader: Hashable {
  package private(set) var phase: Recording.Phase
  /// Attempts that were replaced or cancelled and whose blocks are still running.
  package private(set) var late: Set<Int> = []

  /// Creates a reader for a lane at its beginning.
  package init(phase: Recording.Phase) {
    self.phase = phase
  }

  /// Reads the next event and returns its transition, or nil if it has none.
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
    // The block obeyed its cancellation.
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
    // After yields, the end of a block adds no value.
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
