import ArgumentParser
import Exploring
import Harness
import Rehearsal
import Script

struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "explore",
    abstract: "Perform a script under many schedules, and show what differs.",
    discussion: UsageText.discussion(
      """
      What is due at the same instant comes in another order in each run; each run is a session of its own, in \
      virtual time, without a network. Runs in which the same happens at the same instants are one behaviour. A \
      command that fails in some orders only is a failure: it is shown as a transcript, with the shortest \
      schedule that was found for it. Exit codes: 0 nothing fails, 1 a failure, 2 called wrongly.

      Without --strategy all schedules are tried if there are no more than a thousand, and else so many by \
      chance. 'priorities' finds what takes a certain order in few places sooner than chance does.
      """,
      [
        "explore login.transcript": "what else could have happened",
        "explore login.rehearse --strategy exhaustive --schedules 1000000": "all orders there are",
        "explore login.rehearse --strategy priorities --changes 2 --for 1m": "for a minute",
      ]
    )
  )

  @Argument(
    help: "A script or a transcript.",
    completion: .file(extensions: ["rehearse", "transcript"])
  )
  var file: String

  @OptionGroup(title: "Searching") var options: SearchOptions

  @OptionGroup(title: "Workers") var workers: SearchWorkerOptions

  @Option(
    help: ArgumentHelp(
      "Do not judge this: superseded, settled, last-asked, stuck or left-over. May be repeated.",
      valueName: "RULE"
    ),
    completion: .list(Invariant.allCases.map(\.rawValue))
  )
  var allow: [Invariant] = []

  @OptionGroup var colour: ColourFlag

  @OptionGroup var json: JSONFlag

  func run() throws {
    do throws(HarFailure) {
      let script = SearchedScript(
        file: try playable(),
        scenes: ThisProgram.current.scenes,
        allowed: Set(allow)
      )
      throw HarFailure(lines: [], exit: try StopSignals.listening { explore(script) }.get())
    } catch {
      if !error.text.isEmpty { StandardStreams.write(error.text, to: .error) }
      throw error.exit.asError
    }
  }

  private func explore(_ script: SearchedScript) -> Result<ProgramExit, HarFailure> {
    let stop = SearchStop(limitInMilliseconds: options.milliseconds)
    let plan = options.plan
    guard let crew = SearchCrew(script, plan, jobs: workers.count, workers.limits) else {
      return .failure(HarFailure("no worker could be started", hint: nil, exit: .harness))
    }
    let screen = ShellScreen(isForPeople: !json.isOn, on: .error)
    var progress = SearchProgress(screen, until: stop, budget: options.budget)
    let search = ShelteredSearch(crew, until: stop) { progress.show($0, runs: $1) }
    var findings: Findings
    do throws(ExploredScript.Refusal) {
      findings = try search.findings(plan, orAll: options.strategy == nil)
    } catch {
      return .failure(refusal(error))
    }
    search.shrink(&findings)
    progress.end()
    let result = tell(findings, search.losses, script)
    return result.map { StopSignals.exit ?? $0 }
  }

  private func tell(
    _ findings: Findings,
    _ losses: [Schedule: ExploredScript.Loss],
    _ script: SearchedScript
  ) -> Result<ProgramExit, HarFailure> {
    if json.isOn {
      StandardStreams.write(JSONFlag.begin + findings.json)
    } else {
      let notes = SearchNote.notes(findings, options)
      let telling = SearchTelling(script, findings, losses) { [file] script, examples in
        ExplorationText(
          file: file,
          script: script,
          findings: findings,
          width: 80,
          allow: "--allow",
          notes: notes
        ).text(examples)
      }
      guard let text = telling.text(workers.limits) else {
        let failure = HarFailure(
          "what was found cannot be shown, since the script ends each process that performs it",
          hint: "--json tells it without",
          exit: .harness
        )
        return .failure(failure)
      }
      StandardStreams.write(OutputPainter(colour.settings.colour).paint(lines: text))
    }
    return .success(findings.isGood ? .success : .differences)
  }

  private func playable() throws(HarFailure) -> Playable {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.read(file)
    } catch {
      throw HarFailure("cannot read '\(file)': \(error.sentence)", hint: nil)
    }
    guard let playable = Playable(path: file, bytes: bytes) else {
      throw HarFailure(
        "'\(file)' does not hold just one transcript",
        hint: "write the one that is meant into a file of its own"
      )
    }
    return playable
  }

  private func refusal(_ refusal: ExploredScript.Refusal) -> HarFailure {
    let command = refusal.command.printable(atMost: 200)
    return HarFailure(
      lines: ["error: \(file) cannot be explored, for '\(command)'"]
        + refusal.lines.map { "  " + $0 },
      exit: .differences
    )
  }
}

extension Invariant: ExpressibleByArgument {}
