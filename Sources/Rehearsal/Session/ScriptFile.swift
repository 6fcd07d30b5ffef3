import Script

/// The commands of a script or of a transcript, with their lines.
package struct ScriptFile {
  package private(set) var commands: [Command] = []

  package struct Command {
    package let text: String
    /// Counts from 1.
    package let line: Int
  }

  /// Reads `.rehearse` scripts, which hold a command a line, and transcripts, whose commands begin
  /// with `> `. The bytes are UTF-8: reading a file makes sure of it.
  package init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    let isTranscript = lines.contains { $0.starts(with: "> ".utf8) || $0.elementsEqual(">".utf8) }
    if isTranscript { readTranscript(lines) } else { readScript(lines) }
  }

  private mutating func readTranscript(_ lines: [ArraySlice<UInt8>]) {
    for (index, line) in lines.enumerated() {
      if line.starts(with: "-- ".utf8),
        line.reversed().starts(with: " --".reversed().map { $0.asciiValue ?? 0 })
      {
        return
      }
      if line.starts(with: "> ".utf8) {
        commands.append(Command(text: Self.text(line.dropFirst(2)), line: index + 1))
      } else if line.starts(with: ". ".utf8) || line.elementsEqual(".".utf8),
        let last = commands.popLast()
      {
        commands.append(
          Command(text: last.text + "\n" + Self.text(line.dropFirst(2)), line: last.line)
        )
      }
    }
  }

  /// A line that leaves a bracket or a quote open goes on in the next one.
  private mutating func readScript(_ lines: [ArraySlice<UInt8>]) {
    var open: Command?
    for (index, line) in lines.enumerated() {
      let text = open.map { $0.text + "\n" + Self.text(line) } ?? Self.text(line)
      let command = Command(text: text, line: open?.line ?? index + 1)
      if Script.isUnfinished(text, table: ShellCommands.table) {
        open = command
      } else {
        open = nil
        if !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) || command.line != index + 1 {
          commands.append(command)
        }
      }
    }
    if let open { commands.append(open) }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
