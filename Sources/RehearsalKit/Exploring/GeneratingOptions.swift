import ArgumentParser
import Rehearsal
import RehearsalBase

/// The options of `explore` that generate commands.
struct GeneratingOptions: ParsableArguments {
  @Flag(
    name: .customLong("generate"),
    help:
      "Generate commands after those of each FILE, or without a FILE after 'scene NAME' for each scene."
  )
  var isOn = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum number of generated commands in a session. (default: 10)",
      valueName: "N"
    ),
    transform: NumberOption.reader(1...1_000, example: 10)
  )
  var commands: Int?

  @Option(
    help: ArgumentHelp(
      "Folder of transcripts to replay first. New failures are saved there.",
      valueName: "DIR"
    ),
    completion: .directory
  )
  var corpus: String?

  /// The maximum number of commands; nil if none are generated.
  var most: Int? { isOn ? commands ?? SessionGrammar.usualCommands : nil }

  /// Throws if other options do not fit.
  func check(_ search: SearchOptions) throws {
    if !isOn, commands != nil { throw ValidationError("--commands needs --generate") }
    if !isOn, corpus != nil { throw ValidationError("--corpus needs --generate") }
    guard isOn, search.seeds != nil || search.shard != nil else { return }
    throw ValidationError(
      "--generate does not divide its search; remove \(search.seeds != nil ? "--seeds" : "--shard")"
    )
  }
}
