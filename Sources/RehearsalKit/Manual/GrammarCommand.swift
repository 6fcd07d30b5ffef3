import ArgumentParser
import Rehearsal

/// The subcommand `grammar`: chooses the editor's grammar and the kind of file.
struct GrammarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "grammar",
    abstract: "Print an editor grammar for transcripts or scripts.",
    discussion: UsageText.discussion(
      """
      The grammar colours the commands of this program. Visual Studio Code, Sublime Text and other \
      editors use TextMate grammars.
      """,
      [
        "grammar vim transcript > ~/.vim/syntax/transcript.vim": "transcripts in Vim",
        "grammar vim script > ~/.vim/syntax/rehearse.vim":
          "scripts in Vim; transcripts need it, too",
        "grammar textmate transcript": "transcripts as a TextMate grammar in JSON",
      ]
    )
  )

  /// An editor with a grammar.
  enum Editor: String, CaseIterable, ExpressibleByArgument {
    case vim, textmate
  }

  /// The kind of file.
  enum Content: String, CaseIterable, ExpressibleByArgument {
    case transcript, script
  }

  @Argument(help: "Kind of grammar.")
  var editor: Editor

  @Argument(help: "Kind of file: .transcript files or .rehearse scripts.")
  var content = Content.transcript

  func run() throws {
    let text =
      switch (editor, content) {
      case (.vim, .transcript): VimSyntax.transcript(.shell)
      case (.vim, .script): VimSyntax.script(.shell)
      case (.textmate, .transcript): TextMateGrammar.transcript(.shell)
      case (.textmate, .script): TextMateGrammar.script(.shell)
      }
    StandardStreams.write(text)
  }
}
