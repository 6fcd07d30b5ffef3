import ArgumentParser
import Exploring
import Rehearsal
import RehearsalBase

/// The subcommand that the arguments name, and the errors about its options, with hints for those of other tools.
///
/// A subcommand is parsed without the root command: to describe the options of both takes as long as to replay hundreds
/// of commands.
struct Invocation {
  let command: any ParsableCommand.Type
  let arguments: [String]

  /// Flags before a subcommand's name belong to the subcommand, which reports unknown ones.
  init(_ words: [String]) {
    guard let place = Self.placeOfName(in: words),
      let command = RootCommand.configuration.subcommands.first(where: {
        $0._commandName == words[place]
      })
    else {
      self.command = RootCommand.self
      arguments = words
      return
    }
    self.command = command
    arguments = Array(words[..<place] + words[(place + 1)...])
  }

  /// Returns the index of the first word that is neither a flag nor the value of one.
  static func placeOfName(in words: [String]) -> Int? {
    var place = 0
    while place < words.count, words[place].hasPrefix("-") {
      if words[place] == "--" { return nil }
      place += flagsWithValue.contains(words[place]) ? 2 : 1
    }
    return place < words.count ? place : nil
  }

  /// The flags of the root command that have a value.
  private static let flagsWithValue = Set(
    SessionOption.all.flatMap { $0.names.map { "--" + $0 } } + ["--allow-network", "-c"]
  )

  /// The options and values of earlier versions, with their present spellings.
  private static let formerSpellings: [(former: String, present: String)] =
    [
      ("--allow", "--disable"), ("--changes", "--pct-changes"), ("--patience", "--stop-after"),
      ("--for", "--max-time"), ("--self-check", "--check-determinism"), ("priorities", "pct"),
    ] + BuiltInCheck.allCases.compactMap { check in check.formerName.map { ($0, check.rawValue) } }

  /// Returns the message about wrong arguments, in the style of other messages.
  func sentence(for error: any Error) -> String {
    // The argument parser may take the value of an unknown option as another file, and then complains about the files.
    var text =
      unknownOption ?? ProgramMistake(arguments, of: command)?.text
      ?? command.fullMessage(for: error)
    if text.hasPrefix("Error: ") {
      text.replaceSubrange(..<text.index(after: text.startIndex), with: "e")
    }
    text = Self.withExample(text, of: command)
    if let word = Self.formerSpellings.first(where: { arguments.contains($0.former) }) {
      return text + "\nhint: '\(word.former)' is now '\(word.present)'"
    }
    guard command != RootCommand.self else { return text }
    let name = command._commandName
    return text.replacing("  See '\(name) ", with: "  See '\(ThisProgram.current.name) \(name) ")
  }

