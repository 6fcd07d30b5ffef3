import ArgumentParser
import Rehearsal
import Script
import Timelines

struct PictureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "picture",
    abstract: "Draw a session at a terminal, as SVG.",
    discussion: UsageText.discussion(
      """
      The file is played as 'run' does, but without a network, and what it writes stays in memory. \
      The picture needs no font of its own and no script; its background is light, dark, or follows \
      the reader's preference.
      """,
      [
        "picture session.transcript -o session.svg": "draw a transcript",
        "picture README.md --theme dark > first.svg": "draw the first transcript of a page",
      ]
    )
  )

  @Argument(
    help: "A script, a transcript, or a Markdown file, whose first transcript counts.",
    completion: .file(extensions: ["transcript", "rehearse", "md"])
  )
  var file: String

  @Option(help: "The background; auto follows the reader's preference.")
  private var theme = ThemeArgument(theme: .auto)

  @Option(help: ArgumentHelp("What stands in the bar at the top.", valueName: "TEXT"))
  var title: String?

  @Option(help: ArgumentHelp("How many columns the terminal has.", valueName: "N"))
  var columns = 80

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the picture there, not to standard output.", valueName: "FILE"),
    completion: .file(extensions: ["svg"])
  )
  var output: String?

  func validate() throws {
    guard (20...1000).contains(columns) else {
      throw ValidationError("--columns takes a number from 20 to 1000.")
    }
  }

  func run() throws {
    let played: PlayedSession
    do throws(FileProblem) {
      played = try PlayedSession(file, scenes: ThisProgram.current.scenes, columns: columns)
    } catch {
      throw fail("cannot read '\(file.escapingControls)': \(error.sentence)")
    }
    guard !played.passages.isEmpty else {
      throw fail("'\(file.escapingControls)' holds no command")
    }
    let picture = SessionPicture(
      title: title ?? ThisProgram.current.name,
      theme: theme.theme,
      columns: columns
    ) { CommandColours($0).colours }
    try write(picture.text(of: played.passages))
  }

  private func write(_ text: String) throws {
    guard let output else { return StandardStreams.write(text) }
    do throws(FileProblem) {
      try AtomicFile.write(Array(text.utf8), to: output)
    } catch {
      throw fail("cannot write '\(output.escapingControls)': \(error.sentence)")
    }
  }

  private func fail(_ sentence: String) -> ArgumentParser.ExitCode {
    StandardStreams.write("error: \(sentence)\n", to: .error)
    return ProgramExit.usage.asError
  }
}

/// A picture's background, as an argument says it.
private struct ThemeArgument: ExpressibleByArgument {
  let theme: SessionPicture.Theme

  init(theme: SessionPicture.Theme) {
    self.theme = theme
  }

  init?(argument: String) {
    guard let theme = SessionPicture.Theme(rawValue: argument) else { return nil }
    self.theme = theme
  }

  var defaultValueDescription: String { theme.rawValue }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  static var allValueStrings: [String] { SessionPicture.Theme.allCases.map(\.rawValue) }
}
