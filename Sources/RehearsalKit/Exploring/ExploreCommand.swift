import ArgumentParser
import Exploring
import Harness
import Rehearsal
import RehearsalBase
import Script
import Workers

/// The subcommand `explore`: its flags, which scripts it explores, the replay of a corpus, and the exit code.
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "explore",
    abstract:
      "Run a script in many orders of its jobs (schedules), and show how the results differ.",
    discussion: UsageText.discussion(
      """
      A job is a piece of a task that runs without suspension. A schedule is an order of jobs; the default schedule is \
      first in, first out. Each run is a new session in virtual time, without a network. Runs with the same events at \
      the same instants are one behaviour.

      A failing command or a violated check is a failure. The report shows a short transcript that repeats the run. \
      The first failure ends the search, unless --keep-going is given. If FILE is a transcript, a failure that is \
      part of its output is ignored and listed.

      Without --strategy, up to 1,000 systematic runs, which try the schedules in order, alternate with runs of 'mixed'.

      With --generate, each run also generates commands, after those of FILE: commands of the scenes, loads, \
      cancellations, failures of requests, and waits. The transcript of a failure contains them.

      Exit codes: 0 no failure, 1 a failure or a script that cannot be explored, 2 wrong arguments, 3 no worker \
      process started, or the report could not be written, 130 stopped by Ctrl-C, 131 by Ctrl-\\.
      """,
      [
        "explore login.transcript": "show in which ways the output can differ",
        "explore login.rehearse --strategy exhaustive --schedules 1000000": "try all schedules",
        "explore login.rehearse --strategy pct --pct-changes 2 --max-time 1m":
          "search for a minute",
        "explore login.rehearse --until 1%": "stop when a new behaviour is unlikely",
        "explore login.rehearse --save found": "save each failure as a transcript",
        "explore login.rehearse --table":
          "show which task did what, in the failing run and in one that passes",
        "explore login.rehearse --behaviours all": "show all variants of the output, not only ten",
        "explore --generate --corpus sessions login.rehearse":
          "replay the transcripts of a folder first, and save new failures there",
        "explore --generate login.rehearse":
          "generate commands after those of the script, in 10,000 sessions",
      ]
    )
  )

  @Argument(
    help:
      "Script or transcript. '-' is standard input. With --generate, several files or none.",
    completion: .file(extensions: ["rehearse", "transcript"])
  )
  var file: [String] = []

  @OptionGroup(title: "Generating") var generating: GeneratingOptions

  @OptionGroup(title: "Searching") var options: SearchOptions

  @OptionGroup(title: "Workers") var workers: SearchWorkerOptions

  @Option(
    help: ArgumentHelp(
      "Disable a built-in check; 'help explore' in the shell explains them. May be repeated.",
      valueName: "CHECK"
    ),
    completion: .list(BuiltInCheck.allCases.map(\.rawValue))
  )
  var disable: [BuiltInCheck] = []

  @Option(
    help: ArgumentHelp("Folder to save each failure in, as a transcript.", valueName: "DIR"),
    completion: .directory
  )
  var save: String?

  @Flag(
    help:
      "Show the jobs of a failing run and of the nearest run that passes, with a column for each task, instead of timelines. With --save, also save them as .svg and .html."
  )
  var table = false

  @OptionGroup var behaviours: BehavioursOption

  @OptionGroup var colour: ColourFlag

  @OptionGroup var json: JSONFlag

  func validate() throws {
    try behaviours.check(json: json.isOn)
    try generating.check(options)
    if !generating.isOn, file.count != 1 {
      throw ValidationError(
        file.isEmpty
          ? "name a script or transcript; --generate also explores the scenes without a file"
          : "name one script or transcript; only --generate takes several"
      )
    }
    if table, json.isOn, save == nil {
      throw ValidationError("--table does not go with --json, unless --save keeps the tables")
    }
    guard let save else { return }
    if save.isEmpty || Folder.realPath(save) != nil && !Folder.isFolder(save) {
      throw ValidationError(
        "--save takes a folder, and '\(save.printable(atMost: 80))' is not one"
      )
    }
  }

  func run() throws {
    let bazel = try BazelVariables.ofThisRun(beside: options.shard?.value)
    if bazel.shard != nil, let conflict = options.conflict(ofPartsBy: "TEST_TOTAL_SHARDS") {
      throw ValidationError(conflict)
    }
    let part = options.part(bazel)
    do throws(SubcommandFailure) {
      var exit = ProgramExit.success
      let beginnings = try beginnings()
      if json.isOn, beginnings.count > 1 {
        throw SubcommandFailure(
          "--json reports one search, and this command has \(beginnings.count)",
          hint: "name one FILE",
          exit: .usage
        )
      }
      var (failures, notes): ([String], [String]) = ([], [])
      if let folder = generating.corpus { (failures, notes, exit) = try replayCorpus(folder) }
      for (index, (file, playable)) in beginnings.enumerated() {
        if index > 0, !json.isOn { StandardStreams.write("\n") }
        let script = SearchedScript(
          .file(playable),
          scenes: ThisProgram.current.scenes,
          disabled: Set(disable),
          generating: generating.most
        )
        let result = StopSignals.listening {
          explore(script, playable, file, part, failures, notes)
        }
        if case .failure(let failure) = result, index + 1 < beginnings.count {
          // The other files are explored all the same.
          StandardStreams.write(failure.text, to: .error)
          exit = failure.exit.rawValue > exit.rawValue ? failure.exit : exit
          continue
        }
        let next = try result.get()
        exit = next.rawValue > exit.rawValue ? next : exit
        if StopSignals.exit != nil { break }
      }
      throw SubcommandFailure(lines: [], exit: exit)
    } catch {
      if !error.text.isEmpty { StandardStreams.write(error.text, to: .error) }
      throw error.exit.asError
    }
  }

  /// Replays the transcripts of a folder.
  ///
  /// - Returns: lines about the failures, notes for a report in JSON, and the exit code.
  /// - Throws: if one fails or no longer fits, and the search does not continue after a failure; or if a signal stopped the
  ///   replay.
  private func replayCorpus(_ folder: String) throws(SubcommandFailure) -> (
    failures: [String], notes: [String], exit: ProgramExit
  ) {
    let corpus = try SearchCorpus(folder, Set(disable), workers.limits)
    let (failures, summary, exit) = StopSignals.listening { corpus.replay() }
    let lines = corpus.notes.map { "note: \($0)" } + failures + summary
    let text = lines.map { $0 + "\n" }.joined()
    if !text.isEmpty { StandardStreams.write(text, to: json.isOn ? .error : .output) }
    if exit != .success, !options.keepGoing || StopSignals.caught != nil {
      if json.isOn {
        StandardStreams.write(SearchReport.json(ofCorpus: failures, notes: corpus.notes))
      } else if StopSignals.caught == nil {
        StandardStreams.write("the search did not begin; with '--keep-going' it does\n")
      }
      throw SubcommandFailure(lines: [], exit: exit)
    }
    return (failures, json.isOn ? corpus.notes : [], exit)
  }

  /// The commands that are explored, with their names: files, or without a file each scene.
  private func beginnings() throws(SubcommandFailure) -> [(String, Playable)] {
    var beginnings: [(String, Playable)] = []
    for file in file {
      let playable = try SearchedScript.playable(file)
      beginnings.append((file, playable.preempting(options.preempt)))
    }
    if !file.isEmpty { return beginnings }
    for scene in ThisProgram.current.scenes {
      let text = "scene \(scene.name)"
      guard let playable = Playable(path: "-", bytes: Array(text.utf8)) else { continue }
      beginnings.append((text, playable.preempting(options.preempt)))
    }
    guard !beginnings.isEmpty else {
      throw SubcommandFailure(
        "this program has no scenes to explore",
        hint: "name a script whose commands begin each session",
        exit: .usage
      )
    }
    return beginnings
  }

  private func explore(
    _ script: SearchedScript,
    _ playable: Playable,
    _ file: String,
    _ part: SearchPart,
    _ failuresOfCorpus: [String],
    _ notesOfCorpus: [String]
  ) -> Result<ProgramExit, SubcommandFailure> {
    let stop = SearchStop(limitInMilliseconds: options.milliseconds) { RealTime.now }
    var plan = options.plan
    plan.mutates = generating.isOn
    plan.readsOutput = json.isOn
    let exploration = ScriptExploration(
      script,
      plan,
      part: part,
      orAll: options.strategy == nil && !generating.isOn,
      jobs: workers.count,
      workers.limits,
      until: stop
    )
    guard let exploration else {
      return .failure(SubcommandFailure(SearchNote.noWorker(nil), hint: nil, exit: .harness))
    }
    let screen = ShellScreen(isForPeople: !json.isOn, on: .error)
    let budget = options.hasBudget ? exploration.mostRuns : nil
    var progress = SearchProgress(until: stop, budget: budget)
    var report = SearchReport(of: script, file: file, options, part)
    report.failuresOfCorpus = failuresOfCorpus
    var findings: Findings
    do throws(ExploredScript.Refusal) {
      findings = try exploration.search { findings in
        guard let news = progress.news(findings) else { return }
        screen.show(note: news + " · Ctrl-C stops")
      }
    } catch {
      guard json.isOn else { return .failure(refusal(error, playable, file)) }
      StandardStreams.write(report.json(of: error, line: playable.line(of: error.command)))
      return .success(.differences)
    }
    if let problem = exploration.executor.problem, !json.isOn {
      screen.show(note: nil)
      let hint = findings.runs > 0 ? "--json prints the findings until then" : nil
      return .failure(SubcommandFailure(SearchNote.noWorker(problem), hint: hint, exit: .harness))
    }
    if let news = progress.shrinkingNews { screen.show(note: news + " · Ctrl-C stops") }
    exploration.finish(&findings)
    report.mostBehaviours = behaviours.most
    report.showsTable = table
    report.findings = findings
    let schedules = ExploredScript.schedules(in: playable.commands) + findings.schedulesLeftOut
    report.notes = notesOfCorpus + ExplorationText.leftOut(schedules)
    report.notes += ExplorationText.notes(ofDefault: findings)
    report.notes += ExplorationText.limits(
      of: findings,
      until: options.until?.value,
      stopAfter: options.stopAfter
    )
    report.notes += SearchNote.notes(
      findings,
      stopAfter: options.stopAfter,
      problem: exploration.executor.problem
    )
    report.kills = exploration.executor.kills
    report.isInterrupted = StopSignals.caught != nil || exploration.executor.problem != nil
    let result = report.print(
      exploration,
      savedIn: save ?? generating.corpus,
      json: json.isOn,
      OutputPainter(colour.settings.colour)
    ) { screen.show(note: nil) }
    return result.map { exploration.executor.problem == nil ? StopSignals.exit ?? $0 : .harness }
  }

  private func refusal(
    _ refusal: ExploredScript.Refusal,
    _ playable: Playable,
    _ file: String
  ) -> SubcommandFailure {
    let command = refusal.command.printable(atMost: 200)
    let line = playable.line(of: refusal.command).map { " in line \($0)" } ?? ""
    return SubcommandFailure(
      lines: [
        "error: cannot explore \(SearchReport.name(of: file)), because of '\(command)'\(line)"
      ]
        + refusal.lines.map { "  " + $0 },
      exit: .differences
    )
  }
}

extension BuiltInCheck: ExpressibleByArgument {}

extension SearchedScript {
  /// Reads the file that is explored; `-` is standard input.
  ///
  /// - Throws: if it cannot be read, or holds several transcripts or no command.
  static func playable(_ file: String) throws(SubcommandFailure) -> Playable {
    let quoted = ConversionFailure.name(of: file)
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try file == "-" ? FileBytes.readInput() : FileBytes.read(file)
    } catch {
      throw SubcommandFailure(
        "cannot read \(quoted): \(error.sentence)",
        hint: error == .folder ? "name one script or transcript" : nil
      )
    }
    let playable = try Playable.read(file, bytes, toBe: "explored")
    guard !ExploredScript.commands(of: playable).isEmpty else {
      throw SubcommandFailure(
        "there is no command to explore in \(quoted)",
        hint: nil
      )
    }
    return playable
  }
}
