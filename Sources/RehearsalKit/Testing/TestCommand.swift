import ArgumentParser
import Rehearsal
import Script

/// The subcommand `test`: its flags, the default folders, `--watch`, and how the options reach the runner.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "test",
    abstract: "Replay transcripts and compare their output.",
    discussion: UsageText.discussion(
      """
      Transcripts are .transcript files, and code blocks marked 'transcript' in .md files. Each \
      transcript has its own session in virtual time.

      Exit codes: 0 all match, 1 a difference or too little coverage, 2 wrong arguments, 3 the program could not \
      do its work, 130 stopped by Ctrl-C, 131 by Ctrl-\\ (both still report the \
      transcripts replayed so far).
      """,
      [
        "test": "replay the folders 'transcripts' and 'Transcripts'",
        "test README.md docs transcripts/login": "replay these files and folders",
        "test --filter cancel --fail-fast":
          "replay the transcripts with 'cancel' in their path until one fails",
        "test --failed": "replay the transcripts that failed last",
        "test --watch": "replay the transcripts that a change affects",
        "test --filter '!tag:slow' --shard 1/3":
          "replay a third of the transcripts without the tag 'slow'",
        "test --repeat 20": "find flaky transcripts",
        "test --reporter junit=out/all.xml --reporter html=out/all.html": "also write two reports",
        "test --update transcripts/login": "accept all differences; then review them with git diff",
      ]
    )
  )

  @Argument(
    help: "Files and folders. (default: the folders 'transcripts' and 'Transcripts')",
    completion: .file(extensions: ["transcript", "md"])
  )
  var paths: [String] = []

  @Flag(help: "Accept differences: write the new output into the transcripts.")
  var update = false

  @Flag(help: "Update even if CI is set in the environment.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Folder for pending results: the different output that 'review' shows. (default: the folder of each file; under CI none)",
      valueName: "FOLDER"
    ),
    completion: .directory
  )
  var pending: String?

  @Flag(help: "Write no pending results.")
  var noPending = false

  @Flag(help: "Replay transcripts when a file changes, until Ctrl-C.")
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
        "standard input is not replayed; name files. A file called '-' is written './-'"
      )
    }
    if let reason = conflict { throw ValidationError(reason) }
    _ = try reporterOptions.reporters(json: json.isOn)
  }

  /// Returns the paths to replay. Called last, because an error about a flag is more useful than one about a missing folder.
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

  /// Returns the shard and the filters of the environment.
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
    // If nothing reads standard output any more, reports are still written to files.
    options.reporters.saysBeginning = options.json && !StandardStreams.begin(JSONFlag.begin)
    let runner = TranscriptRunner(options: options, performer: performer)
    if selection.list { throw runner.list(paths: chosen) { screen.write($0) }.asError }
    if watch { throw self.watch(chosen, runner, options, screen).asError }
    let exit = runner.run(paths: chosen) { screen.write($0) }
    if exit == .differences, options.reporters.arePlain,
      let advice = PackageShell.advice(after: ThisProgram.current.name)
    {
      StandardStreams.complain("note: \(advice)")
    }
    throw exit.asError
  }
}
