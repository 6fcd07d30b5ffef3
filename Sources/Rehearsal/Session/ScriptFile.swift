import Harness
import Script

/// The commands of a script, a transcript or a page, with their lines, and the first line that would not be performed.
package struct ScriptFile {
  package private(set) var commands: [Command] = []
  /// The first line that would not be performed with the rest: its number, the problem, and a hint.
  package private(set) var stray: (line: Int, sentence: String, hint: String)?
  /// The text of a note about code blocks of a page that belong to other programs.
  package private(set) var note: String?

  package struct Command {
    package let text: String
    /// Counts from 1.
    package let line: Int
  }

  /// Parses `.rehearse` scripts, which have one command per line, and transcripts, whose commands
  /// begin with `> `. The bytes are valid UTF-8: the file reader checks that.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - path: its path. A page of Markdown must contain exactly one transcript.
  package init(_ bytes: [UInt8], path: String = "") {
    if Transcripts.isMarkdown(path) {
      readPage(path, bytes)
      return
    }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes =
      bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    let isTranscript = lines.contains { $0.starts(with: "> ".utf8) || $0.elementsEqual(">".utf8) }
    if isTranscript {
      read(Transcript(path: path, bytes: bytes))
    } else {
      readScript(lines)
    }
  }

  private mutating func readPage(_ path: String, _ bytes: [UInt8]) {
    stray = Transcripts.unplayedFence(path: path, bytes: bytes)
    if stray != nil { return }
    note = Transcripts.othersNote(path: path, bytes: bytes)
    let transcripts = Transcripts.parse(path, bytes, for: nil)
    if transcripts.count == 1 {
      read(transcripts[0])
    } else {
      stray = (
        1, "this is a page of Markdown with \(transcripts.count) transcripts",
        "'test' runs the transcripts of a page; put a script or transcript into its own file"
      )
    }
  }

  private mutating func read(_ transcript: Transcript) {
    // No command of the file can read its fixtures. One that names a fixture fails.
    let unread = transcript.fixtures.names.filter { name in
      !transcript.commands.contains { $0.contains(name) }
    }
    let part = transcript.firstSwallowed(among: unread)
    stray =
      transcript.firstStray ?? transcript.indentedPrompt
      ?? part.map { ($0.line, $0.sentence, $0.hint) }
    commands = zip(transcript.commands, transcript.commandLines).map(Command.init)
  }

  /// Whether any command is neither blank nor a comment.
  package var holdsCommands: Bool { !commands.allSatisfy { CommandText.isBlank($0.text) } }

  /// The hint for a script or an input without a command.
  package static let hintWithoutCommands = "write each command on its own line"

  /// Returns the text that names the commands after a command that ends the session; nil if there
  /// are none.
  package func unperformed(after index: Int) -> String? {
    Self.unperformed(commands, after: index)
  }

  static func unperformed(_ commands: [Command], after index: Int) -> String? {
    let rest = commands[(index + 1)...].filter { !CommandText.isBlank($0.text) }
    guard let first = rest.first, let last = rest.last else { return nil }
    let lines = rest.count == 1 ? "line \(first.line)" : "lines \(first.line) to \(last.line)"
    return "\(rest.count) command\(rest.count == 1 ? " is" : "s are") never performed: \(lines)"
  }

  /// Reads a script. If a line leaves a bracket or a quote open, the command continues on the next
  /// line.
  private mutating func readScript(_ lines: [ArraySlice<UInt8>]) {
    var open = CommandText.open
    var firstLine: Int?
    for (index, line) in lines.enumerated() {
      let isOpen = open.add(Self.text(line))
      if !isOpen, firstLine != nil || !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
        commands.append(Command(text: open.text, line: firstLine ?? index + 1))
      }
      firstLine = isOpen ? firstLine ?? index + 1 : nil
      if !isOpen { open = CommandText.open }
    }
    if let firstLine { commands.append(Command(text: open.text, line: firstLine)) }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
