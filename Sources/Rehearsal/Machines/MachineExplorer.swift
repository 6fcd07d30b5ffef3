import Loading
import Timelines

/// Finds all transitions of a machine by trying every possible event, breadth first.
///
/// Situations that differ only in the numbers of their attempts count as one. At most `mostLive`
/// attempts live at the same time, because more of them add no transition.
struct MachineExplorer<State: LifecycleState> {
  /// Every transition found.
  private(set) var transitions: Set<Transition> = []
  private var seen: Set<Situation> = []
  private var queue: [Node] = []
  private let alphabet: Alphabet
  private let mostLive: Int

  /// The possible events of a machine of this family.
  struct Alphabet {
    let kind: State.Kind
    let output: State.Output
    /// The cancel and reset errors of the family.
    let cancelError: any Error
    let resetError: any Error
    /// Whether blocks yield states.
    let yields: Bool

    var states: [State] {
      [.resting, .inFlight(kind), .succeeded(kind, output), .failed(kind, because: PlainError())]
    }
    var errors: [any Error] { [PlainError(), CancellationError(), cancelError, resetError] }
    var outcomes: [LoadMachine<State>.Outcome] {
      [.returned(output)] + (yields ? [.returned(nil)] : []) + errors.map { .threw($0) }
    }
  }

  private struct PlainError: Error {}

  /// The part of the machine's state that future transitions depend on.
  private struct Situation: Hashable {
    let sketch: LoadSketch
    let phase: Recording.Phase
  }

  private struct Node {
    var machine: LoadMachine<State>
    var reader: TransitionReader
  }

  /// Tries every possible event under a policy.
  init(_ alphabet: Alphabet, policy: LoadingPolicy, mostLive: Int = 2) {
    self.alphabet = alphabet
    self.mostLive = mostLive
    for state in alphabet.states {
      var machine = LoadMachine(state, policy: policy)
      machine.isObserved = true
      visit(Node(machine: machine, reader: TransitionReader(phase: Recording.Phase(state.phase))))
    }
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      for event in events(for: node.machine) { step(node, event) }
    }
  }

  private mutating func visit(_ node: Node) {
    let sketch = node.machine.sketch { node.reader.late.contains($0.number) }
    if seen.insert(Situation(sketch: sketch, phase: node.reader.phase)).inserted {
      queue.append(node)
    }
  }

  private mutating func step(_ node: Node, _ event: LoadMachine<State>.Event) {
    var node = node
    for effect in node.machine.handle(event) {
      switch effect {
      case .begin(let attempt): _ = node.machine.store(attempt)
      case .observe(let observation):
        if let transition = node.reader.read(Recording.Event(observation)) {
          transitions.insert(transition)
        }
      default: break
      }
    }
    visit(node)
  }

  private func events(for machine: LoadMachine<State>) -> [LoadMachine<State>.Event] {
    var events: [LoadMachine<State>.Event] = [.cancel, .reset]
    events += alphabet.states.map { .set($0) }
    if machine.policy.sharing == .instancesOfType {
      events += [.displace(cancelling: true), .displace(cancelling: false)]
    }
    for attempt in machine.liveAttempts { events += self.events(of: attempt, in: machine) }
    for attempt in machine.waitingAttempts { events.append(.leave(attempt)) }
    if machine.liveAttempts.count + machine.waitingAttempts.count < mostLive {
      for silently in [false, true] {
        events += [.task, .async].map { .start(alphabet.kind, silently: silently, form: $0) }
      }
    }
    return events
  }

  private func events(
    of attempt: Attempt,
    in machine: LoadMachine<State>
  ) -> [LoadMachine<State>.Event] {
    let errors = machine.isUndisturbed(attempt) ? alphabet.errors : []
    return (alphabet.yields ? alphabet.states.map { .yield(attempt, $0) } : [])
      + errors.map { .stop(attempt, $0) }
      + alphabet.outcomes.map {
        .end(attempt, $0, taskWasCancelled: !machine.isUndisturbed(attempt))
      }
      + [.leave(attempt)]
  }
}

extension Recording.Event {
  /// Creates the part of an observation that determines its transition.
  fileprivate init<State>(_ observation: LoadObservation<State>) {
    self.init(
      time: .zero,
      lane: 0,
      attempt: observation.change.attempt?.number,
      kind: observation.change.recordedKind,
      state: nil,
      phase: Recording.Phase(observation.after.state.phase),
      answer: observation.change.delivers ? "" : nil
    )
  }
}
