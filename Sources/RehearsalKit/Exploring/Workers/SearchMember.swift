import Exploring
import Harness
import Rehearsal

/// A worker of a search, in its own process: performs the script as it is asked to.
final class SearchMember {
  private let notes: SearchNotes
  private let desk: CrewDesk
  private let plan: Exploration.Plan
  private let makeScript: (ExploredScript.Watch) throws(ExploredScript.Refusal) -> ExploredScript
  private var script: ExploredScript?
  /// The groups that were told in full.
  private var told: Set<UInt64> = []

  init(
    _ desk: CrewDesk,
    _ plan: Exploration.Plan,
    _ makeScript: @escaping (ExploredScript.Watch) throws(ExploredScript.Refusal) -> ExploredScript
  ) {
    self.desk = desk
    self.plan = plan
    self.makeScript = makeScript
    notes = SearchNotes(at: desk.notes)
  }

  func answer(to bytes: [UInt8]) -> [UInt8] {
    guard let request = SearchRequest(bytes) else { return [] }
    do throws(ExploredScript.Refusal) {
      return answer(to: request, try readyScript())
    } catch {
      var none: Set<UInt64>?
      return SearchAnswer.refused(error).bytes(told: &none)
    }
  }

  /// The script, performed once to see whether it can be.
  private func readyScript() throws(ExploredScript.Refusal) -> ExploredScript {
    if let script { return script }
    notes.begin(run: -1)
    let made = try makeScript(notes.watch(desk))
    script = made
    return made
  }

  private func answer(to request: SearchRequest, _ script: ExploredScript) -> [UInt8] {
    let goOn = { [notes, desk] (findings: Findings) in
      notes.begin(run: findings.runs)
      return !desk.isStopped
    }
    var plan = plan
    if case .tree = request { plan.strategy = .exhaustive }
    var exploration = Exploration(plan, script.play)
    var none: Set<UInt64>?
    notes.begin(run: 0)
    notes.keepsOutput = false
    switch request {
    case .plain:
      var plain = exploration.plain()
      plain.isEndless = script.isEndless
      plain.excused = script.excused
      plain.schedulesLeftOut = script.schedulesLeftOut
      return found(plain, TreePlace(), keeping: true)
    case .seeds(let seeds, let length, let keeping):
      let findings = exploration.part(seeds, length: length, while: goOn)
      return found(findings, TreePlace(), keeping: keeping)
    case .tree(let place, let runs, let keeping):
      let (findings, place) = exploration.part(from: place, runs: runs, while: goOn)
      return found(findings, place, keeping: keeping)
    case .replay(let schedule):
      notes.keepsOutput = true
      return SearchAnswer.replayed(ReplayedRun(schedule, script.play)).bytes(told: &none)
    case .perform(let commands, let schedule):
      notes.keepsOutput = true
      return SearchAnswer.replayed(script.replay(commands, by: schedule)).bytes(told: &none)
    }
  }

  private func found(_ findings: Findings, _ place: TreePlace, keeping: Bool) -> [UInt8] {
    var told: Set<UInt64>? = keeping ? self.told : nil
    let bytes = SearchAnswer.found(findings, place).bytes(told: &told)
    if let told { self.told = told }
    return bytes
  }
}
