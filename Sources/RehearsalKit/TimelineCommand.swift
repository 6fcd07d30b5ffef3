import ArgumentParser
import Rehearsal
import RehearsalBase
import Script
import Timelines

struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "timeline",
    abstract: "Draw what happens in a transcript, a script or a recording.",
    discussion: UsageText.discussion(
      """
      The file's commands are played in virtual time; what they write stays in memory. A recording is \
      what 'timeline as json' writes. Formats: \
      \(TimelineFormat.all.map { "\($0.name) (\($0.purpose))" }.joined(separator: ", ")).
      """,
      [
        "timeline slow.transcript": "draw it here, as the command 'timeline' does",
        "timeline slow.transcript profile --last 5s": "one member, the last five seconds",
        "timeline slow.transcript -o slow.html": "a page to look around in, by the file's name",
        "timeline slow.transcript --as mermaid": "a diagram for Markdown",
      ]
    )
  )

  @Argument(
    help: "A transcript, a script or a recording in JSON, or '-' for standard input.",
    completion: .file()
  )
  var file: String

  @Argument(help: "The members to draw; all without any.")
  var names: [String] = []

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "How to draw; without it as the name of the output says.",
      valueName: "format"
    ),
    completion: .list(TimelineFormat.all.map(\.name))
  )
  var format: FormatName?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the picture into FILE.", valueName: "file"),
    completion: .file()
  )
  var output: String?

  @Option(
    help: ArgumentHelp("Draw only what happened so lately, as in 5s.", valueName: "duration"),
    transform: RealDuration.init(typed:)
  )
  var last: RealDuration?

  @OptionGroup var networkOptions: NetworkOptions

  @OptionGroup var options: OptionFlags

  func validate() throws {
    if format == nil, let output, TimelineFormat.forFile(output) == nil {
      throw ValidationError("-o takes \(TimelineFormat.fileNames), or --as says how to draw.")
    }
    let isPart = last != nil || !names.isEmpty
    if isPart, !chosen.takesExcerpts {
      throw ValidationError("'\(chosen.name)' is always of the whole session.")
    }
  }

  func run() throws {
    do throws(SubcommandFailure) {
      let source = RecordingSource(
        path: file,
        network: networkOptions.network(isTyped: false),
        options: options.sources(isForScript: true)
      )
      let recording = try source.recording()
      for name in names { try check(name, in: recording) }
      let text = chosen.text(of: recording, drawing)
      if let output {
        try RecordingSource.write(text, to: output)
      } else {
        StandardStreams.write(chosen.isForTerminals ? painter.paint(lines: text) : text)
      }
      if recording.unperformed.isEmpty { return }
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
    throw ProgramExit.differences.asError
  }

  private var painter: OutputPainter {
    OutputPainter(options.sources(isForScript: true).settings.colour)
  }

  private var chosen: TimelineFormat {
    format?.format ?? output.flatMap(TimelineFormat.forFile) ?? .text
  }

  private var drawing: TimelineFormat.Drawing {
    let sources = options.sources(isForScript: false)
    var drawing = TimelineFormat.Drawing(
      excerpt: Excerpt(names: names.isEmpty ? nil : names, last: last?.duration),
      width: sources.width(else: output == nil ? StandardStreams.columns : 80),
      title: file == "-" ? nil : file.split(separator: "/").last.map(String.init)
    )
    drawing.inWords = sources.settings.times.onAxes
    return drawing
  }

  private func check(_ name: String, in recording: Recording) throws(SubcommandFailure) {
    let members = recording.lanes.filter { $0.owner == nil }.map(\.name)
    let known = members.enumerated().filter { members.firstIndex(of: $1) == $0 }.map(\.element)
    if known.contains(name) { return }
    let hint = Suggestion.hint(for: name, in: known) ?? "it has " + known.joined(separator: ", ")
    throw SubcommandFailure(
      "there is no member '\(name)' in '\(file)'",
      hint: known.isEmpty ? nil : hint.printable(atMost: 200)
    )
  }
}

/// A format as an argument.
struct FormatName: ExpressibleByArgument {
  let format: TimelineFormat

  init?(argument: String) {
    guard let format = TimelineFormat.named(argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { TimelineFormat.all.map(\.name) }
}
