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
