/// Syntax files for Vim.
package enum VimSyntax {
  /// The syntax of scripts, for `syntax/rehearse.vim`: one command a line.
  package static func script(_ words: Vocabulary) -> String {
    """
    " Vim syntax file
    " Language: Rehearse scripts, one command a line
    " Generated from the definitions of the commands; do not edit it.

    if exists("b:current_syntax")
      finish
    endif
    syntax case match

    \(commands(words))
    \(links)
    let b:current_syntax = "rehearse"

    """
  }

  /// The syntax of transcripts, for `syntax/transcript.vim`, which includes that of scripts.
  package static func transcript(_ words: Vocabulary) -> String {
    """
    " Vim syntax file
    " Language: Rehearse transcripts: commands and their expected output
    " Generated from the definitions of the commands; do not edit it.

    if exists("b:current_syntax")
      finish
    endif
    syntax case match
    syntax include @rehearse syntax/rehearse.vim
    unlet! b:current_syntax

    syntax match transcriptComment /^#.*/
    syntax region transcriptCommand matchgroup=transcriptPrompt start=/^> \\?/ end=/$/ oneline keepend contains=@rehearseParts
    syntax region transcriptCommand matchgroup=transcriptPrompt start=/^\\. \\?/ end=/$/ oneline keepend contains=@rehearseArguments

    syntax region transcriptOutput start=/^  / end=/$/ oneline keepend contains=@transcriptParts
    syntax cluster transcriptParts contains=transcriptError,transcriptHint,transcriptPlace,transcriptPattern,transcriptInstant,transcriptState,rehearseText,rehearseAttempt
    syntax match transcriptState /\\<\\%(\(words.states.joined(separator: "\\|"))\\)\\>/ contained
    syntax match transcriptPattern /\\[\\.\\.\\]\\|{{.\\{-}}}\\|\\%(^  \\)\\@<=\\.\\.\\.$/ contained
    syntax match transcriptInstant /\\%(^  \\s*\\)\\@<=\\d\\+\\%(\\.\\d\\+\\)\\?s\\>/ contained
    syntax match transcriptPlace /\\%(^  \\s*\\)\\@<=^\\~*\\s*$/ contained
    syntax match transcriptHint /\\%(^  \\)\\@<=hint: .*/ contained
    syntax match transcriptError /\\%(^  \\)\\@<=\\%(\\S\\+:\\d\\+: \\)\\?error: .*/ contained

    syntax region transcriptFile matchgroup=transcriptFileName start=/^-- \\S.* --$/ end=/\\%(^-- \\S.* --$\\)\\@=/
    syntax region transcriptScript matchgroup=transcriptFileName start=/^-- \\S.*\\.rehearse --$/ end=/\\%(^-- \\S.* --$\\)\\@=/ contains=@rehearse
    syntax sync fromstart

    highlight default link transcriptComment Comment
    highlight default link transcriptPrompt Special
    highlight default link transcriptState Constant
    highlight default link transcriptPattern Special
    highlight default link transcriptInstant Number
    highlight default link transcriptPlace Error
    highlight default link transcriptHint Todo
    highlight default link transcriptError ErrorMsg
    highlight default link transcriptFileName Title

    let b:current_syntax = "transcript"

    """
  }

  // MARK: Commands

  /// If two matches begin at the same place, Vim uses the later definition.
  private static func commands(_ words: Vocabulary) -> String {
    """
    syntax cluster rehearseParts contains=rehearseVerb,rehearseOtherVerb,@rehearseArguments
    syntax cluster rehearseArguments contains=rehearseName,rehearseKeyword,rehearseState,rehearseOperator,rehearsePipe,rehearseType,rehearseMethod,rehearseLiteral,rehearseNumber,rehearseAttempt,rehearseDuration,rehearseTarget,rehearseLater,rehearseText,rehearseComment

    syntax match rehearseName /\(name)/
    \(match("Keyword", words.keywords))
    \(match("State", words.states))
    \(match("Operator", words.operators))
    syntax match rehearsePipe /|\\|→/
    \(match("Type", words.types))
    \(match("Method", words.methods))
    \(match("Literal", ["true", "false", "null"]))
    syntax match rehearseNumber /\(before)-\\?\\d\\+\\%(\\.\\d\\+\\)\\?\\%([eE][+-]\\?\\d\\+\\)\\?%\\?\(after)/
    syntax match rehearseAttempt /#\\d\\+/
    syntax match rehearseDuration /\(before)\\d\\+\\%(\\.\\d\\+\\)\\?\\%(\(any(words.units))\\)\(after)/
    syntax match rehearseTarget /\\%(\\s\\)\\@<=\\%(https\\?:\\/\\/\\|\\/\\)[^ \\t"]*/
    syntax match rehearseLater /\(before)do\\s\\+\\%(\(any(words.verbs))\\)\(after)/
    syntax match rehearseLater /\(behindTime(words))\\%(\(any(words.verbs))\\)\(after)/
    syntax match rehearseOtherVerb /\(first)\(name)/
    syntax match rehearseVerb /\(first)\\%(\(any(words.verbs))\\)\(after)/
    syntax region rehearseText start=/"/ skip=/\\\\./ end=/"/ end=/$/ contains=rehearseEscape oneline
    syntax match rehearseEscape /\\\\./ contained
    syntax match rehearseComment /#\\d\\@!.*/

    """
  }

  private static let name = #"[[:alpha:]_][[:alnum:]_.-]*"#
  /// No word character before or after.
  private static let before = #"\%([[:alnum:]_.-]\)\@<!"#
  private static let after = #"\%([[:alnum:]_.-]\)\@!"#
  /// The beginning of a command, at the beginning of a line or after the prompt.
  private static let first = #"\%(^\%(> \?\)\?\s*\)\@<="#

  /// After the time of a scheduled command.
  private static func behindTime(_ words: Vocabulary) -> String {
    #"\%(^\%(> \?\)\?\s*\%("# + any(words.schedulingVerbs) + #"\)\s\+"# + duration
      + #"\%(\s\+\%(to\|and\)\s\+"# + duration + #"\)\?\s\+\)\@<="#
  }

  private static let duration = #"[0-9.]\+\a\+"#

  private static func match(_ group: String, _ words: [String]) -> String {
    "syntax match rehearse\(group) /\(before)\\%(\(any(words))\\)\(after)/"
  }

  private static func any(_ words: [String]) -> String { words.joined(separator: #"\|"#) }

  private static let links = """
    highlight default link rehearseComment Comment
    highlight default link rehearseVerb Statement
    highlight default link rehearseLater Statement
    highlight default link rehearseOtherVerb Function
    highlight default link rehearseName Identifier
    highlight default link rehearseKeyword Keyword
    highlight default link rehearseState Constant
    highlight default link rehearseOperator Function
    highlight default link rehearsePipe Operator
    highlight default link rehearseType Type
    highlight default link rehearseMethod Constant
    highlight default link rehearseLiteral Boolean
    highlight default link rehearseNumber Number
    highlight default link rehearseAttempt Number
    highlight default link rehearseDuration Number
    highlight default link rehearseTarget Underlined
    highlight default link rehearseText String
    highlight default link rehearseEscape SpecialChar

    """
}
