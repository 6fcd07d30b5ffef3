import Harness
import RehearsalBase
import Script

/// A file of commands that can be performed to show its results: a transcript, or a script.
package struct Playable {
  package let commands: [String]
  /// The line of each command, from 1.
  private let lines: [Int]
  /// Whether the first failing command ends it, as in a script. In a transcript a failure may be
  /// expected.
  package let stopsAtFailure: Bool
  /// The files that it contains.
  let fixtures: Fixtures
  /// The folder of its other files.
  let folder: String
  /// Its own name, without folders; nil for standard input.
  let name: String?

  /// The text of a note about code blocks of its page that belong to other programs.
  package let note: String?

  private let transcript: Transcript
  /// Number of commands before those of the file.
  private let added: Int
  /// A code block of its page that looks like a transcript and is not one.
  private let unplayedFence: (line: Int, sentence: String, hint: String)?

  /// Parses the commands of a file; nil for a Markdown file that does not have exactly one
  /// transcript.
  package init?(path: String, bytes: [UInt8]) {
    let transcripts = Transcripts.parse(path, bytes, for: nil)
    let isMarkdown = Transcripts.isMarkdown(path)
    if isMarkdown, transcripts.count != 1 { return nil }
    guard let transcript = transcripts.first else { return nil }
    self.transcript = transcript
    unplayedFence = Transcripts.unplayedFence(path: path, bytes: bytes)
    note = Transcripts.othersNote(path: path, bytes: bytes)
    stopsAtFailure = transcript.commands.isEmpty
    if stopsAtFailure {
      let script = ScriptFile(bytes)
      (commands, lines) = (script.commands.map(\.text), script.commands.map(\.line))
    } else {
      (commands, lines) = (transcript.commands, transcript.commandLines)
    }
    added = 0
    fixtures = transcript.fixtures
    folder = transcript.folder
    name = path == "-" ? nil : path.split(separator: "/").last.map(String.init)
  }

  private init(_ file: Playable, asScript kept: [Int]) {
    commands = kept.map { file.commands[$0] }
    lines = kept.map { file.lines[$0] }
    (stopsAtFailure, added) = (true, 0)
    (fixtures, folder, name, note) = (file.fixtures, file.folder, file.name, file.note)
    (transcript, unplayedFence) = (file.transcript, nil)
  }

  private init(_ file: Playable, after command: String) {
    commands = [command] + file.commands
    lines = [file.lines.first ?? 1] + file.lines
    (stopsAtFailure, added) = (file.stopsAtFailure, file.added + 1)
    (fixtures, folder, name, note) = (file.fixtures, file.folder, file.name, file.note)
    (transcript, unplayedFence) = (file.transcript, file.unplayedFence)
  }

  /// The same commands after one that sets an option.
  package func setting(_ value: OptionValue) -> Playable { Playable(self, after: value.command) }

  /// The same commands as a script, in which every failure counts, without those of a search, and the schedule that they
  /// choose; nil for the default one.
  package var sessionOfCorpus: (script: Playable, schedule: String?) {
    let kept = commands.indices.filter { !CommandText.isOfSearch(commands[$0]) }
    let schedule = commands.first(where: CommandText.choosesOrder).map(CommandText.words)
    return (Playable(self, asScript: kept), schedule?.dropFirst().joined(separator: " "))
  }

  /// The first line that chooses a schedule after a command that may have decided something, or a second schedule; nil if
  /// there is none.
  package var lineOfLateSchedule: Int? {
    let chosen = commands.indices.filter { CommandText.choosesOrder(commands[$0]) }
    guard let first = chosen.first else { return nil }
    let isEarly = commands[..<first].allSatisfy { text in
      CommandText.isBlank(text) || CommandText.definition(of: text)?.effects == .looks
    }
    return isEarly ? chosen.dropFirst().first.map { lines[$0] } : lines[first]
  }

  /// The line of the first command that explores, which a session of the corpus does not do; nil if there is none.
  package var lineOfSearch: Int? {
    commands.firstIndex { CommandText.definition(of: $0)?.effects.contains(.explores) == true }
      .map { lines[$0] }
  }

  /// The commands with their lines.
  package var numberedCommands: [(text: String, line: Int)] { Array(zip(commands, lines)) }

  /// Whether any command is neither blank nor a comment.
  package var holdsCommands: Bool { !commands.allSatisfy { CommandText.isBlank($0) } }

  /// Returns the text that names the commands after a command that ends the session; nil if there
  /// are none.
  package func unperformed(after index: Int) -> String? {
    ScriptFile.unperformed(zip(commands, lines).map(ScriptFile.Command.init), after: index)
  }

  /// The first line that prevents playing it: an invalid line of a transcript, or a code block of
  /// its page that looks like another transcript.
  package var stray: (line: Int, sentence: String, hint: String)? {
    unplayedFence
      ?? (stopsAtFailure ? nil : transcript.firstStray ?? transcript.indentedPrompt)
  }

  /// Finds an unread fixture: a command mistypes its name, or a line `-- NAME --` made a fixture of the rest of the transcript.
  ///
  /// - Parameter unread: names of fixtures that no command has read.
  /// - Returns: the first one; nil if there is none.
  package func swallowed(unread: [String]) -> Transcript.SwallowedPart? {
    transcript.commands.isEmpty ? nil : transcript.firstSwallowed(among: unread, isAny: true)
  }

  /// Returns the line of a command that occurs exactly once; nil for other commands.
  package func line(of command: String) -> Int? {
    guard let place = commands.firstIndex(of: command), commands.lastIndex(of: command) == place
    else { return nil }
    return lines[place]
  }

  /// Returns which expected lines of a command match printed ones, and whether all printed lines are expected; nil if the
  /// command is not in the file.
  func match(
    _ printed: [String],
    ofCommandAt place: Int
  ) -> (output: MatchedOutput, isExpected: Bool)? {
    place >= added ? transcript.match(printed, ofCommandAt: place - added) : nil
  }

  /// Returns a command that fails, with its line, if the transcript does not show its output; nil if it does.
  ///
  /// - Parameters:
  ///   - place: the index of the command.
  ///   - printed: the lines that it has printed.
  ///   - failures: the lines among them that show its failures.
  /// - Returns: the sentence and a hint.
  package func unexpectedFailure(
    ofCommandAt place: Int,
    _ printed: [String],
    failures: [String]
  ) -> (sentence: String, hint: String)? {
    if let (output, isExpected) = match(printed, ofCommandAt: place), isExpected,
      failures.allSatisfy({ output.lineShowing($0) != nil })
    {
      return nil
    }
    let command = commands[place].printable(atMost: 200)
    return (
      "line \(lines[place]): '\(command)' fails, and the transcript does not show it",
      "'test' compares the whole output"
    )
  }

  /// The files for its session. Files that the session writes stay in memory.
  package var files: any SessionFiles { MemoryFiles(fixtures: fixtures, folder: folder) }
}
