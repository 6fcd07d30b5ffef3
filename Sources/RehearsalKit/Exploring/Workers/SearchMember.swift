import Exploring
import Rehearsal
import Workers

/// A worker of a search in its own process: performs the script.
final class SearchMember {
  private let notes: SearchNotes
  private let context: WorkerContext
  private let plan: Exploration.Plan
  private let makeScript: (ExploredScript.Watch) throws(ExploredScript.Refusal) -> ExploredScript
  private var script: ExploredScript?
  private var sent = SentOutcomes()

  init(
    _ context: WorkerContext,
    _ plan: Exploration.Plan,
    _ makeScript: @escaping (ExploredScript.Watch) throws(ExploredScript.Refusal) -> ExploredScript
  ) {
    self.context = context
    self.plan = plan
    self.makeScript = makeScript
    notes = SearchNotes(at: context.notes)
  }

  func answer(to request: SearchRequest) -> SearchAnswer {
    do throws(ExploredScript.Refusal) {
      return answer(to: request, try readyScript())
    } catch {
      return .refused(error)
    }
  }

  /// The script, performed once to see whether it can be.
  private func readyScript() throws(ExploredScript.Refusal) -> ExploredScript {
    if let script { return script }
    notes.begin(run: -1)
    let made = try makeScript(notes.watch(context))
    script = made
    return made
  }

  private func answer(to request: SearchRequest, _ script: ExploredScript) -> SearchAnswer {
    let goOn = { [notes, context] (findings: Findings) in
      notes.begin(run: findings.runs)
      return !context.isStopped
    }
    var plan = plan
    if case .tree = request { plan.strategy = .exhaustive }
    var exploration = Exploration(plan, script.play)
    notes.begin(run: 0)
    notes.keepsOutput = false
    switch request {
    case .plain:
      var plain = exploration.plain()
      plain.isEndless = script.isEndless
      plain.ignored = script.ignored
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
      return .replayed(ReplayedRun(schedule, script.play))
    case .perform(let commands, let schedule):
      notes.keepsOutput = true
      return .replayed(script.replay(commands, by: schedule))
    }
  }

  private func found(_ findings: Findings, _ place: TreePlace, keeping: Bool) -> SearchAnswer {
    var findings = findings
    sent.removeKnown(from: &findings, keeping: keeping)
    return .found(findings, place)
  }
}
