import ArgumentParser
import Converting
import Rehearsal

/// The subcommand `format`: which files are formatted, standard input, and `--check`.
struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "format",
    abstract: "Write transcripts and scripts (commands only) in canonical spelling.",
    discussion: UsageText.discussion(
      """
      The canonical spelling has one blank between words, at most one blank line between commands, no \
      blanks at line ends, and '# ' before comments.

      These stay unchanged: expected output with patterns such as '[..]', the files inside a transcript (after '-- NAME --'), Markdown outside of code blocks, commands \
      with a mistake, and commands whose output quotes them as typed, or may depend on it.

      Exit codes: 0 all files are canonical now, 1 --check found a file that would change, 2 a file cannot be read.
      """,
      [
        "format": "rewrite the files in the folders 'transcripts' and 'Transcripts'",
        "format --check transcripts README.md docs": "list the files that would change",
        "format - < old.transcript > new.transcript": "format standard input",
      ]
    )
  )

  @Argument(
    help: "Files and folders, or '-'. (default: the folders 'transcripts' and 'Transcripts')",
    completion: .file(extensions: ["transcript", "md", "rehearse"])
  )
  var paths: [String] = []

  @Flag(help: "List files that would change, and change nothing.")
  var check = false

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if paths.count > 1, paths.contains("-") {
      throw ValidationError("'-', standard input, excludes other paths")
    }
  }

  func run() throws {
    throw ConversionFailure.exitCode { () throws(ConversionFailure) in try format() }.asError
  }

  private func format() throws(ConversionFailure) -> ProgramExit {
    if paths == ["-"], !check {
      try Self.formatInput()
      return .success
    }
    let files = try FormattedFiles(paths)
    if json.isOn { StandardStreams.write(JSONFlag.begin) }
    var run = FormatRun(changesFiles: !check, isJSON: json.isOn)
    for folder in files.unreadable { run.complain(folder.path, nil, folder.problem.sentence) }
    for folder in files.empty {
      run.complain(folder, nil, "no transcript and no script in this folder")
    }
    for path in files.paths { run.format(path, isNamed: paths.contains(path)) }
    run.note(files.notes)
    run.conclude()
    return run.exit
  }

  private static func formatInput() throws(ConversionFailure) {
    let bytes: [UInt8]
    do throws(FileProblem) {
      bytes = try FileBytes.readInput()
    } catch {
      throw ConversionFailure(reading: "-", error)
    }
    let kind = CanonicalText.Kind(of: bytes)
    if kind == .script, !ScriptFile(bytes).holdsCommands {
      throw ConversionFailure(
        "there is no command in standard input",
        hint: ScriptFile.hintWithoutCommands
      )
    }
    let text = CanonicalText(path: "-", bytes: bytes, kind: kind, table: ShellCommands.table)
    if let first = text.failures.first {
      throw ConversionFailure(
        "-",
        line: first.line,
        first.message,
        hint: first.problem.hint
      )
    }
    StandardStreams.show(String(decoding: text.bytes, as: UTF8.self))
  }
}
