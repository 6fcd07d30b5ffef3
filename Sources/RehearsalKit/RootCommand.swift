import ArgumentParser
import Rehearsal
import RehearsalBase
import Script

/// The program: arguments in, an exit code out.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ThisProgram.current.name,
    abstract: ThisProgram.current.abstract,
    discussion: UsageText.discussion(
      """
      Without arguments this opens the shell; 'help' there explains its commands. \
      Commands from a pipe are performed one after the other.
      """,
      [
        "": "open the shell",
        "-c 'loadable n' -c 'load n 1 after 1s' -c settle": "perform commands and leave",
        "run login.rehearse > login.transcript": "make a transcript of a script",
        "test": "replay every transcript in the folder 'transcripts'",
        "test --update transcripts/login": "accept what differs",
        "record today.transcript": "open the shell, and write the session as it goes on",
        "help test": "explain a subcommand",
      ]
    ),
    version: ThisProgram.current.versionOfBuild,
    subcommands: [
      RunCommand.self, RecordCommand.self, TestCommand.self, ReviewCommand.self, AcceptCommand.self,
      RejectCommand.self, ReportCommand.self, NewCommand.self, FormatCommand.self,
      ImportCommand.self, ExploreCommand.self, TimelineCommand.self, DiffCommand.self,
      PictureCommand.self, ServeCommand.self, HarCommand.self, ConfigCommand.self,
      ReferenceCommand.self, CompletionsCommand.self, ManualCommand.self, GrammarCommand.self,
      SearchServiceCommand.self,
    ]
  )

  @Option(
    name: .customShort("c"),
    parsing: .singleValue,
    help: ArgumentHelp(
      "Perform these commands, one a line, and leave. May be given several times.",
      valueName: "commands"
    )
  )
  var commands: [String] = []

  @OptionGroup var networkOptions: NetworkOptions

  @OptionGroup var options: OptionFlags

  @OptionGroup var json: JSONFlag

  func run() throws {
    let options = options.sources(isForScript: false)
    if commands.isEmpty {
      throw Shell(recordingTo: nil, networkOptions, options, json: json.isOn).run().asError
    }
    let network = networkOptions.network(isTyped: true)
    throw Batch.run(
      commands,
      network: network,
      options: options,
      json: json.isOn
    ).asError
  }

  /// Usage errors leave with the code 2, like those of every subcommand.
  static func main() {
    DeterministicHashing.ensure()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let complaint = noHelp(arguments) { leave(complaint) }
    let invocation = Invocation(arguments)
    do {
      var command = try invocation.command.parseAsRoot(invocation.arguments)
      try command.run()
    } catch let code as ArgumentParser.ExitCode {
      ThisProgram.end(with: code.rawValue)
    } catch {
      guard invocation.command.exitCode(for: error) == .success else {
        leave(sentence(invocation.sentence(for: error)))
      }
      StandardStreams.write(invocation.command.fullMessage(for: error) + "\n")
      exit(withError: ArgumentParser.ExitCode.success)
    }
  }

  private static func leave(_ complaint: String) -> Never {
    StandardStreams.complain(complaint)
    exit(withError: ProgramExit.usage.asError)
  }

  /// That there is no help on what somebody asks about; the parser of arguments would explain the program.
  private static func noHelp(_ arguments: [String]) -> String? {
    guard arguments.first == "help", let word = arguments.dropFirst().first, !word.hasPrefix("-"),
      !names.contains(word)
    else { return nil }
    let hint = CommandText.suggestion(for: word, in: names)
    let usual =
      "'\(ThisProgram.current.name) help' lists them; 'help' in the shell explains its commands"
    return "error: there is no subcommand '\(word.printable(atMost: 30))'\nhint: \(hint ?? usual)"
  }

  /// The words that may come first.
  static let names =
    configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
    + ["help"]

  /// The message about wrong arguments, and what may have been meant.
  private static func sentence(_ text: String) -> String {
    guard let word = CommandLine.arguments.dropFirst().first, let hint = hint(for: word) else {
      return text
    }
    return text + "\nhint: " + hint
  }

  /// What somebody may have meant whose first word is no subcommand.
  private static func hint(for word: String) -> String? {
    let name = ThisProgram.current.name
    if names.contains(word) { return nil }
    if word.hasPrefix("-") {
      let flags = ["--help", "--version", "--allow-network"]
      return CommandText.suggestion(for: word, in: flags)
    }
    if [".transcript", ".md"].contains(where: word.hasSuffix) {
      return "'\(name) test \(word)' replays a transcript"
    }
    if word.hasSuffix(".rehearse") { return "'\(name) run \(word)' performs a script" }
    return CommandText.suggestion(for: word, in: names)
  }
}

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "run",
    abstract: "Perform a script and print its transcript.",
    discussion: UsageText.discussion(
      """
      The script holds a command a line, or is a transcript; paths in it are seen from its folder. It \
      stops at the first command that fails, with exit code 1.
      """,
      [
        "run login.rehearse": "perform a script, and print its transcript",
        "run old.transcript > new.transcript": "perform the commands of a transcript anew",
        "run - < commands": "take the commands from standard input",
      ]
    )
  )

  @Argument(
    help: "A file, or '-' for standard input.",
    completion: .file(extensions: ["rehearse", "transcript"])
  )
  var script: String

  @OptionGroup var networkOptions: NetworkOptions

  @OptionGroup var options: OptionFlags

  @OptionGroup var json: JSONFlag

  func run() throws {
    let network = networkOptions.network(isTyped: false)
    let options = options.sources(isForScript: true)
    throw Batch.run(file: script, network: network, options: options, json: json.isOn).asError
  }
}

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "record",
    abstract: "Open the shell and write the session into a file as it goes on.",
    discussion: UsageText.discussion(
      """
      Each line is in the file before the next prompt. Folders that are not there are made. Paths are \
      seen from the folder of the file, as they are when it is replayed.
      """,
      ["record transcripts/login/slow.transcript": "write a golden transcript by living it"]
    )
  )

  @Argument(
    help: "The transcript to write: a new file, or an empty one.",
    completion: .file(extensions: ["transcript"])
  )
  var file: String

  @OptionGroup var networkOptions: NetworkOptions

  @OptionGroup var options: OptionFlags

  @OptionGroup var json: JSONFlag

  func run() throws {
    let options = options.sources(isForScript: false)
    throw Shell(recordingTo: file, networkOptions, options, json: json.isOn).run().asError
  }
}

extension ProgramExit {
  var asError: ArgumentParser.ExitCode { ArgumentParser.ExitCode(rawValue) }
}

struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "reference",
    abstract: "Print the reference of the shell's commands, as Markdown.",
    discussion: UsageText.discussion(
      "It is made of the definitions by which commands are read, and so is 'help' in the shell.",
      ["reference > docs/commands.md": "bring the page up to date"]
    )
  )

  @OptionGroup var json: JSONFlag

  func run() throws {
    StandardStreams.write(json.isOn ? JSONFlag.begin + Reference.json : Reference.markdown)
  }
}
