import ArgumentParser
import Rehearsal

/// The subcommand `report`: merges the reports of shards, of tests or of a search.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "report",
    abstract: "Merge the reports of shards.",
    discussion: UsageText.discussion(
      """
      Shards are the parts of a run that 'test --shard' or 'explore --shard' has divided. Each file is written by \
      'test --reporter json=FILE' or by 'explore --json'. The merged report is the same as that of a run in one part. \
      A report of a whole run is printed unchanged.

      All shards of one run are needed, from the same version of the program, and no transcript, or seed of \
      a search, may occur twice. To merge \
      searches, the explored script must be at its old path.

      Exit codes: 0 all matched, 1 a difference, a failure or too little coverage, 2 wrong arguments or not the parts of one run.
      """,
      [
        "report shard-*.json": "print the result of all shards",
        "report shard-*.json --reporter html=all.html": "also write a page",
        "report part-*.jsonl": "print the result of all parts of a search",
        "report shard-*.json --reporter markdown=$GITHUB_STEP_SUMMARY":
          "show the result on the page of a GitHub run",
      ]
    )
  )

  @Argument(help: "Reports in lines of JSON.", completion: .file(extensions: ["json", "jsonl"]))
  var files: [String] = []

  @OptionGroup(title: "Reports") var reporterOptions: ReporterOptions

  @OptionGroup(title: "Coverage") var coverageOptions: CoverageArguments

  @OptionGroup(title: "Searches") var behaviours: BehavioursOption

  @OptionGroup var colour: ColourFlag

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if files.isEmpty { throw ValidationError("name the reports to merge") }
    try behaviours.check(json: json.isOn)
    _ = try reporterOptions.reporters(json: json.isOn)
  }

  func run() throws {
    let search = try MergedSearch(files)
    if let code = try search?.printReport(json: json, behaviours, colour, reporterOptions) {
      throw code.asError
    }
    if behaviours.behaviours != nil {
      StandardStreams.complain(
        "error: --behaviours needs reports of searches, and these are reports of tests"
      )
      throw ProgramExit.usage.asError
    }
    var reporters = try reporterOptions.reporters(json: json.isOn)
    reporters.colour = OutputPainter(colour.settings.colour).isOn
    var coverage = coverageOptions.chosen
    coverage?.columns = StandardStreams.columns
    do throws(ReportFiles.Conflict) {
      let written = ReportFiles(reporters, coverage)
      try written.checkNames()
      for file in files { try written.check(file, is: "a report to merge") }
    } catch {
      reporters.chosen.removeAll { $0.file != nil }
      throw reporters.refuse(error.sentence, hint: error.hint)
    }
    let report: RunReport
    do throws(ReportProblem) {
      report = try RunReport(mergingFiles: files)
    } catch {
      throw reporters.refuse(error.sentence, hint: error.hint)
    }
    if coverage != nil, !report.countsTransitions {
      throw reporters.refuse(
        "there is no coverage in \(files.joined(separator: ", "))",
        hint: "replay the transcripts with '--coverage'"
      )
    }
    throw reporters.deliver(report, coverage: coverage) { StandardStreams.write($0) }.asError
  }
}
