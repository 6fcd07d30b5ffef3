import ArgumentParser
import Rehearsal
import Timelines

/// The subcommand `diff`: reads or plays two runs, prints or draws their difference, and decides the exit code.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "diff",
    abstract: "Compare two runs and show where they differ.",
    discussion: UsageText.discussion(
      """
      Each run is a transcript or a script, which is run, or a recording in JSON. Exit codes: 0 the \
      runs are the same, 1 they differ or one did not perform all its commands, 2 wrong arguments.
      """,
      [
        "diff old.transcript new.transcript": "print the first difference of two runs",
        "diff old.json new.json -o diff.html": "draw both recordings on a page",
      ]
    )
  )

  @Argument(help: "The first run.", completion: .file())
  var first: String

  @Argument(help: "The second run.", completion: .file())
  var second: String

  @OptionGroup var jsonFlag: JSONFlag

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Also draw both runs into FILE. The extension selects the format.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output: String?

  @OptionGroup var networkOptions: NetworkOptions

  @OptionGroup var options: OptionFlags

  func validate() throws {
    if let output, TimelineFormat.forFile(output) == nil {
      throw ValidationError("-o takes \(TimelineFormat.fileNames)")
    }
  }

  func run() throws {
    let difference: RecordingDifference
    do throws(SubcommandFailure) {
      let (a, b) = (try recording(of: first), try recording(of: second))
      difference = RecordingDifference(a, b)
      if let output { try write(difference, to: output) }
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
    StandardStreams.write(
      jsonFlag.isOn ? JSONFlag.begin + difference.jsonLine.text : text(of: difference)
    )
    throw (difference.isSame ? ProgramExit.success : .differences).asError
  }

  private func text(of difference: RecordingDifference) -> String {
    let lines = difference.lines(width: width(else: StandardStreams.columns))
    let settings = options.sources(isForScript: true).settings
    return OutputPainter(settings.colour).paint(timeline: lines.map { $0 + "\n" }.joined())
  }

  private func recording(of path: String) throws(SubcommandFailure) -> Recording {
    let source = RecordingSource(
      path: path,
      network: networkOptions.network(isTyped: false),
      options: options.sources(isForScript: true)
    )
    return try source.recording()
  }

  private func width(else columns: Int) -> Int {
    options.sources(isForScript: false).width(else: columns)
  }

  private func write(_ difference: RecordingDifference, to path: String) throws(SubcommandFailure) {
    let format = TimelineFormat.forFile(path) ?? .text
    let text = difference.text(
      as: format,
      .init(width: width(else: 80), title: "\(first) | \(second)")
    )
    try RecordingSource.write(text, to: path)
  }
}

extension RecordingDifference {
  fileprivate var jsonLine: JSONLine {
    // Without its line feed.
    JSONLine("difference").with(fieldsOf: String(json.dropLast()))
  }
}
