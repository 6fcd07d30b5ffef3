import ArgumentParser
import Converting
import Rehearsal

struct FormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "format",
    abstract: "Write transcripts and scripts in their canonical spelling.",
    discussion: UsageText.discussion(
      """
      One blank between words, a blank line at most between commands, none at line ends, '# ' before \
      comments. Expected output, patterns, fixture files, and Markdown outside of fences stay as they \
      are; so does a command that cannot be read, or whose spelling its output repeats or may hide. Exit codes: 0 \
      all is canonical now, 1 with --check some would change, 2 something cannot be read.
      """,
      [
        "format": "rewrite what lies in the folders 'transcripts' and 'Transcripts'",
        "format --check transcripts README.md docs": "name what would change, and change nothing",
        "format - < old.transcript > new.transcript": "rewrite standard input",
      ]
    )
  )

  @Argument(
    help: "Files and folders, or '-'; without any, the folders 'transcripts' and 'Transcripts'.",
    completion: .file(extensions: ["transcript", "md", "rehearse"])
  )
  var paths: [String] = []

  @Flag(help: "Change nothing, and name what would change.")
  var check = false

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if paths.count > 1, paths.contains("-") {
      throw ValidationError("'-', standard input, stands alone.")
    }
  }

  func run() throws {
    throw ConversionFailure.told { () throws(ConversionFailure) in try format() }.asError
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
