import ArgumentParser
import Rehearsal
import RehearsalBase
import Script

/// The program without a subcommand, and how it starts one; also the subcommands `run`, `record` and `reference`.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ThisProgram.current.name,
    abstract: ThisProgram.current.abstract,
    discussion: UsageText.discussion(
      """
      Without arguments, it opens the shell. Type 'help' there to list its commands. \
      Commands from a pipe run in order. A transcript is the text of a session: \
      commands with their output.
      """,
      [
        "": "open the shell",
        "-c 'loadable n' -c 'load n 1 after 1s' -c settle": "run three commands and exit",
        "run login.rehearse > login.transcript": "run a script and save its transcript",
        "test": "replay every transcript in the folder 'transcripts'",
        "test --update transcripts/login": "accept all differences",
        "record today.transcript": "open the shell and write each line to a file",
        "help test": "explain a subcommand",
      ]
    ),
    version: ThisProgram.current.versionOfBuild,
    subcommands: [
      RunCommand.self, RecordCommand.self, TestCommand.self, ReviewCommand.self, AcceptCommand.self,
      RejectCommand.self, ReportCommand.self, InitCommand.self, NewCommand.self, FormatCommand.self,
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
      "Run commands, one per line, and exit. May be repeated.",
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

  /// Runs the program. Usage errors end it with code 2.
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
        leave(invocation.sentence(for: error))
      }
      if let word = unaskedHelp(arguments) { leave(unknownOption(word)) }
      StandardStreams.write(invocation.command.fullMessage(for: error) + "\n")
      exit(withError: ArgumentParser.ExitCode.success)
    }
  }

  private static func leave(_ complaint: String) -> Never {
    StandardStreams.complain(complaint)
    exit(withError: ProgramExit.usage.asError)
  }

  /// Returns the error for `help WORD` with an unknown word; nil if the arguments are not that.
  ///
  /// The argument parser would print the help of the program instead.
  private static func noHelp(_ arguments: [String]) -> String? {
    guard arguments.first == "help", let word = arguments.dropFirst().first, !word.hasPrefix("-"),
      !names.contains(word)
    else { return nil }
    let hint = CommandText.suggestion(for: word, in: names)
    let name = ThisProgram.current.name
    let usual =
      "'\(name) help' lists the subcommands; \(name) -c 'help' lists the commands of the shell, and \(name) -c 'help load' explains one"
    return "error: there is no subcommand '\(word.printable(atMost: 30))'\nhint: \(hint ?? usual)"
  }

  /// Returns the word that the argument parser has read as a request for help, although it is none: `-shard` contains the
  /// letter of `-h`. Nil if help was asked for.
  private static func unaskedHelp(_ arguments: [String]) -> String? {
    let words = arguments.prefix { $0 != "--" }
    guard words.first != "help",
      !words.contains(where: {
        ["-h", "-help"].contains($0) || $0.hasPrefix("--") && isOfParser($0)
      })
    else { return nil }
    return words.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
  }

  /// Whether the argument parser answers an option itself, instead of a run.
  static func isOfParser(_ word: String) -> Bool {
    ["--help", "--version", "--generate-completion-script", "--experimental-dump-help"]
      .contains(where: word.hasPrefix)
  }

  private static func unknownOption(_ word: String) -> String {
    "error: unknown option '\(word.printable(atMost: 30))'\nhint: \(hintOnDashes)"
  }

  static let hintOnDashes =
    "an option has two dashes, except '-c' and '-h'; '--' goes before a file whose name begins with a dash"

  /// The names of the subcommands.
  static let names =
    configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
    + ["help"]
}

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "run",
    abstract: "Run a script and print its transcript.",
    discussion: UsageText.discussion(
      """
      A script has one command per line; a transcript also works. Paths in it are relative to its folder. \
      The run stops at the first command that fails, with exit code 1.
      """,
      [
        "run login.rehearse": "run a script and print its transcript",
        "run old.transcript > new.transcript": "run the commands of a transcript again",
        "run - < commands": "read commands from standard input",
      ]
    )
  )

  @Argument(
    help: "Script or transcript. '-' is standard input.",
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
    abstract: "Open the shell and record the session as a transcript.",
    discussion: UsageText.discussion(
      """
      Each line is written before the next prompt. Missing folders are created. Paths are \
      relative to the folder of the file, as in a replay.
      """,
      ["record transcripts/login/slow.transcript": "record a new transcript"]
    )
  )

  @Argument(
    help: "Transcript to write. The file must be new or empty.",
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
    abstract: "Print the reference of the shell's commands as Markdown.",
    discussion: UsageText.discussion(
      "The shell's 'help' prints the same texts.",
      ["reference > docs/commands.md": "write the page"]
    )
  )

  @OptionGroup var json: JSONFlag

  func run() throws {
    StandardStreams.write(json.isOn ? JSONFlag.begin + Reference.json : Reference.markdown)
  }
}
