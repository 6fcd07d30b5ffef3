package import RehearsalBase

/// A line of a transcript that is none of the kinds a transcript is made of.
///
/// Such a line is named, never skipped: it is nearly always an expectation that lost its
/// indentation, and skipping it would let a test pass that says nothing.
package enum StrayLine: Sendable, Equatable {
  /// A conflict of a merge, all of it, down to a line of the file.
  case conflict(lastLine: Int)
  /// A line of such a conflict that has lost the others.
  case conflictMarker
  case unindented
  case indentedByTab
  case indentedByOne
  case joinedPrompt
  case continuationAlone
  case outputAlone
  /// What opens or closes a fence, outside of Markdown.
  case fence
  case outsideFixture(String)
  case repeatedFixture(String)
  /// All of a file whose lines end in carriage returns alone, as they did on old Macs.
  case carriageReturns
  /// A character that looks like a line end, and may have been meant to end a line.
  case lookalike(LineEndLookalike)
  /// All of a file that has commands without a prompt, as scripts do, and nothing else.
  case script

  /// What is wrong with the line.
  var sentence: String {
    switch self {
    case .conflict(let line): "a conflict of a merge, down to line \(line)"
    case .conflictMarker: "a conflict marker of a merge"
    case .unindented: "this line is neither a comment nor a command nor output"
    case .indentedByTab: "this line begins with a tab"
    case .indentedByOne: "this line is indented by one space"
    case .joinedPrompt: "no space after the prompt"
    case .continuationAlone: "this line continues no command"
    case .outputAlone: "this output stands above the first command"
    case .fence: "a fence of Markdown, and this file is no Markdown by its name"
    case .outsideFixture(let name): "the file name '\(name)' leaves the transcript"
    case .repeatedFixture(let name): "the file '\(name)' stands here twice"
    case .carriageReturns: "the lines of this file end in carriage returns without line feeds"
    case .lookalike(let lookalike): lookalike.sentence
    case .script: "this is no transcript; it may be a script, since no line has a prompt"
    }
  }

  /// What to try instead.
  var hint: String {
    switch self {
    case .conflict, .conflictMarker: "resolve the conflict, then run the transcript again"
    case .unindented: "indent output by two spaces, begin a comment with '#', a command with '> '"
    case .indentedByTab, .indentedByOne: "indent output by two spaces"
    case .joinedPrompt: "write '> ' or '. ', then the command"
    case .continuationAlone: "begin the command with '> ' on the line above"
    case .outputAlone: "begin with the command that prints it, or make it a comment with '#'"
    case .fence: "let the name of a page end in .md; a transcript of its own has no fences"
    case .outsideFixture: "use a relative name without '.' and '..'"
    case .repeatedFixture: "give each file a name of its own"
    case .carriageReturns: LineEndLookalike.carriageReturn.hint
    case .lookalike(let lookalike): lookalike.hint
    case .script: "'run FILE > NEW.transcript' performs a script and makes a transcript of it"
    }
  }
}
