import ArgumentParser
import Converting
import Rehearsal
import RehearsalBase
import Script

/// The subcommand `import`: makes a transcript of copied text, replays it, and prints notes about its lines.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "import",
    abstract: "Make a transcript from text copied out of a terminal.",
    discussion: UsageText.discussion(
      """
      The input is a paste with prompts and output, a transcript from a chat or an issue, the output of \
      'script', or an asciinema recording. Escape sequences, broken lines and mail quoting are undone. \
      Lines that are not understood become comments that begin with '# ?'. The commands are then replayed; \
      standard error says how many of them print the pasted output.
      """,
      [
        "import paste.txt": "print the transcript",
        "import - -o transcripts/bug-7.transcript":
          "paste into a new file; Ctrl-D ends the paste",
        "import demo.cast --check": "also show the differences in a replay",
      ]
    )
  )

  @Argument(help: "File to import. '-' is standard input.", completion: .file())
  var file: String = "-"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("New file for the transcript.", valueName: "FILE"),
    completion: .file(extensions: ["transcript"])
  )
  var output: String?

  @Flag(help: "Show differences in a replay; if there are any, exit with code 1.")
  var check = false

  @OptionGroup var json: JSONFlag

  func run() throws {
    throw ConversionFailure.exitCode { () throws(ConversionFailure) in try convert() }.asError
  }

  private func convert() throws(ConversionFailure) -> ProgramExit {
    var imported = try read()
    let file = try output.map { path throws(ConversionFailure) in
      try NewTranscriptFile(path: path)
    }
    let printsLater = json.isOn || imported.hasGuessedIndentation
    // Written first, so that a crash in the replay cannot lose it.
    try file?.write(Array(imported.text.utf8))
    if file == nil, !printsLater { StandardStreams.show(imported.text) }
    var replay = replay(imported)
    if let indented = imported.indented(as: replay.failures) {
      try file?.write(Array(indented.text.utf8), replacing: Array(imported.text.utf8))
      imported = indented
      replay = self.replay(imported)
    }
    if file == nil, json.isOn {
      writeJSON(imported, replay)
    } else if file == nil, printsLater {
      StandardStreams.show(imported.text)
    }
    printResult(imported, replay)
    if replay.problem != nil { return .harness }
    return check && !replay.failures.isEmpty ? .differences : .success
  }

  private func replay(_ imported: ImportedTranscript) -> TriedTranscript {
    TriedTranscript(
      path: output ?? "imported.transcript",
      bytes: Array(imported.text.utf8),
      performer: SessionPerformer.factory(
        scenes: ThisProgram.current.scenes,
        isolatedSearch: SearchInWorkers()
      )
    )
  }

  private func read() throws(ConversionFailure) -> ImportedTranscript {
    let imported: ImportedTranscript
    do throws(FileProblem) {
      imported = ImportedTranscript(
        try file == "-" ? FileBytes.readInput() : FileBytes.read(file),
        table: ShellCommands.table
      )
    } catch {
      throw ConversionFailure(reading: file, error)
    }
    note(imported.damagedLines, "of the recording cannot be read")
    guard imported.commandCount > 0 else {
      throw ConversionFailure(
        "there is no command in \(ConversionFailure.name(of: file))",
        hint: "a command follows a prompt, '> ' or 'NAME> '"
      )
    }
    return imported
  }

  private func writeJSON(_ imported: ImportedTranscript, _ replay: TriedTranscript) {
    StandardStreams.write(
      JSONFlag.begin
        + JSONLine("transcript").with("text", imported.text).with("commands", imported.commandCount)
        .with("differing", replay.differing).with("problem", replay.end?.message).text
    )
  }

  private func printResult(_ imported: ImportedTranscript, _ replay: TriedTranscript) {
    if check {
      let text = FailureText(colour: false, program: nil)
      for failure in replay.failures { StandardStreams.complain(text.text(of: failure)) }
    }
    let count = imported.commandCount
    let commands = "command".counted(count)
    StandardStreams.complain("imported \(commands); \(Self.result(of: replay, count))")
    note(imported.unknownLines, "not understood", hint: "; look for '# ?'")
  }

  /// Prints a note about lines, if there are any.
  private func note(_ lines: [Int], _ problem: String, hint: String = "") {
    guard let first = lines.first else { return }
    let words =
      lines.count == 1
      ? "line \(first) \(problem)" : "\(lines.count) lines \(problem), the first is line \(first)"
    StandardStreams.complain("note: \(words)\(hint)")
  }

  /// Returns the result of the replay, for a number of commands.
  private static func result(of replay: TriedTranscript, _ count: Int) -> String {
    if let problem = replay.problem { return "not replayed: \(problem)" }
    if let end = replay.end {
      let place = end.command.map { " in '\($0.printable(atMost: 80))'" } ?? ""
      return "the replay ended\(place): \(end.message)"
    }
    return "replayed, \(count - replay.differing) of \(count) print the same"
  }
}
