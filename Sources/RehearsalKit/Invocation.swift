import ArgumentParser
import Rehearsal

/// Which command the arguments of the program name, and the arguments that are its own.
///
/// A subcommand is parsed alone, without the program around it: to describe the options of both costs as much
/// as to replay hundreds of commands.
struct Invocation {
  let command: any ParsableCommand.Type
  let arguments: [String]

  /// Flags in front of a subcommand's name are the subcommand's, which says so where it takes no such flag.
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

  /// Where the first word stands that is neither a flag nor the value of one.
  private static func placeOfName(in words: [String]) -> Int? {
    var place = 0
    while place < words.count, words[place].hasPrefix("-") {
      if words[place] == "--" { return nil }
      place += flagsWithValue.contains(words[place]) ? 2 : 1
    }
    return place < words.count ? place : nil
  }

  /// The flags of the program that take the next argument as their value.
  private static let flagsWithValue = Set(
    SessionOption.all.flatMap { $0.names.map { "--" + $0 } } + ["--allow-network", "-c"]
  )

  /// The options and values of earlier versions, with their present spellings.
  private static let formerSpellings: KeyValuePairs = [
    "--allow": "--disable", "--changes": "--pct-changes", "--patience": "--stop-after",
    "--for": "--max-time", "--self-check": "--check-determinism", "priorities": "pct",
    "superseded": "no-stale-writes", "settled": "single-outcome",
    "last-asked": "latest-request-wins", "stuck": "completes", "left-over": "no-leaked-work",
  ]

  /// The message about arguments that are wrong, begun like every other.
  func sentence(for error: any Error) -> String {
    var text = command.fullMessage(for: error)
    if text.hasPrefix("Error: ") {
      text.replaceSubrange(..<text.index(after: text.startIndex), with: "e")
    }
    if let (old, new) = Self.formerSpellings.first(where: { arguments.contains($0.key) }) {
      text += "\nhint: '\(old)' is now '\(new)'"
    }
    guard command != RootCommand.self else { return text }
    let name = command._commandName
    return text.replacing("  See '\(name) ", with: "  See '\(ThisProgram.current.name) \(name) ")
  }
}

extension CommandConfiguration {
  /// A command of the program's, parsed alone: its usage still begins with the program's name.
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
