import ArgumentParser
import Rehearsal
import RehearsalBase

/// A mistake in the arguments of the program itself: an unknown option, or a word that is no subcommand.
struct ProgramMistake {
  /// The error and its hint, as lines.
  let text: String

  /// Finds the mistake; nil if there is none, or if a subcommand has the arguments.
  init?(_ arguments: [String], of command: any ParsableCommand.Type) {
    guard command == RootCommand.self,
      let program = ToolDescription(dump: RootCommand._dumpHelp())?.root
    else { return nil }
    let names = arguments.prefix { $0 != "--" }.filter(Invocation.isName)
      .map { String($0.prefix { $0 != "=" }) }
    let unknown = names.first { name in
      !program.optionNames.contains(name) && !RootCommand.isOfParser(name)
    }
    if let unknown, arguments.first?.hasPrefix("-") == true {
      text =
        "error: unknown option '\(unknown.printable(atMost: 60))'\nhint: "
        + Self.hint(forOption: unknown, of: program)
    } else if let place = Invocation.placeOfName(in: arguments),
      !RootCommand.names.contains(arguments[place])
    {
      let word = arguments[place]
      text =
        "error: there is no subcommand '\(word.printable(atMost: 60))'\nhint: "
        + Self.hint(forSubcommand: word, arguments[(place + 1)...], of: program)
    } else {
      return nil
    }
  }

  // MARK: Options

  private static func hint(forOption name: String, of program: ToolDescription.Command) -> String {
    if ["-v", "-V"].contains(name) { return "did you mean '--version'?" }
    let meant = [(option: name, advice: String?.none)] + Invocation.otherSpellings(of: name)
    let found = meant.flatMap { spelling in
      program.subcommands.filter { $0.optionNames.contains(spelling.option) }
        .map { "\($0.name) \(spelling.option)" }
    }
    if !found.isEmpty {
      let proposals = found.prefix(2).map { "'\(ThisProgram.current.name) \($0)'" }
      return "did you mean \(proposals.joined(separator: " or "))?"
    }
    guard name.hasPrefix("--") else { return RootCommand.hintOnDashes }
    let all = program.optionNames.union(["--help", "--version"])
    return CommandText.suggestion(for: name, in: all.sorted())
      ?? "'\(ThisProgram.current.name) --help' lists the options"
  }

  // MARK: Subcommands

  /// The words of other tools, each with the arguments that are meant.
  private static let otherWords: [(words: Set<String>, meant: String)] = [
    (["watch"], "test --watch"), (["update", "bless", "snapshot", "approve-all"], "test --update"),
    (["replay", "retest", "spec", "verify", "ci", "golden"], "test"), (["version"], "--version"),
    (["fmt", "lint", "tidy", "prettify"], "format"), (["check"], "format --check"),
    (["play", "exec", "execute", "perform", "start", "eval"], "run"),
    (["svg", "draw", "render", "export", "graph", "chart", "mermaid", "html", "view"], "timeline"),
    (["create", "generate", "template", "scaffold"], "new"), (["setup", "install"], "init"),
    (["fuzz", "search", "stress", "race", "races"], "explore"), (["merge"], "report"),
    (["mock", "server", "listen", "proxy"], "serve"), (["compare"], "diff"),
    (["approve"], "accept"), (["discard"], "reject"), (["settings", "options"], "config"),
    (["docs", "man", "commands"], "help"),
  ]

  private static let wordsForShell: Set = ["shell", "repl", "interactive", "console", "prompt"]

  private static func hint(
    forSubcommand word: String,
    _ rest: ArraySlice<String>,
    of program: ToolDescription.Command
  ) -> String {
    let name = ThisProgram.current.name
    let shown = word.printable(atMost: 60)
    if [".transcript", ".md"].contains(where: word.hasSuffix) {
      return "'\(name) test \(shown)' replays a transcript"
    }
    if word.hasSuffix(".rehearse") { return "'\(name) run \(shown)' runs a script" }
    if word.contains("/") { return "'\(name) test \(shown)' replays the transcripts in a folder" }
    if wordsForShell.contains(word) { return "without arguments, '\(name)' opens the shell" }
    if let meant = otherWords.first(where: { $0.words.contains(word) })?.meant {
      return "did you mean '\(line(meant, rest, of: program))'?"
    }
    if CommandText.definition(of: word) != nil {
      let command = ([word] + rest).joined(separator: " ").printable(atMost: 60)
      return "'\(shown)' is a command of the shell; \(name) -c '\(command)' runs it"
    }
    return Suggestion.nearest(to: word, in: RootCommand.names).map {
      "did you mean '\(line($0, rest, of: program))'?"
    } ?? "'\(name) help' lists the subcommands"
  }

  /// Returns the line with a subcommand and the given arguments, whose options are spelled as the subcommand's; only the
  /// subcommand if it does not have all of them.
  private static func line(
    _ meant: String,
    _ rest: ArraySlice<String>,
    of program: ToolDescription.Command
  ) -> String {
    guard !rest.isEmpty, let command = program.subcommands.first(where: { $0.name == meant }) else {
      return meant
    }
    var words = [ThisProgram.current.name, meant]
    for word in rest {
      let isOption = Invocation.isName(word) && !word.contains("=")
      if !isOption || command.optionNames.contains(word) {
        words.append(word)
      } else if let option = Invocation.otherSpellings(of: word).first(where: {
        command.optionNames.contains($0.option)
      }) {
        words.append(option.option)
      } else {
        return meant
      }
    }
    let line = words.joined(separator: " ")
    return line.utf8.count <= 100 && !line.contains("'") ? line.printable(atMost: 100) : meant
  }
}
