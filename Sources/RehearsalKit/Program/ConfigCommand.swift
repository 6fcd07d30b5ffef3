import ArgumentParser
import Rehearsal

/// The subcommand `config`: prints the example of the config file, or its path.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "config",
    abstract: "Print a config file that lists every option in comments.",
    discussion: UsageText.discussion(
      """
      The shell reads options from the file whose path --path prints. Environment variables and flags \
      override it. 'help options' in the shell explains each option.
      """,
      [
        "config --path": "print the path of the config file",
        "config > ~/.config/NAME/config": "create a config file with only comments",
      ]
    )
  )

  @Flag(name: .customLong("path"), help: "Print the path of the config file.")
  var printsPath = false

  @OptionGroup var json: JSONFlag

  func run() throws {
    if json.isOn { StandardStreams.write(JSONFlag.begin) }
    guard printsPath else {
      return StandardStreams.write(json.isOn ? ConfigExample.json : ConfigExample.text)
    }
    guard let path = ConfigPlace.path else {
      StandardStreams.write("error: the folder for the config file is unknown\n", to: .error)
      StandardStreams.write("hint: set HOME or XDG_CONFIG_HOME\n", to: .error)
      throw ProgramExit.usage.asError
    }
    StandardStreams.write(json.isOn ? JSONLine("config").with("path", path).text : path + "\n")
  }
}
