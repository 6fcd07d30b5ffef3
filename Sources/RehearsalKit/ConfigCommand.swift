import ArgumentParser
import Rehearsal

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "config",
    abstract: "Print a config file with every option in it, as comments.",
    discussion: UsageText.discussion(
      """
      The shell reads its options from a file at the place that --path prints, before the environment \
      and flags. 'help options' in the shell explains them.
      """,
      [
        "config --path": "see where the file belongs",
        "config > ~/.config/NAME/config": "begin one; every line of it is a comment",
      ]
    )
  )

  @Flag(name: .customLong("path"), help: "Print where the config file is looked for.")
  var printsPath = false

  @OptionGroup var json: JSONFlag

  func run() throws {
    if json.isOn { StandardStreams.write(JSONFlag.begin) }
    guard printsPath else {
      return StandardStreams.write(json.isOn ? ConfigExample.json : ConfigExample.text)
    }
    guard let path = ConfigPlace.path else {
      StandardStreams.write("error: there is no place for a config file\n", to: .error)
      StandardStreams.write("hint: set HOME or XDG_CONFIG_HOME\n", to: .error)
      throw ProgramExit.usage.asError
    }
    StandardStreams.write(json.isOn ? JSONLine("config").with("path", path).text : path + "\n")
  }
}
