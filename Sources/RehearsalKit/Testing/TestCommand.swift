import ArgumentParser
import Rehearsal
import Script

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "test",
    abstract: "Replay transcripts and compare.",
    discussion: UsageText.discussion(
      """
      Transcripts are files that end in .transcript and fences marked 'transcript' in .md files. \
      Each is played in a session of its own, in virtual time. Exit codes: 0 all match, 1 some \
      differ or too little is covered, 2 called wrongly, 3 the program itself failed, 130 stopped by \
      Ctrl-C, with what was played until then in all reports.
      """,
      [
        "test": "replay the folders 'transcripts' and 'Transcripts'",
        "test README.md docs transcripts/login": "replay these files and folders",
        "test --filter cancel --fail-fast": "stop at the first failure among some",
        "test --failed": "play what failed last",
        "test --watch": "play again what each change affects",
        "test --filter '!tag:slow' --shard 1/3": "play a third of what is not tagged slow",
        "test --repeat 20": "find what does not always end the same way",
        "test --reporter junit=out/all.xml --reporter html=out/all.html": "write reports, too",
        "test --update transcripts/login": "accept what differs, and read the diff like code",
      ]
    )
  )

  @Argument(
    help: "Files and folders; without any, the folders 'transcripts' and 'Transcripts'.",
    completion: .file(extensions: ["transcript", "md"])
  )
  var paths: [String] = []

  @Flag(help: "Accept the output that differs: rewrite it in the files.")
  var update = false

  @Flag(help: "Update even where CI is set in the environment.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Leave pending results, for 'review', in FOLDER; by default beside the files, and under CI nowhere.",
      valueName: "FOLDER"
    ),
    completion: .directory
  )
  var pending: String?

  @Flag(help: "Leave no pending results.")
  var noPending = false

  @Flag(help: "Go on, and play again what a change of files affects, until Ctrl-C.")
  var watch = false

  @OptionGroup(title: "Reports") var reporterOptions: ReporterOptions

  @OptionGroup(title: "Choosing") var selection: SelectionOptions

  @OptionGroup(title: "Limits") var limits: LimitOptions

  @OptionGroup(title: "Repeating") var repeating: RepeatOptions

  @OptionGroup(title: "Coverage") var coverageOptions: CoverageArguments

  @OptionGroup var networkOptions: NetworkOptions

  @OptionGroup var colour: ColourFlag

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if paths.contains("-") {
      throw ValidationError(
        "standard input is not played: name files. One that is called '-' is written './-'."
      )
    }
    if let reason = conflict { throw ValidationError(reason) }
    _ = try reporterOptions.reporters(json: json.isOn)
  }

  /// What to replay. Asked for last, since an unknown flag says more than a folder that is not there.
  private func chosenPaths(_ reporters: Reporters) throws -> [String] {
    if !paths.isEmpty { return paths }
    let folders = UsualFolders.present
    guard !folders.isEmpty else {
      throw reporters.refuse(
        "there is no folder 'transcripts' or 'Transcripts' here",
        hint: "'\(ProgramName.current) test FILE' replays a file"
      )
    }
    return folders
  }

  /// The part and the filters of the environment.
  private func bazelVariables(_ reporters: Reporters) throws -> BazelVariables {
    do throws(BazelVariables.Complaint) {
      let variables = try BazelVariables(beside: selection.shard?.value)
      guard variables.shard == nil || coverageOptions.coverageThreshold == nil else {
        throw BazelVariables.Complaint(sentence: Self.thresholdOfPart)
      }
      return variables
    } catch {
      throw reporters.refuse(error.sentence, hint: error.hint, exit: error.exit)
    }
  }

  private func watch(
    _ chosen: [String],
    _ runner: TranscriptRunner,
    _ options: TranscriptRunner.Options,
    _ screen: ShellScreen
  ) -> ProgramExit {
    let terminal = WatchTerminal(screen: screen, style: .init(options.reporters))
    let usualPaths = paths.isEmpty ? { UsualFolders.present } : { [] }
    return runner.watch(
      paths: chosen,
      usualPaths: usualPaths,
      audience: terminal,
      program: terminal.program
    ) {
      screen.write($0)
    }
  }

  func run() throws {
    var options = TranscriptRunner.Options()
    options.reporters = try reporterOptions.reporters(json: json.isOn)
    let chosen = try chosenPaths(options.reporters)
    selection.apply(to: &options, try bazelVariables(options.reporters))
    limits.apply(to: &options)
    repeating.apply(to: &options)
    options.pending =
      pending.map { PendingPlace(folder: $0) } ?? (options.isCI || noPending ? nil : .beside)
    options.update = update ? (force ? .evenInCI : .yes) : .no
    options.reporters.colour =
      OutputPainter(colour.settings.colour).isOn
    let screen = ShellScreen(isForPeople: options.reporters.arePlain)
    options.onWaiting = { screen.show(note: "file \($0) of \($1) · Ctrl-C stops") }
    let network = networkOptions.network(isTyped: false)
    options.coverage = coverageOptions.chosen
    options.coverage?.columns = StandardStreams.columns
    let scenes = ThisProgram.current.scenes
    let performer = SessionPerformer.factory(
      network: network,
      scenes: scenes,
      isolatedSearch: SearchInWorkers()
    )
    // Nobody may read it any more: reports in files are written all the same.
    options.reporters.saysBeginning = options.json && !StandardStreams.begin(JSONFlag.begin)
    let runner = TranscriptRunner(options: options, performer: performer)
    if selection.list { throw runner.list(paths: chosen) { screen.write($0) }.asError }
    if watch { throw self.watch(chosen, runner, options, screen).asError }
    throw runner.run(paths: chosen) { screen.write($0) }.asError
  }
}
