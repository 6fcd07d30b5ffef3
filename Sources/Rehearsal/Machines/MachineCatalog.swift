import Loading
import Synchronization
import Timelines

/// Every arrow of every machine, found out once when somebody asks: `loadable latest`, `process queue`.
enum MachineCatalog {
  // For all sessions: it takes as long as performing thousands of commands.
  private static let known = Mutex<[String: [Arrow]]>([:])

  /// Names of the machines of this library, in the order of the documentation.
  static let names = [MemberSort.loadable, .process].flatMap { sort in
    LoadingPolicy.all.map { "\(sort.rawValue) \($0.name)" }
  }

  /// The arrows that a machine can take, sorted; nil where a user's own code decides.
  static func arrows(of machine: String) -> [Arrow]? {
    known.withLock { known in
      let arrows = known[machine] ?? allArrows(of: machine)
      known[machine] = arrows
      return arrows
    }
  }

  private static func allArrows(of machine: String) -> [Arrow]? {
    let words = machine.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let policy = LoadingPolicy.named(words[1]) else { return nil }
    return arrows(of: MemberSort(rawValue: words[0]), policy: policy)
  }

  private static func arrows(of sort: MemberSort?, policy: LoadingPolicy) -> [Arrow]? {
    switch sort {
    case .loadable: MachineExplorer<LoadableState<Int>>(.loadable, policy: policy).arrows.sorted()
    case .process:
      MachineExplorer<ProcessState<SingleProcess>>(.process, policy: policy).arrows.sorted()
    default: nil
    }
  }

  /// The diagrams of all machines that took an arrow: those that are known, in the order of the
  /// documentation, then a user's own.
  static func diagrams(of counts: ArrowCounts) -> [StateDiagram] {
    let others = counts.machines.keys.filter { !names.contains($0) }.sorted()
    return (names + others).compactMap { machine in
      counts.machines[machine].map {
        StateDiagram(title: machine, machine: machine, counts: $0, possible: arrows(of: machine))
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
