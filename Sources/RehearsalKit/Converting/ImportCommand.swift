import ArgumentParser
import Converting
import Rehearsal
import RehearsalBase
import Script

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "import",
    abstract: "Make a transcript of what was copied out of a terminal.",
    discussion: UsageText.discussion(
      """
      Takes a paste with prompts and output, a transcript out of a chat or an issue, what 'script' wrote, \
      or an asciinema recording. Escape sequences, broken lines and marks of quotation are undone; what \
      makes no sense becomes comments that begin with '# ?'. The commands are then replayed, and \
      standard error says how many print what was pasted.
      """,
      [
        "import paste.txt": "print the transcript",
        "import - -o transcripts/bug-7.transcript":
          "write what is pasted, up to Ctrl-D, into a new file",
        "import demo.cast --check": "say what differs in a replay, too",
      ]
    )
  )

  @Argument(help: "A file, or '-' for standard input.", completion: .file())
  var file: String = "-"

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the transcript into a new file.", valueName: "FILE"),
    completion: .file(extensions: ["transcript"])
  )
  var output: String?

  @Flag(help: "Say what differs in a replay, with exit code 1.")
  var check = false

  @OptionGroup var json: JSONFlag

  func run() throws {
    throw ConversionFailure.told { () throws(ConversionFailure) in try convert() }.asError
  }

  private func convert() throws(ConversionFailure) -> ProgramExit {
    var imported = try read()
    let file = try output.map { path throws(ConversionFailure) in
      try NewTranscriptFile(path: path)
    }
    let printsLater = json.isOn || imported.hasGuessedIndentation
    // First of all, so that nothing that comes can lose it.
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
    tell(imported, replay)
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
        hint: "a command stands behind a prompt, '> ' or 'NAME> '"
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

  private func tell(_ imported: ImportedTranscript, _ replay: TriedTranscript) {
    if check {
      let text = FailureText(colour: false, program: nil)
      for failure in replay.failures { StandardStreams.complain(text.text(of: failure)) }
    }
    let count = imported.commandCount
    let commands = "\(count) command\(count == 1 ? "" : "s")"
    StandardStreams.complain("imported \(commands); \(Self.result(of: replay, count))")
    note(imported.unknownLines, "made no sense", hint: "; look for '# ?'")
  }

  /// Says what is wrong with some lines, if there are any.
  private func note(_ lines: [Int], _ problem: String, hint: String = "") {
    guard let first = lines.first else { return }
    let words =
      lines.count == 1
      ? "line \(first) \(problem)" : "\(lines.count) lines \(problem), from line \(first) on"
    StandardStreams.complain("note: \(words)\(hint)")
  }

  /// What the replay came to, of so many commands.
  private static func result(of replay: TriedTranscript, _ count: Int) -> String {
    if let problem = replay.problem { return "not replayed: \(problem)" }
    if let end = replay.end {
      let place = end.command.map { " in '\($0.printable(atMost: 80))'" } ?? ""
      return "the replay ended\(place): \(end.message)"
    }
    return "replayed, \(count - replay.differing) of \(count) print the same"
  }
}
