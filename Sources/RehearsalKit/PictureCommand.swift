import ArgumentParser
import Rehearsal
import RehearsalBase
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
    do throws(SubcommandFailure) {
      try draw()
    } catch {
      StandardStreams.write(error.text, to: .error)
      throw error.exit.asError
    }
  }

  private func draw() throws(SubcommandFailure) {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.read(file)
    } catch {
      throw SubcommandFailure("cannot read '\(file)': \(error.sentence)", hint: nil)
    }
    let playable = try Playable.read(file, bytes, toBe: "played")
    let played = PlayedSession(playable, scenes: ThisProgram.current.scenes, columns: columns)
    try playable.requireAllPlayed(unread: played.unreadFixtures, of: file)
    guard !played.records.isEmpty else {
      throw SubcommandFailure("'\(file)' holds no command", hint: nil)
    }
    let picture = SessionPicture(
      title: title ?? ThisProgram.current.name,
      theme: theme.theme,
      columns: columns
    )
    try write(picture.text(of: played.records, colours: played.colours))
    guard !played.complaints.isEmpty else { return }
    let lines = played.complaints.flatMap {
      ["error: '\(file)': \($0.sentence)", "hint: \($0.hint)"]
    }
    throw SubcommandFailure(lines: lines, exit: .differences)
  }

  private func write(_ text: String) throws(SubcommandFailure) {
    guard let output else { return StandardStreams.write(text) }
    try RecordingSource.write(text, to: output)
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
