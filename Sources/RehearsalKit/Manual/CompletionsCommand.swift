import ArgumentParser
import Rehearsal

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "completions",
    abstract: "Print what makes a shell complete this program's arguments.",
    discussion: UsageText.discussion(
      """
      Where the text goes depends on the shell; each reads a folder of its own when it starts.
      """,
      [
        "completions bash > ~/.local/share/bash-completion/completions/NAME":
          "bash, with the package bash-completion; NAME is that of this program",
        "completions zsh > ~/.zfunc/_NAME":
          "zsh, after 'fpath=(~/.zfunc $fpath)' and 'autoload -U compinit; compinit' in ~/.zshrc",
        "completions fish > ~/.config/fish/completions/NAME.fish": "fish",
      ]
    )
  )

  /// The shells that there are completions for.
  enum ShellName: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    fileprivate var shell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell.")
  var shell: ShellName

  func run() throws {
    let script = RootCommand.completionScript(for: shell.shell)
    StandardStreams.write(shell.completingHelp(in: script, with: RootCommand.names) + "\n")
  }
}

extension CompletionsCommand.ShellName {
  /// The script with the subcommands behind `help`, of which the parser of arguments knows only that there
  /// are some.
  fileprivate func completingHelp(in script: String, with names: [String]) -> String {
    let list = names.filter { $0 != "help" }.joined(separator: " ")
    switch self {
    case .bash:
      // The function of 'help' is the last one.
      let offer = "((positional_number == 1)) && COMPREPLY+=($(compgen -W '\(list)' -- \"${cur}\"))"
      return script.replacing("\n}\n\ncomplete -o", with: "\n    \(offer)\n}\n\ncomplete -o")
    case .zsh:
      return script.replacing("'*:subcommands:'", with: "':subcommand:(\(list))'")
    case .fish:
      let name = ThisProgram.current.name
      let (first, behindHelp) = ("\"\(name)\" -eq 1'", "\"\(name) help\" -eq 1'")
      let offers = script.split(separator: "\n").map(String.init).filter {
        $0.contains(first) && !$0.contains(" -fa 'help'")
      }
      return ([script] + offers.map { $0.replacing(first, with: behindHelp) })
        .joined(separator: "\n")
    }
  }
}
