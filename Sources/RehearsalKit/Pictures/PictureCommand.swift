import ArgumentParser
import Rehearsal
import RehearsalBase
import Script
import Timelines

/// The subcommand `picture`: draws a session as SVG, with its theme, title and width.
struct PictureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "picture",
    abstract: "Draw a terminal session as SVG.",
    discussion: UsageText.discussion(
      """
      The file is run as by 'run', but without a network, and files that it writes stay in memory. \
      The picture needs no web font and no script.
      """,
      [
        "picture session.transcript -o session.svg": "draw a transcript",
        "picture session.transcript --theme dark --columns 100 > dark.svg":
          "draw on a dark background",
      ]
    )
  )

  @Argument(
    help: "Transcript, script, or Markdown file with one transcript.",
    completion: .file(extensions: ["transcript", "rehearse", "md"])
  )
  var file: String

  @Option(help: "Background. auto follows the reader's preference.")
  private var theme = ThemeArgument(theme: .auto)

  @Option(
    help: ArgumentHelp(
      "Title in the bar at the top. (default: the program's name)",
      valueName: "TEXT"
    )
  )
  var title: String?

  @Option(help: ArgumentHelp("Width of the terminal in columns.", valueName: "N"))
  var columns = 80

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("File for the picture. (default: standard output)", valueName: "FILE"),
    completion: .file(extensions: ["svg"])
  )
  var output: String?

  func validate() throws {
    guard (40...1000).contains(columns) else {
      throw ValidationError("--columns takes a number from 40 to 1000")
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
    let playable = try Playable.read(file, bytes, toBe: "run")
    let played = PlayedSession(playable, scenes: ThisProgram.current.scenes, columns: columns)
    try playable.requireAllPlayed(unread: played.unreadFixtures, of: file)
    guard !played.records.isEmpty else {
      throw SubcommandFailure("there is no command in '\(file)'", hint: nil)
    }
    let picture = SessionPicture(
      title: title ?? ThisProgram.current.name,
      theme: theme.theme,
      columns: columns
    )
    try write(picture.text(of: played.records, colours: played.colours))
    for note in played.notes { StandardStreams.complain("note: \(note)") }
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

/// The argument of `--theme`.
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
