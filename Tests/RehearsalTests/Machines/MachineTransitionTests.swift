import Loading
import Testing
import Timelines

@testable import Rehearsal

/// The transitions that `MachineExplorer` finds, compared with those that sessions take.
@Suite struct MachineTransitionTests {
  private static let machines = ["loadable", "process"].flatMap { family in
    LoadingPolicy.all.map { (family, $0.name) }
  }

  private func possible(_ family: String, _ policy: String) throws -> Set<Transition> {
    let transitions = MachineCatalog.transitions(of: "\(family) \(policy)")
    return Set(try #require(transitions))
  }

  /// Returns the transitions of a machine that random sessions with these seeds took.
  private func taken(_ family: String, _ policy: String, seeds: Range<UInt64>) -> Set<Transition> {
    var counts = TransitionCounts()
    for seed in seeds {
      var session = RandomSession(seed: seed, isProcess: family == "process")
      let performer = SessionPerformer(fixtures: Fixtures(), folder: ".")
      for command in session.commands(60, policy: policy) {
        _ = performer.perform(command) { _ in }
      }
      counts.merge(performer.transitionCounts)
      performer.finish()
    }
    return Set(counts.machines["\(family) \(policy)"]?.keys.map(\.self) ?? [])
  }

  @Test(arguments: machines)
  func `a session takes only transitions that were found`(family: String, policy: String) throws {
    let possible = try possible(family, policy)
    let taken = taken(family, policy, seeds: 0..<6)
    #expect(taken.subtracting(possible).sorted() == [])
    #expect(taken.count * 2 > possible.count)
  }

  @Test(arguments: [("loadable", "latest"), ("process", "queue")])
  func `commands can take every transition that was found`(
    family: String,
    policy: String
  ) throws {
    let possible = try possible(family, policy)
    var taken: Set<Transition> = []
    var seed: UInt64 = 0
    while !taken.isSuperset(of: possible), seed < 400 {
      taken.formUnion(self.taken(family, policy, seeds: seed..<seed + 10))
      seed += 10
    }
    #expect(possible.subtracting(taken).sorted() == [])
  }

  @Test(arguments: [LoadingPolicy.latest, .queue, .parallel, .remoteContentArticle])
  func `a third attempt at the same time adds no transitions`(policy: LoadingPolicy) {
    let two = MachineExplorer<LoadableState<Int>>(.loadable, policy: policy, mostLive: 2)
    let three = MachineExplorer<LoadableState<Int>>(.loadable, policy: policy, mostLive: 3)
    #expect(two.transitions == three.transitions)
  }

  @Test func `a policy determines the possible transitions`() throws {
    let refusal = Transition(from: .inFlight, cause: .refuse, to: .inFlight)
    let restart = Transition(from: .inFlight, cause: .restart, to: .inFlight)
    let lateValue = Transition(from: .inFlight, cause: .late, to: .succeeded)
    #expect(try possible("loadable", "ignore").contains(refusal))
    #expect(try !possible("loadable", "ignore").contains(restart))
    #expect(try possible("loadable", "latest").contains(restart))
    #expect(try !possible("loadable", "latest").contains(lateValue))
    #expect(try possible("loadable", "processed").contains(lateValue))
  }

  @Test(arguments: ["loadable", "loadable mine", "loadable latest (changed)", "pipe latest", ""])
  func `the transitions of other machines are unknown`(name: String) {
    let transitions = MachineCatalog.transitions(of: name)
    #expect(transitions == nil)
  }

  @Test func `diagrams have the order of the documentation, custom machines last`() {
    var counts = TransitionCounts()
    for machine in ["zoo", "process latest", "loadable queue", "custom source", "loadable latest"] {
      counts.add(Transition(from: nil, cause: .set, to: .failed), of: machine)
    }
    let machines = MachineCatalog.diagrams(of: counts).map(\.machine)
    #expect(
      machines == ["loadable latest", "loadable queue", "process latest", "custom source", "zoo"]
    )
  }
}
