import ArgumentParser
import Rehearsal

struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "manual",
    abstract: "Print the manual page.",
    discussion: UsageText.discussion(
      "The page is made of the same definitions as '--help', in the language of man(7).",
      [
        "manual > NAME.1 && man ./NAME.1": "read it",
        "manual > ~/.local/share/man/man1/NAME.1": "install it, so that 'man NAME' shows it",
      ]
    )
  )

  func run() throws {
    guard let tool = ToolDescription(dump: RootCommand._dumpHelp()) else {
      preconditionFailure("The parser of the arguments describes them as JSON.")
    }
    StandardStreams.write(ManualPage(of: tool).text)
  }
}
