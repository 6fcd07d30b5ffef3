import ArgumentParser
import Exploring
import Rehearsal

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
    var text = command.fullMessage(for: error)
    if text.hasPrefix("Error: ") {
      text.replaceSubrange(..<text.index(after: text.startIndex), with: "e")
    }
    if let word = Self.formerSpellings.first(where: { arguments.contains($0.former) }) {
      text += "\nhint: '\(word.former)' is now '\(word.present)'"
    }
    guard command != RootCommand.self else { return text }
    let name = command._commandName
    return text.replacing("  See '\(name) ", with: "  See '\(ThisProgram.current.name) \(name) ")
  }
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