  /// Returns the message about a missing argument with an example instead of the whole help; another message unchanged.
  private static func withExample(_ text: String, of command: any ParsableCommand.Type) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let missing = "Missing expected argument"
    guard text.hasPrefix("error: " + missing), command != RootCommand.self,
      let heading = lines.firstIndex(of: Substring(UsageText.heading)), heading + 1 < lines.count
    else { return text }
    let example = lines[heading + 1].drop { $0 == " " }
    let help = "\(ThisProgram.current.name) \(command._commandName) --help"
    let sentence = lines[0].replacing(missing, with: "missing argument")
    return "\(sentence)\nhint: as in '\(example)'; '\(help)' says more"
  }

  /// The error about the first option that the command does not have; nil if it has all, or if the root command is meant.
  private var unknownOption: String? {
    guard command != RootCommand.self,
      let known = ToolDescription(dump: command._dumpHelp())?.root.optionNames
    else { return nil }
    let names = arguments.prefix { $0 != "--" }.filter(Self.isName)
      .map { String($0.prefix { $0 != "=" }) }
    guard let name = names.first(where: { !known.contains($0) && !RootCommand.isOfParser($0) })
    else { return nil }
    let text = "error: unknown option '\(name.printable(atMost: 60))'"
    if Self.formerSpellings.contains(where: { $0.former == name }) { return text }
    let program = "\(ThisProgram.current.name) \(command._commandName)"
    if name == "-c" {
      return text
        + "\nhint: '\(ThisProgram.current.name) -c COMMAND' runs commands, without a subcommand"
    }
    let meant = Self.otherSpellings(of: name).first { known.contains($0.option) }
    let hint =
      meant.map { $0.advice ?? "did you mean '\($0.option)'?" } ?? otherSubcommand(with: name)
      ?? (name.hasPrefix("--")
        ? CommandText.suggestion(for: name, in: known.sorted()) : RootCommand.hintOnDashes)
    return text + "\nhint: " + (hint ?? "'\(program) --help' lists the options")
  }

  /// Returns a hint if another subcommand has an option; nil if none has.
  private func otherSubcommand(with option: String) -> String? {
    let subcommands = ToolDescription(dump: RootCommand._dumpHelp())?.root.subcommands ?? []
    let names = arguments.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
    guard option.hasPrefix("--"),
      let other = subcommands.first(where: { $0.optionNames.isSuperset(of: names) })
    else { return nil }
    return "'\(ThisProgram.current.name) \(other.name)' has this option"
  }

  /// Returns the options that other tools call by a name such as `--runs` or `-n`, also in `-n5`.
  static func otherSpellings(of name: String) -> [(option: String, advice: String?)] {
    let isShort = !name.hasPrefix("--")
    let digits = isShort ? name.reversed().prefix { $0.isNumber }.count : 0
    let bare = String(name.dropLast(digits))
    return otherSpellings.filter { $0.words.contains(bare) }.map { ($0.option, $0.advice) }
  }

  /// Whether a word is the name of an option, and no value such as `-1%`.
  static func isName(_ word: String) -> Bool {
    word.hasPrefix("--") || word.hasPrefix("-") && word.dropFirst().first?.isLetter == true
  }

  /// The options of other tools, each with the option that is meant if the subcommand has it.
  private static let otherSpellings: [(words: Set<String>, option: String, advice: String?)] = [
    (
      [
        "--runs", "--run", "--iterations", "--max-runs", "--tries", "--count", "--limit", "--max",
        "-n",
      ],
      "--schedules", nil
    ),
    (["--runs", "--run", "--iterations", "--count", "--tries", "-n"], "--repeat", nil),
    (
      ["--until-failure", "--fail-fast", "--bail"], "--keep-going",
      "the first failure ends the search; with '--keep-going' it continues"
    ),
    (["--bail", "--failfast", "--stop-on-failure", "--exitfirst"], "--fail-fast", nil),
    (
      ["--only", "--match", "--grep", "--pattern", "--test", "--name", "-k", "-t"], "--filter", nil
    ),
    (
      ["--workers", "--threads", "--parallel", "--processes", "--num-workers", "-j"], "--jobs", nil
    ),
    (
      [
        "--accept", "--record", "--write", "--snapshot", "--bless", "--update-snapshots",
        "--updateSnapshot", "--update-goldens", "-u",
      ],
      "--update", nil
    ),
    (
      [
        "--junit", "--junit-xml", "--junitxml", "--output", "--out", "--output-file",
        "--xunit-output",
        "--reporter-output", "--report",
      ], "--reporter", "'--reporter junit=FILE' writes it"
    ),
    (["--format", "--tap", "--output-format"], "--reporter", nil),
    (["--shuffle", "--random-seed", "--randomize"], "--order-seed", nil),
    (["--random-seed"], "--seed", nil), (["--duration", "--time-limit"], "--max-time", nil),
    (["--flaky", "--detect-flaky", "--rerun"], "--repeat", nil),
    (["--last-failed", "--rerun-failed", "--only-failures"], "--failed", nil),
    (["--dry-run", "--list-tests", "--collect-only"], "--list", nil),
    (["--color"], "--colour", nil),
  ]
}

extension CommandConfiguration {
  /// Creates the configuration of a subcommand that is parsed alone. Its usage begins with the program's name.
  init(subcommand name: String, abstract: String, discussion: String) {
    self.init(
      commandName: name,
      _superCommandName: ThisProgram.current.name,
      abstract: abstract,
      discussion: discussion,
      version: ThisProgram.current.versionOfBuild
    )
  }
}
