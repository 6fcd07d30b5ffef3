import ArgumentParser
import Rehearsal
import Script
import Timelines

struct PictureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "picture",
    abstract: "Draw a session at a terminal, as SVG.",
    discussion: UsageText.discussion(
      """
      The file is played as 'run' does, but without a network, and what it writes stays in memory. \
      The picture needs no font of its own and no script; its background is light, dark, or follows \
      the reader's preference.
      """,
      [
        "picture session.transcript -o session.svg": "draw a transcript",
        "picture session.transcript --theme dark --columns 100 > dark.svg": "on a dark background",
      ]
    )
  )

  @Argument(
    help: "A transcript, a script, or a Markdown file with one transcript.",
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
    guard (40...1000).contains(columns) else {
      throw ValidationError("--columns takes a number from 40 to 1000.")
    }
  }

  func run() throws {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.read(file)
    } catch {
      throw fail("cannot read '\(file.escapingControls)': \(error.sentence)")
    }
    guard let playable = Playable(path: file, bytes: bytes) else {
      throw fail(
        "'\(file.escapingControls)' does not hold just one transcript",
        hint: "write the one that is meant into a file of its own"
      )
    }
    if let stray = playable.stray {
      throw fail(
        "'\(file.escapingControls)' cannot be played: line \(stray.line): \(stray.sentence)",
        hint: stray.hint
      )
    }
    let played = PlayedSession(playable, scenes: ThisProgram.current.scenes, columns: columns)
    guard !played.passages.isEmpty else {
      throw fail("'\(file.escapingControls)' holds no command")
    }
    let picture = SessionPicture(
      title: title ?? ThisProgram.current.name,
      theme: theme.theme,
      columns: columns
    )
    try write(picture.text(of: played.passages, colours: played.colours))
  }

  private func write(_ text: String) throws {
    guard let output else { return StandardStreams.write(text) }
    do throws(FileProblem) {
      try AtomicFile.write(Array(text.utf8), to: output)
    } catch {
      throw fail("cannot write '\(output.escapingControls)': \(error.sentence)")
    }
  }

  private func fail(_ sentence: String, hint: String? = nil) -> ArgumentParser.ExitCode {
    let lines = ["error: " + sentence] + (hint.map { ["hint: " + $0] } ?? [])
    StandardStreams.write(lines.map { $0 + "\n" }.joined(), to: .error)
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
    guard let theme = SessionPicture.Theme.allCases.first(where: { "\($0)" == argument }) else {
      return nil
    }
    self.theme = theme
  }

  var defaultValueDescription: String { "\(theme)" }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  static var allValueStrings: [String] { SessionPicture.Theme.allCases.map { "\($0)" } }
}
