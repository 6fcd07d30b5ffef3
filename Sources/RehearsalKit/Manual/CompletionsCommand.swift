import ArgumentParser
import Rehearsal

/// The subcommand `completions`: the completion script of bash, zsh or fish.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "completions",
    abstract: "Print a completion script for a shell.",
    discussion: UsageText.discussion(
      """
      Each shell reads completion scripts from its own folder when it starts.
      """,
      [
        "completions bash \\\n    >~/.local/share/bash-completion/completions/NAME":
          "install it for bash with the package bash-completion",
        "completions zsh >~/.zfunc/_NAME":
          "for zsh; ~/.zshrc needs 'fpath=(~/.zfunc $fpath)'\n      and 'autoload -U compinit; compinit'",
        "completions fish >~/.config/fish/completions/NAME.fish": "for fish",
      ]
    )
  )

  /// A shell with completions.
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

  @Argument(help: "Shell to complete in.")
  var shell: ShellName

  func run() throws {
    let script = RootCommand.completionScript(for: shell.shell)
    StandardStreams.write(shell.completingHelp(in: script, with: RootCommand.names) + "\n")
  }
}

extension CompletionsCommand.ShellName {
  /// Adds the subcommands after `help` to a script. The argument parser does not list them.
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
