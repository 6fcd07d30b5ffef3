import ArgumentParser
import Exploring
import Harness
import Rehearsal
import Script

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What a shell starts to search for it; nobody types it.
struct SearchServiceCommand: ParsableCommand {
  static let name = "explore-session"

  static let configuration = CommandConfiguration(
    commandName: name,
    _superCommandName: ThisProgram.current.name,
    abstract: "Perform what a shell's session was told under many schedules.",
    shouldDisplay: false
  )

  func run() throws {
    guard let search = SessionSearch(Self.readInput()) else {
      StandardStreams.complain("error: '\(Self.name)' is for shells, which 'explore' in one starts")
      throw ProgramExit.usage.asError
    }
    guard let told = StopSignals.listening({ told(search) }) else {
      throw ProgramExit.harness.asError
    }
    Self.tell(.end(told))
  }

  /// Nil where no worker can be started.
  private func told(_ search: SessionSearch) -> SessionSearch.Told? {
    let script = SearchedScript(
      source: .session(search),
      scenes: ThisProgram.current.scenes,
      allowed: search.allowed
    )
    let (plan, limits) = (search.search.plan, WorkerCrew.Limits())
    let stop = SearchStop(limitInMilliseconds: nil)
    guard let crew = SearchCrew(script, plan, jobs: ProcessControl.processorCount, limits) else {
      return nil
    }
    crew.whileWaiting = {
      if Self.isAbandoned { ThisProgram.end(with: ProgramExit.harness.rawValue) }
    }
    let orAll = search.search.strategy == nil
    let part = SearchPart(of: plan.seeds, nil, isOneOfSeveral: false)
    let budget = ShelteredSearch.mostRuns(of: plan, part, orAll: orAll)
    var progress = SearchProgress(until: stop, budget: budget)
    let sheltered = ShelteredSearch(crew, until: stop) { count in
      if let news = progress.news(count) { Self.tell(.progress(news)) }
    }
    var findings: Findings
    do throws(ExploredScript.Refusal) {
      findings = try sheltered.findings(plan, part, orAll: orAll)
    } catch {
      return refusal(error)
    }
    sheltered.finish(&findings)
    let wording = SearchTelling.Wording(
      name: SessionSearch.name,
      width: search.width,
      words: .ofShell,
      mostBehaviours: search.mostBehaviours,
      notes: SearchNote.notes(findings, patience: nil, kills: crew.kills)
    )
    Self.tell(.progress("making what fails shorter"))
    let examples = sheltered.examples(findings)
    let told = SearchTelling(script, findings, sheltered.losses, examples, wording, limits).told()
    return .init(
      text: told?.text ?? "error: \(SearchTelling.problem)",
      isGood: told != nil && findings.isGood
    )
  }

  private func refusal(_ refusal: ExploredScript.Refusal) -> SessionSearch.Told {
    let command = refusal.command.printable(atMost: 200)
    let lines = ["error: \(SessionSearch.name) cannot be explored, for '\(command)'"]
    let text = (lines + refusal.lines.map { "  " + $0 }).joined(separator: "\n")
    return .init(text: text, isGood: false)
  }

  /// Whether nobody reads any more what is found.
  private static var isAbandoned: Bool {
    var polled = pollfd(fd: 1, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// Where nobody reads it any more, the search ends.
  private static func tell(_ news: SearchNews) {
    do throws(FileProblem) {
      try FileBytes.write(CrewFrame.bytes(news.bytes), to: 1)
    } catch {
      ThisProgram.end(with: ProgramExit.harness.rawValue)
    }
  }

  private static func readInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = FileBytes.read(0, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
