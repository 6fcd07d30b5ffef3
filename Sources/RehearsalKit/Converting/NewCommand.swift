import ArgumentParser
import Rehearsal
import RehearsalBase
import Script

/// The subcommand `new`: chooses the template, replays it once, and writes the file.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "new",
    abstract: "Create a transcript from a template.",
    discussion: UsageText.discussion(
      """
      Writes NAME.transcript into the folder 'transcripts': a comment, a few commands and their output. \
      An existing file is never replaced. The templates:
      """ + "\n"
        + TranscriptTemplate.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"),
      [
        "new login/slow-answer": "write transcripts/login/slow-answer.transcript",
        "new login/retry --template http": "start with routes and a load from them",
        lastExample.line: lastExample.words,
      ]
    )
  )

  /// An example that works in this program: with its first scene, if it has scenes.
  private static var lastExample: (line: String, words: String) {
    guard let scene = sceneNames.first else {
      return ("new search/typing --template pipe", "start with an input and a pipeline")
    }
    return ("new \(scene)/first --scene \(scene)", "start with a scene of this program")
  }

  private static var sceneNames: [String] { ThisProgram.current.scenes.map(\.name) }

  @Argument(help: "Path of the new file in the folder. '.transcript' is added.")
  var name: String

  @Option(
    help: ArgumentHelp("Template of the transcript.", valueName: "TEMPLATE"),
    completion: .list(TranscriptTemplate.all.map(\.name))
  )
  var template: TemplateName?

  @Option(
    help: ArgumentHelp("Scene that the transcript sets up.", valueName: "SCENE"),
    completion: .list(sceneNames)
  )
  var scene: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Folder of the file. (default: 'transcripts' or 'Transcripts')",
      valueName: "FOLDER"
    ),
    completion: .directory
  )
  var folder: String?

  @OptionGroup var json: JSONFlag

  func validate() throws {
    if scene != nil, template != nil {
      throw ValidationError("--scene and --template exclude each other")
    }
  }

  func run() throws {
    throw ConversionFailure.exitCode { () throws(ConversionFailure) in try begin() }.asError
  }

  private func begin() throws(ConversionFailure) -> ProgramExit {
    let file = try NewTranscriptFile(name, in: folder)
    let chosen = try chosenTemplate()
    let bytes = Array(chosen.text.utf8)
    let replay = TriedTranscript(
      path: file.path,
      bytes: bytes,
      performer: SessionPerformer.factory(
        scenes: ThisProgram.current.scenes,
        isolatedSearch: SearchInWorkers()
      )
    )
    try file.write(replay.accepted ?? bytes)
    printResult(file.path, Transcript(path: file.path, bytes: bytes).commandLines.count)
    guard replay.accepted == nil else { return .success }
    let reason = replay.problem ?? replay.failures.first?.message ?? "nothing was replayed"
    throw ConversionFailure("the output is missing in '\(file.path)': \(reason)", exit: .harness)
  }

  private func chosenTemplate() throws(ConversionFailure) -> TranscriptTemplate {
    guard let scene else { return (template ?? .first).template }
    let names = Self.sceneNames
    guard names.contains(scene) else {
      let all =
        names.isEmpty
        ? "this program has no scenes" : "the scenes are " + names.joined(separator: ", ")
      throw ConversionFailure(
        "there is no scene '\(scene)'",
        hint: CommandText.suggestion(for: scene, in: names) ?? all
      )
    }
    return .scene(scene)
  }

  private func printResult(_ path: String, _ count: Int) {
    if json.isOn {
      let line = JSONLine("file").with("path", path).with("commands", count)
      return StandardStreams.write(JSONFlag.begin + line.text)
    }
    let words = "command".counted(count)
    StandardStreams.write(
      """
      wrote \(path.printable(atMost: 2000)), \(words)
      next: edit its commands, then write their output:
        \(ThisProgram.current.name) test --update \(FailureText.quoted(path))\n
      """
    )
  }
}

/// The argument of `--template`.
struct TemplateName: ExpressibleByArgument {
  let template: TranscriptTemplate

  static let first = TemplateName(template: TranscriptTemplate.all[0])

  static var allValueStrings: [String] { TranscriptTemplate.all.map(\.name) }

  init(template: TranscriptTemplate) {
    self.template = template
  }

  init?(argument: String) {
    guard let template = TranscriptTemplate.all.first(where: { $0.name == argument }) else {
      return nil
    }
    self.template = template
  }
}
