import ArgumentParser
import Exploring
import Rehearsal
import RehearsalBase

/// A subcommand and its arguments, from the arguments of the program.
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
  private static func placeOfName(in words: [String]) -> Int? {
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
    var text = unknownOption ?? command.fullMessage(for: error)
    if text.hasPrefix("Error: ") {
      text.replaceSubrange(..<text.index(after: text.startIndex), with: "e")
    }
    if let word = Self.formerSpellings.first(where: { arguments.contains($0.former) }) {
      return text + "\nhint: '\(word.former)' is now '\(word.present)'"
    }
    guard command != RootCommand.self else { return text }
    let name = command._commandName
    return text.replacing("  See '\(name) ", with: "  See '\(ThisProgram.current.name) \(name) ")
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
    let meant = Self.otherSpellings.first { $0.words.contains(name) && known.contains($0.option) }
    let hint =
      meant.map { $0.advice ?? "did you mean '\($0.option)'?" }
      ?? (name.hasPrefix("--")
        ? CommandText.suggestion(for: name, in: known.sorted()) : RootCommand.hintOnDashes)
    return text + "\nhint: " + (hint ?? "'\(program) --help' lists the options")
  }

  /// Whether a word is the name of an option, and no value such as `-1%`.
  private static func isName(_ word: String) -> Bool {
    word.hasPrefix("--") || word.hasPrefix("-") && word.dropFirst().first?.isLetter == true
  }

  /// The options of other tools, each with the option that is meant if the subcommand has it.
  private static let otherSpellings: [(words: Set<String>, option: String, advice: String?)] = [
    (
      ["--runs", "--iterations", "--max-runs", "--tries", "--count", "--limit", "--max", "-n"],
      "--schedules", nil
    ),
    (["--runs", "--iterations", "--count", "--tries", "-n"], "--repeat", nil),
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
    (["--accept", "--record", "--write", "--snapshot", "--bless"], "--update", nil),
    (["--format", "--junit", "--tap", "--output-format"], "--reporter", nil),
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
