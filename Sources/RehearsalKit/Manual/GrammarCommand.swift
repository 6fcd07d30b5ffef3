import ArgumentParser
import Rehearsal

struct GrammarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "grammar",
    abstract: "Print what makes an editor colour transcripts and scripts.",
    discussion: UsageText.discussion(
      """
      The grammars know the commands by the definitions by which they are read. A TextMate grammar \\
      is what Visual Studio Code, Sublime Text and others take.
      """,
      [
        "grammar vim transcript > ~/.vim/syntax/transcript.vim": "transcripts, in Vim",
        "grammar vim script > ~/.vim/syntax/rehearse.vim": "scripts, which that needs too",
        "grammar textmate transcript": "transcripts, as a TextMate grammar in JSON",
      ]
    )
  )

  /// The editors that there are grammars for.
  enum Editor: String, CaseIterable, ExpressibleByArgument {
    case vim, textmate
  }

  /// What is coloured.
  enum Content: String, CaseIterable, ExpressibleByArgument {
    case transcript, script
  }

  @Argument(help: "The kind of grammar.")
  var editor: Editor

  @Argument(help: "What it is for: files ending in .transcript, or scripts ending in .rehearse.")
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
