import ArgumentParser
import Rehearsal

/// The subcommand `manual`: prints the manual page.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "manual",
    abstract: "Print the manual page.",
    discussion: UsageText.discussion(
      "The page is in the format of man(7), and has the texts of '--help'.",
      [
        "manual > NAME.1 && man ./NAME.1": "read the page",
        "manual > ~/.local/share/man/man1/NAME.1": "install the page for 'man NAME'",
      ]
    )
  )

  func run() throws {
    guard let tool = ToolDescription(dump: RootCommand._dumpHelp()) else {
      preconditionFailure("The argument parser did not describe the arguments as JSON.")
    }
    StandardStreams.write(ManualPage(of: tool).text)
  }
}
