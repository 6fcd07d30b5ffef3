import Loading
import Synchronization
import Timelines

/// All transitions of all machines, computed once on demand: `loadable latest`, `process queue`.
enum MachineCatalog {
  // Shared by all sessions, because the computation takes as long as thousands of commands.
  private static let known = Mutex<[String: [Transition]]>([:])

  /// Names of the machines of this library, in the order of the documentation.
  static let names = [MemberSort.loadable, .process].flatMap { sort in
    LoadingPolicy.all.map { "\(sort.rawValue) \($0.name)" }
  }

  /// Returns the transitions of a machine, sorted; nil if the user's code decides them.
  static func transitions(of machine: String) -> [Transition]? {
    known.withLock { known in
      let transitions = known[machine] ?? allTransitions(of: machine)
      known[machine] = transitions
      return transitions
    }
  }

  private static func allTransitions(of machine: String) -> [Transition]? {
    let words = machine.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let policy = LoadingPolicy.named(words[1]) else { return nil }
    return transitions(of: MemberSort(rawValue: words[0]), policy: policy)
  }

  private static func transitions(of sort: MemberSort?, policy: LoadingPolicy) -> [Transition]? {
    switch sort {
    case .loadable:
      MachineExplorer<LoadableState<Int>>(.loadable, policy: policy).transitions.sorted()
    case .process:
      MachineExplorer<ProcessState<SingleProcess>>(.process, policy: policy).transitions.sorted()
    default: nil
    }
  }

  /// Returns the diagrams of all machines that took a transition: those of the library, in the
  /// order of the documentation, then those of the user.
  static func diagrams(of counts: TransitionCounts) -> [StateDiagram] {
    let others = counts.machines.keys.filter { !names.contains($0) }.sorted()
    return (names + others).compactMap { machine in
      counts.machines[machine].map {
        StateDiagram(
          title: machine,
          machine: machine,
          counts: $0,
          possible: transitions(of: machine)
        )
      }
    }
  }
}

extension MachineExplorer.Alphabet where State == LoadableState<Int> {
  static var loadable: Self {
    Self(
      kind: (),
      output: 1,
      cancelError: CancelLoadable(),
      resetError: ResetLoadable(),
      yields: true
    )
  }
}

extension MachineExplorer.Alphabet where State == ProcessState<SingleProcess> {
  static var process: Self {
    Self(
      kind: SingleProcess(),
      output: (),
      cancelError: CancelProcess(),
      resetError: ResetProcess(),
      yields: false
    )
  }
}
