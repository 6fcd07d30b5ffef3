import ArgumentParser
import Exploring
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

  @Option(
    help: ArgumentHelp(
      "How schedules are chosen: random, priorities or exhaustive.",
      valueName: "STRATEGY"
    ),
    completion: .list(StrategyName.allCases.map(\.rawValue))
  )
  var strategy: StrategyName?

  @Option(
    help: ArgumentHelp("Perform it so many times at most.", valueName: "N"),
    transform: NumberOption.reader(1...1_000_000_000, example: 10_000)
  )
  var schedules: Int?

  @Option(help: ArgumentHelp("Choose by chance from this number on.", valueName: "N"))
  var seed: UInt64 = 0

  @Option(
    help: ArgumentHelp(
      "How often priorities change in a run, with --strategy priorities (default: 3).",
      valueName: "N"
    ),
    transform: NumberOption.reader(0...1_000, example: 3)
  )
  var changes: Int?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Stop after this much real time.", valueName: "DURATION"),
    transform: RealDuration.init(typed:)
  )
  var duration: RealDuration?

  @Flag(help: "Go on behind the first failure.")
  var keepGoing = false

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

  func validate() throws {
    if changes != nil, strategy != .priorities {
      throw ValidationError("--changes goes with --strategy priorities.")
    }
    if seed > UInt64.max - UInt64(schedules ?? ScriptSearch.usualRuns) {
      throw ValidationError("--seed leaves too few numbers behind it.")
    }
  }

  func run() throws {
    do throws(HarFailure) {
      let script = try script()
      let findings = search(script)
      if json.isOn {
        StandardStreams.write(JSONFlag.begin + findings.json)
      } else {
        let text = ExplorationText(
          file: file,
          script: script,
          findings: findings,
          width: 80,
          allow: "--allow"
        )
        let examples = script.counterexamples(findings)
        StandardStreams.write(
          OutputPainter(colour.settings.colour).paint(lines: text.text(examples))
        )
      }
      throw HarFailure(lines: [], exit: findings.isGood ? .success : .differences)
    } catch {
      if !error.text.isEmpty { StandardStreams.write(error.text, to: .error) }
      throw error.exit.asError
    }
  }

  private func script() throws(HarFailure) -> ExploredScript {
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
    do throws(ExploredScript.Refusal) {
      return try ExploredScript(playable, scenes: ThisProgram.current.scenes, allowing: Set(allow))
    } catch {
      throw HarFailure(
        lines: [
          "error: \(file) cannot be explored, for '\(error.command.printable(atMost: 200))'"
        ]
          + error.lines.map { "  " + $0 },
        exit: .differences
      )
    }
  }

  private func search(_ script: ExploredScript) -> Findings {
    let end = duration.map { ContinuousClock.now.advanced(by: $0.duration) }
    let goesOn = { (_: Findings) in end.map { ContinuousClock.now < $0 } ?? true }
    var search = ScriptSearch()
    search.strategy = strategy?.strategy(changes: changes ?? 3)
    search.runs = schedules
    search.seed = seed
    search.goesOn = keepGoing
    return search.findings(while: goesOn, script.play)
  }
}

extension Invariant: ExpressibleByArgument {}

/// A strategy as an argument.
enum StrategyName: String, ExpressibleByArgument, CaseIterable {
  case random, priorities, exhaustive

  func strategy(changes: Int) -> Strategy {
    switch self {
    case .random: .random
    case .priorities: .priorities(changes: changes)
    case .exhaustive: .exhaustive
    }
  }
}
