import ArgumentParser
import Rehearsal
import RehearsalBase
import Script
import Timelines

/// The subcommand `timeline`: chooses the format, the width and the members of a picture; refuses unknown members.
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "timeline",
    abstract: "Draw the timeline of a transcript, a script or a JSON recording.",
    discussion: UsageText.discussion(
      """
      The commands run in virtual time, and files that they write stay in memory. 'timeline as json' \
      in the shell writes recordings. Formats: \
      \(TimelineFormat.all.map { "\($0.name) (\($0.purpose))" }.joined(separator: ", ")).
      """,
      [
        "timeline slow.transcript": "draw it in the terminal, as the shell's 'timeline' does",
        "timeline slow.transcript profile --last 5s": "draw the last five seconds of one member",
        "timeline slow.transcript -o slow.html": "write an interactive page",
        "timeline slow.transcript --as mermaid": "print a diagram for Markdown",
      ]
    )
  )

  @Argument(
    help: "Transcript, script or recording in JSON. '-' is standard input.",
    completion: .file()
  )
  var file: String

  @Argument(help: "Names of the loadables, processes, inputs and pipes to draw. (default: all)")
  var names: [String] = []

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Format of the picture. (default: by the extension of --output)",
      valueName: "format"
    ),
    completion: .list(TimelineFormat.all.map(\.name))
  )
  var format: FormatName?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("File for the picture. (default: standard output)", valueName: "file"),
    completion: .file()
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Draw only this last part of the session, such as 5s.",
      valueName: "duration"
    ),
    transform: RealDuration.init(typed:)
  )
  var last: RealDuration?

  @Flag(help: "Keep the events of one instant apart, in their order.")
  var widened = false

  @OptionGroup var networkOptions: NetworkOptions

  @OptionGroup var options: OptionFlags

  func validate() throws {
    if format == nil, let output, TimelineFormat.forFile(output) == nil {
      throw ValidationError("-o takes \(TimelineFormat.fileNames); for another name add --as")
    }
    if widened, !chosen.canBeWidened {
      throw ValidationError("--widened is for text, ascii, svg and html; remove it")
    }
    let isPart = last != nil || !names.isEmpty
    if isPart, !chosen.takesExcerpts {
      throw ValidationError(
        "'\(chosen.name)' always draws the whole session; remove --last and the members"
      )
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
        StandardStreams.write(chosen.isForTerminals ? painter.paint(timeline: text) : text)
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
    drawing.isWidened = widened
    drawing.inWords = sources.settings.times.onAxes
    return drawing
  }

  private func check(_ name: String, in recording: Recording) throws(SubcommandFailure) {
    let members = recording.lanes.filter { $0.owner == nil }.map(\.name)
    let known = members.enumerated().filter { members.firstIndex(of: $1) == $0 }.map(\.element)
    if known.contains(name) { return }
    let hint =
      Suggestion.hint(for: name, in: known) ?? "its members are " + known.joined(separator: ", ")
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
