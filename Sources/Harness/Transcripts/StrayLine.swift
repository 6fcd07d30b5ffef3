package import RehearsalBase

/// A line of no known kind in a transcript, such as output without indentation: its error and its hint.
///
/// Such a line fails the transcript and is never skipped. Nearly always it is expected output without its
/// indentation, and without it the test would check nothing.
package enum StrayLine: Sendable, Equatable {
  /// A whole merge conflict, up to a line of the file.
  case conflict(lastLine: Int)
  /// A single marker of a merge conflict.
  case conflictMarker
  case unindented
  case indentedByTab
  case indentedByOne
  case joinedPrompt
  case continuationAlone
  case outputAlone
  /// A line that opens or closes a fence, outside of Markdown.
  case fence
  case outsideFixture(String)
  case repeatedFixture(String)
  /// A file whose lines end in carriage returns alone, as on old Macs.
  case carriageReturns
  /// A character that looks like a line end and may have been meant as one.
  case lookalike(LineEndLookalike)
  /// A comment that would be an expectation in Swift.
  case swiftExpectation
  /// A file that has only commands without prompts, as scripts do.
  case script

  /// The problem as text.
  var sentence: String {
    switch self {
    case .conflict(let line): "a merge conflict, up to line \(line)"
    case .conflictMarker: "a merge conflict marker"
    case .unindented: "this line is neither a comment nor a command nor output"
    case .indentedByTab: "this line begins with a tab"
    case .indentedByOne: "this line is indented by one space"
    case .joinedPrompt: "no space after the prompt"
    case .continuationAlone: "there is no command above that this line could continue"
    case .outputAlone: "this output is above the first command"
    case .fence: "a Markdown code block, but the name of this file does not end in .md"
    case .outsideFixture(let name): "the file name '\(name)' leaves the transcript"
    case .repeatedFixture(let name): "the file '\(name)' is here twice"
    case .carriageReturns: "the lines of this file end in carriage returns without line feeds"
    case .lookalike(let lookalike): lookalike.sentence
    case .swiftExpectation: "'#' begins a comment, so this checks nothing"
    case .script: "this is not a transcript; it may be a script, because no line has a prompt"
    }
  }

  /// What to do.
  var hint: String {
    switch self {
    case .conflict, .conflictMarker: "resolve the conflict, then run the transcript again"
    case .unindented: "indent output by two spaces, begin a comment with '#', a command with '> '"
    case .indentedByTab, .indentedByOne: "indent output by two spaces"
    case .joinedPrompt: "write '> ' or '. ', then the command"
    case .continuationAlone: "begin the command with '> ' on the line above"
    case .outputAlone: "begin with the command that prints it, or make it a comment with '#'"
    case .fence: "rename a page so that it ends in .md; a transcript file has no code blocks"
    case .outsideFixture: "use a relative name without '.' and '..'"
    case .repeatedFixture: "give each file a different name"
    case .carriageReturns: LineEndLookalike.carriageReturn.hint
    case .lookalike(let lookalike): lookalike.hint
    case .swiftExpectation:
      "write a command, as in '> expect NAME loaded VALUE', or a space after '#' for a comment"
    case .script: "'run FILE > NEW.transcript' runs a script and makes a transcript of it"
    }
  }
}
