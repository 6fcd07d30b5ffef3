import ArgumentParser
import Rehearsal

/// Reports of a run's parts, made one, in any form.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "report",
    abstract: "Put the reports of shards together.",
    discussion: UsageText.discussion(
      """
      Each file is what 'test --reporter json=FILE' wrote, or 'explore --json'. The parts must be of one run: no \
      transcript and no seed twice, no shard missing, one version of the program. What comes out is what a single \
      run would have reported; the report of a whole run or search, alone, is told again. For searches the script must lie where it lay. Exit codes: 0 all matched, 1 some differed, 2 called wrongly or not the parts of one run.
      """,
      [
        "report shard-*.json": "say what all shards came to",
        "report shard-*.json --reporter html=all.html": "write a page, too",
        "report part-*.jsonl": "say what the parts of a search came to",
        "report shard-*.json --reporter markdown=$GITHUB_STEP_SUMMARY": "show it on the run's page",
      ]
    )
  )

  @Argument(help: "Reports as lines of JSON.", completion: .file(extensions: ["json", "jsonl"]))
  var files: [String] = []

  @OptionGroup(title: "Reports") var reporterOptions: ReporterOptions

  @OptionGroup(title: "Coverage") var coverageOptions: CoverageArguments

  @OptionGroup(title: "Searches") var behaviours: BehavioursOption

  @OptionGroup var colour: ColourFlag

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if files.isEmpty { throw ValidationError("Name the reports to put together.") }
    try behaviours.check(json: json.isOn)
    _ = try reporterOptions.reporters(json: json.isOn)
  }

  func run() throws {
    let search = try MergedSearch(files)
    if let code = try search?.tell(json: json, behaviours, colour, reporterOptions) {
      throw code.asError
    }
    if behaviours.behaviours != nil {
      StandardStreams.complain(
        "error: --behaviours is about searches, and these are reports of tests"
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
      for file in files { try written.check(file, is: "a report that is read") }
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
        "no coverage was counted in \(files.joined(separator: ", "))",
        hint: "play the transcripts with '--coverage'"
      )
    }
    throw reporters.deliver(report, coverage: coverage) { StandardStreams.write($0) }.asError
  }
}
