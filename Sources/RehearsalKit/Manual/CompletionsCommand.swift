import ArgumentParser
import Rehearsal

struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
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
    StandardStreams.write(RootCommand.completionScript(for: shell.shell) + "\n")
  }
}
