import ArgumentParser
import Rehearsal

/// Flags of the program that a subcommand does not take.
///
/// The parser of arguments hands what the program itself takes to the program, wherever it stands, so that
/// nobody would hear of it.
enum ForeignFlags {
  /// What is wrong with the arguments of a subcommand; nil where it takes all that the program took.
  static func complaint(about command: any ParsableCommand, _ arguments: [String]) -> String? {
    let subcommands = RootCommand.configuration.subcommands
    guard subcommands.contains(where: { $0 == type(of: command) }) else { return nil }
    let given = arguments.prefix { $0 != "--" }.compactMap { $0.split(separator: "=").first }
      .map(String.init)
    // To describe the arguments costs more than to start, so they are asked about only where it matters.
    guard given.contains(where: ofProgram.contains) else { return nil }
    let foreign = names(of: RootCommand.self).subtracting(names(of: type(of: command)))
    guard let flag = given.first(where: foreign.contains) else { return nil }
    let program = ThisProgram.current.name
    let name = type(of: command)._commandName
    return """
      error: '\(name)' takes no \(flag)
      hint: '\(program) help \(name)' lists what it takes
      """
  }

  /// What the program takes itself, but for '--help' and '--version'.
  private static let ofProgram = Set(
    SessionOption.all.map { "--" + $0.name }
      + ["--color", "--no-pager", "--json", "--allow-network", "-c"]
  )

  private static func names(of command: any ParsableCommand.Type) -> Set<String> {
    let tool = ToolDescription(dump: command._dumpHelp())
    return Set(tool?.root.arguments.flatMap(\.names) ?? [])
  }
}
